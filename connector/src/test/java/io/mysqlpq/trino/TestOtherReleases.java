package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import javax.management.ObjectName;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static java.lang.management.ManagementFactory.getPlatformMBeanServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Reads servers that run the extension of an older or of a newer release: builds of the present one that say so, and lack what came to
 * the protocol later, or have another protocol number.
 */
class TestOtherReleases
{
    private static final long ROWS = 20_000;
    private static final List<String> TABLES = List.of("orders", "keyless", "payloads");
    // All tests of this process share one MBean server, so this class has a catalog of its own.
    private static final String WATCHED = "newer_release";

    @Test
    void testOlderExtension()
            throws Exception
    {
        try (MysqlServer mysql = start("older"); TestingTrino trino = new TestingTrino(properties(mysql))) {
            assertThat(version(mysql)).contains("\"extension\": \"0.0.9\"", "\"features\": []").doesNotContain("mysql_pq_scan");
            // Ranges of one moment as ever, their rows by SQL.
            MaterializedResultWithPlan orders = assertWhole(mysql, trino, "orders");
            assertThat(trino.count(orders.queryId(), SPLITS_READ)).isGreaterThan(5);
            assertThat(trino.count(orders.queryId(), READ_NATIVELY)).isZero();
            // Nobody else reads row ids.
            assertThat(trino.count(assertWhole(mysql, trino, "keyless").queryId(), SPLITS_READ)).isEqualTo(1);
            assertThat(trino.count(assertWhole(mysql, trino, "payloads").queryId(), SPLITS_READ)).isGreaterThan(5);
            mysql.assertErrorLogClean();
        }
    }

    @Test
    void testNewerProtocol()
            throws Exception
    {
        try (MysqlServer mysql = start("newer"); TestingTrino trino = new TestingTrino(properties(mysql))) {
            assertThat(version(mysql)).contains("\"protocol\": 2");
            for (String table : TABLES) {
                assertThat(trino.count(assertWhole(mysql, trino, table).queryId(), SPLITS_READ)).isEqualTo(1);
            }
            assertThat(trino.execute("EXPLAIN SELECT * FROM orders").getOnlyValue().toString()).contains("one split", "(UNKNOWN_PROTOCOL)");
            trino.runner().createCatalog(WATCHED, "mysql_pq", properties(mysql));
            assertThat(fallbacks()).isZero();
            trino.execute("SELECT * FROM %s.test.orders".formatted(WATCHED));
            assertThat(fallbacks()).isPositive();
            assertThatThrownBy(() -> trino.execute(trino.session(ImmutableMap.of("snapshot_mode", "NONE", "range_source", "EXTENSION")), "SELECT * FROM orders"))
                    .hasMessageContaining("the extension speaks protocol 2 and this connector 1")
                    .hasMessageContaining("Install the extension and the connector of one release");
            // Ranges by SQL for those who do without one moment, as where there is no extension.
            MaterializedResultWithPlan ranges = trino.executeWithPlan(trino.session(ImmutableMap.of("snapshot_mode", "NONE")), "SELECT * FROM orders");
            assertThat(ranges.result().getRowCount()).isEqualTo(ROWS);
            assertThat(trino.count(ranges.queryId(), SPLITS_READ)).isGreaterThan(5);
            mysql.assertErrorLogClean();
        }
    }

    private static MysqlServer start(String release)
    {
        MysqlServer mysql = MysqlServer.builder().pluginFile(library(release)).extension(true).option("cte-max-recursion-depth", "1000000").start();
        String numbers = "WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT ".formatted(ROWS);
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.orders (k BIGINT PRIMARY KEY, v BIGINT)",
                "INSERT INTO test.orders " + numbers + "n, n * n FROM s",
                "CREATE TABLE test.keyless (k BIGINT, v BIGINT)",
                "INSERT INTO test.keyless SELECT * FROM test.orders",
                // Off-page values of every hundredth row.
                "CREATE TABLE test.payloads (k BIGINT PRIMARY KEY, v BIGINT, payload LONGTEXT)",
                "INSERT INTO test.payloads SELECT k, v, IF(k % 100 = 0, REPEAT('x', 20000), 'y') FROM test.orders",
                "ANALYZE TABLE test.orders, test.keyless, test.payloads");
        return mysql;
    }

    private static Map<String, String> properties(MysqlServer mysql)
    {
        return ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "target-rows-per-split", "1000");
    }

    private static MaterializedResultWithPlan assertWhole(MysqlServer mysql, TestingTrino trino, String table)
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), "SELECT * FROM " + table);
        assertThat(result.result().getRowCount()).isEqualTo(ROWS);
        long sum = result.result().getMaterializedRows().stream().mapToLong(row -> (long) row.getField(1)).sum();
        assertThat(Long.toString(sum)).isEqualTo(getOnlyElement(mysql.values("SELECT SUM(v) FROM test." + table)));
        return result;
    }

    private static String version(MysqlServer mysql)
    {
        return getOnlyElement(mysql.values("SELECT mysql_pq_version()"));
    }

    private static long fallbacks()
            throws Exception
    {
        ObjectName reporter = getOnlyElement(getPlatformMBeanServer().queryNames(new ObjectName("*:type=FallbackReporter,name=%s,*".formatted(WATCHED)), null));
        return (long) getPlatformMBeanServer().getAttribute(reporter, "UnknownProtocolCount");
    }

    private static Path library(String release)
    {
        String property = "pq.plugin.%s.file".formatted(release);
        assertThat(System.getProperty(property)).as("-D%s, the CMake target mysql_pq_%s", property, release).isNotNull();
        return Path.of(System.getProperty(property));
    }
}
