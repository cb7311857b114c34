package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.trino.Session;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;

import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Looks at what an administrator can see of a running catalog: JMX and traces. */
@TestInstance(PER_CLASS)
class TestDiagnostics
{
    // All tests of this process share one MBean server, so this class has a catalog of its own.
    private static final String CATALOG = "watched";

    private MysqlServer mysql;
    private DistributedQueryRunner trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "INSTALL PLUGIN mysql_pq_ranges SONAME 'mysql_pq.so'",
                "INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so'",
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n FROM s",
                "ANALYZE TABLE test.t");
        trino = DistributedQueryRunner.builder(testSessionBuilder().setCatalog(CATALOG).setSchema("test").build())
                .setWorkerCount(0)
                .addExtraProperty("tracing.enabled", "true")
                .build();
        trino.installPlugin(new MysqlPqPlugin());
        trino.createCatalog(CATALOG, "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "native-aggregation-enabled", "false",
                "read-reuse-enabled", "false",
                "range-source", "EXTENSION",
                "target-rows-per-split", "2000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    /** Each names the object, the cause in MySQL's words, and the way out, and no class of the sources. */
    @Test
    void testErrorTexts()
            throws Exception
    {
        trino.createCatalog("impatient", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "target-rows-per-split", "2000",
                "table-lock-timeout", "1s"));
        Session impatient = Session.builder(trino.getDefaultSession()).setCatalog("impatient").build();
        mysql.execute(
                "CREATE TABLE test.gone (k INT PRIMARY KEY)",
                "CREATE VIEW test.broken AS SELECT k FROM test.gone",
                "DROP TABLE test.gone",
                "CREATE TABLE test.times (k INT PRIMARY KEY, c TIME)",
                "INSERT INTO test.times VALUES (1, '26:00:00'), (2, '-01:00:00')",
                "CREATE TABLE test.uniques (k INT PRIMARY KEY, u INT UNIQUE)",
                "INSERT INTO test.uniques VALUES (1, 1), (2, 2)");
        assertText(impatient, "SELECT * FROM broken", "test.broken", "references invalid table(s) or column(s)");
        assertText(impatient, "SELECT c FROM times WHERE k = 1", "Column c of table test.times holds 26:00:00", "not a time of day", "CAST(... AS CHAR)");
        assertText(impatient, "SELECT * FROM TABLE(system.query('SELECT c FROM test.times WHERE k = 2'))", "Column c of table test.times holds -01:00:00", "not a time of day");
        assertText(impatient, "UPDATE uniques SET u = k - k + 5", "Failed to merge rows into table test.uniques: Duplicate entry '5'");
        // Planned once, so that the dictionary is not asked while the table is locked.
        trino.execute(impatient, "SELECT sum(v) FROM t WHERE v % 2 = 0");
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLES test.t WRITE");
            assertText(impatient, "SELECT sum(v) FROM t WHERE v % 2 = 0", "Table test.t is locked by another statement", "Lock wait timeout exceeded", "raise table-lock-timeout");
        }
    }

    private void assertText(Session session, String sql, String... parts)
    {
        assertThatThrownBy(() -> trino.execute(session, sql))
                .as(sql)
                .satisfies(failure -> assertThat(failure.getMessage()).contains(parts).doesNotContain("Exception", "table ."));
    }

    @Test
    void testJmx()
            throws Exception
    {
        trino.execute("SELECT count(*) FROM t WHERE v % 2 = 0");
        MBeanServer beans = getPlatformMBeanServer();
        Set<ObjectName> names = beans.queryNames(new ObjectName("*:name=%s,*".formatted(CATALOG)), null);
        assertThat(names.stream().map(name -> name.getKeyProperty("type")).collect(toImmutableSet()))
                .contains("JdbcClient", "ConnectionFactory", "CachingJdbcClient", "FallbackReporter", "ConnectionPools", "ConnectionPermits", "SnapshotStats");
        ObjectName client = getOnlyElement(names.stream().filter(name -> name.getKeyProperty("type").equals("JdbcClient")).toList());
        assertThat((double) beans.getAttribute(client, "GetTableHandle.Time.AllTime.Count")).isPositive();
        ObjectName snapshots = getOnlyElement(names.stream().filter(name -> name.getKeyProperty("type").equals("SnapshotStats")).toList());
        assertThat((long) beans.getAttribute(snapshots, "Opened")).isPositive();
    }

    // Without a row nobody knows what a metric means; a row without its metric sends readers after something that is not there.
    @Test
    void testEachMetricHasARow()
    {
        assertThat(MetricsPage.metrics("The connector's MBeans")).containsExactlyInAnyOrderElementsOf(attributes("io.mysqlpq.trino.*:*"));
        assertThat(MetricsPage.metrics("MBeans of Trino's JDBC connectors")).containsExactlyInAnyOrderElementsOf(jdbcAttributes());
    }

    // The numbers that JMX has, of this catalog and no other.
    @Test
    void testCounters()
    {
        Map<String, Double> before = counters();
        assertThat(before.keySet()).containsExactlyInAnyOrderElementsOf(attributes("io.mysqlpq.trino.*:*"));
        trino.execute("SELECT count(*) FROM t WHERE v % 5 = 0");
        mysql.execute("SET GLOBAL mysql_pq_enabled = OFF");
        try {
            trino.execute(Session.builder(trino.getDefaultSession()).setCatalogSessionProperty(CATALOG, "range_source", "AUTO").build(), "SELECT count(*) FROM t WHERE v % 5 = 0");
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_enabled = ON");
        }
        Map<String, Double> after = counters();
        assertThat(after.get("ReadTotals.Rows") - before.get("ReadTotals.Rows")).isEqualTo(40_000.0);
        assertThat(after.get("FallbackReporter.DisabledCount") - before.get("FallbackReporter.DisabledCount")).isEqualTo(1.0);
    }

    private Map<String, Double> counters()
    {
        return trino.execute("SELECT type, attribute, value FROM TABLE(system.counters())").getMaterializedRows().stream()
                .collect(toImmutableMap(row -> "%s.%s".formatted(row.getField(0), row.getField(1)), row -> (Double) row.getField(2)));
    }

    @Test
    void testEachStatusVariableHasARow()
    {
        assertThat(MetricsPage.metrics("MySQL's status variables")).containsExactlyInAnyOrderElementsOf(mysql.values("SHOW GLOBAL STATUS LIKE 'mysql_pq%'"));
        assertThat(MetricsPage.names("Tables of INFORMATION_SCHEMA", 2)).containsExactlyInAnyOrderElementsOf(mysql.values(
                "SELECT concat(table_name, '.', column_name) FROM information_schema.columns WHERE table_schema = 'information_schema' AND table_name LIKE 'MYSQL_PQ%'"));
    }

    // As type.attribute.
    private static Set<String> attributes(String domain)
    {
        return names(domain).flatMap(name -> attributeNames(name).map(attribute -> "%s.%s".formatted(name.getKeyProperty("type"), attribute))).collect(toImmutableSet());
    }

    // All methods of these have the same attributes, all windows of time, percentiles and caches too.
    private static Set<String> jdbcAttributes()
    {
        return attributes("io.trino.plugin.jdbc*:*").stream()
                .map(attribute -> attribute
                        .replaceFirst("[.]\\w+[.](Failures|Time)[.]", ".METHOD.$1.")
                        .replaceFirst("[.]((One|Five|Fifteen)Minutes?|AllTime)[.]", ".WINDOW.")
                        .replaceFirst("[.]P\\d+$", ".PN")
                        .replaceFirst("[.]\\w+(Cache|Stats)[.]", ".CACHE."))
                .collect(toImmutableSet());
    }

    private static Stream<ObjectName> names(String domain)
    {
        try {
            return getPlatformMBeanServer().queryNames(new ObjectName(domain), null).stream().filter(name -> CATALOG.equals(name.getKeyProperty("name")));
        }
        catch (MalformedObjectNameException e) {
            throw new AssertionError(e);
        }
    }

    private static Stream<String> attributeNames(ObjectName name)
    {
        try {
            return Arrays.stream(getPlatformMBeanServer().getMBeanInfo(name).getAttributes()).map(MBeanAttributeInfo::getName);
        }
        catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    // One for each statement, as with Trino's own connectors: of metadata, of each range, of SQL that is passed through.
    @Test
    void testSpans()
    {
        String query = trino.executeWithPlan(trino.getDefaultSession(), "SELECT v FROM t WHERE v % 3 = 0").queryId().toString();
        List<String> statements = statements(query);
        assertThat(statements.stream().filter(sql -> sql.contains("mysql_pq_scan"))).hasSizeGreaterThan(5);
        assertThat(statements).anyMatch(sql -> sql.contains("mysql_pq_ranges"));
        String passed = trino.executeWithPlan(trino.getDefaultSession(), "SELECT * FROM TABLE(system.query('SELECT max(v) AS m FROM test.t'))").queryId().toString();
        assertThat(statements(passed)).anyMatch(sql -> sql.contains("max(v)"));
    }

    // A query's statements carry its name in a comment. Numbers are not shown, so neither is the date that it begins with.
    private List<String> statements(String query)
    {
        String nameWithoutDate = query.substring(query.indexOf('_'));
        return trino.getSpans().stream()
                .map(TestDiagnostics::attributes)
                .map(attributes -> attributes.getOrDefault("db.query.text", attributes.getOrDefault("db.statement", "")))
                .filter(sql -> sql.contains(nameWithoutDate))
                .toList();
    }

    private static Map<String, String> attributes(SpanData span)
    {
        ImmutableMap.Builder<String, String> attributes = ImmutableMap.builder();
        span.getAttributes().forEach((key, value) -> attributes.put(key.getKey(), value.toString()));
        return attributes.buildOrThrow();
    }
}
