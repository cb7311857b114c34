package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import com.mysql.cj.jdbc.JdbcStatement;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.rows.ChangedColumnException;
import io.mysqlpq.trino.rows.MappedColumn;
import io.mysqlpq.trino.rows.RowPages;
import io.mysqlpq.trino.types.MysqlTypes;
import io.mysqlpq.trino.types.TypeConfig;
import io.mysqlpq.trino.types.TypeSamples;
import io.mysqlpq.trino.types.TypeSamples.TypeSample;
import io.mysqlpq.trino.types.TypeSessionProperties;
import io.trino.Session;
import io.trino.plugin.jdbc.ColumnMapping;
import io.trino.plugin.jdbc.JdbcTypeHandle;
import io.trino.spi.Page;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;
import io.trino.testing.MaterializedResult;
import io.trino.testing.TestingConnectorSession;
import io.trino.type.JsonType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.trino.testing.TransactionBuilder.transaction;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Changes columns under a plan: what is read then is what a new plan would read, or the query says what changed.
 */
@TestInstance(PER_CLASS)
class TestChangedColumns
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test");
        // This catalog keeps an old plan's columns for as long as a test wants.
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("metadata.cache-ttl", "1h", "target-rows-per-split", "1"));
        trino.runner().createCatalog("fresh", "mysql_pq", ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "root",
                "target-rows-per-split", "1",
                "dynamic-filtering.wait-timeout", "20s"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    /** Each type planned, each type found, by both decoders. */
    @Test
    void testAllPairs()
            throws SQLException
    {
        int read = 0;
        int refused = 0;
        try (Connection connection = connect()) {
            Map<String, List<String>> samples = TypeSamples.all().stream().collect(groupingBy(TypeSample::mysqlType, LinkedHashMap::new, mapping(TypeSample::mysqlLiteral, toList())));
            List<String> names = ImmutableList.copyOf(samples.keySet());
            mysql.execute("CREATE TABLE test.pairs (%s)".formatted(IntStream.range(0, names.size()).mapToObj(i -> "c%d %s".formatted(i, names.get(i))).collect(joining(", "))));
            List<MappedColumn> planned = plan(connection, "pairs");
            assertThat(planned).extracting(column -> MysqlTypes.of(column.mysqlType())).containsAll(TypeSamples.typesOfColumns());
            for (int found = 0; found < names.size(); found++) {
                for (String value : samples.get(names.get(found))) {
                    mysql.execute("DELETE FROM test.pairs", "INSERT INTO test.pairs (c%d) VALUES (%s)".formatted(found, value));
                    String fresh = read(connection, found, planned.get(found), true);
                    for (int old = 0; old < names.size(); old++) {
                        for (boolean packets : new boolean[] {true, false}) {
                            try {
                                assertThat(normal(read(connection, found, planned.get(old), packets)))
                                        .as("%s planned, %s %s found, packets %s", names.get(old), names.get(found), value, packets)
                                        .isEqualTo(normal(fresh));
                                read++;
                            }
                            catch (ChangedColumnException e) {
                                assertThat(old).as("%s %s: %s", names.get(found), value, e.getMessage()).isNotEqualTo(found);
                                assertThat(e.getMessage()).startsWith("column c%d ".formatted(e.getMessage().contains("holds a value") ? old : found));
                                refused++;
                            }
                        }
                    }
                }
            }
        }
        // Both happen.
        assertThat(read).isGreaterThan(450);
        assertThat(refused).isGreaterThan(4_500);
    }

    /**
     * Each way of reading, of a plan that is older than the table.
     *
     * @param error the type that MySQL is said to send; empty if the value is read
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "BIGINT | 1 | DECIMAL(10, 2) | 1.75 | DECIMAL with 2 digits after the point | BIGINT",
            "BIGINT | 1 | DOUBLE | 1.75 | DOUBLE | BIGINT",
            "BIGINT | 1 | VARCHAR(10) | '1.75' | VARCHAR | BIGINT",
            "DECIMAL(10, 2) | 1.75 | DECIMAL(12, 4) | 1.7575 | DECIMAL with 4 digits after the point | DECIMAL with 2 digits after the point",
            "VARCHAR(10) | 'a' | VARBINARY(10) | X'FF' | VARBINARY | VARCHAR",
            "DATETIME(3) | '2020-02-29 12:30:00.5' | DATETIME(6) | '2020-02-29 12:30:00.123456' | DATETIME(6) | DATETIME(3)",
            "VARCHAR(5) | 'a' | VARCHAR(20) CHARACTER SET latin1 | 'ä' | |",
            "INT | 1 | BIGINT | 7 | |"})
    void testWaysOfReading(String planned, String oldValue, String found, String newValue, String error, String was)
    {
        for (String table : List.of("t", "keyless")) {
            mysql.execute(
                    "DROP TABLE IF EXISTS test." + table,
                    "CREATE TABLE test.%s (k INT %s, c %s)".formatted(table, table.equals("t") ? "PRIMARY KEY" : "", planned),
                    "INSERT INTO test.%s VALUES (1, %s), (2, %2$s), (3, NULL)".formatted(table, oldValue));
        }
        trino.execute("CALL system.flush_metadata_cache()");
        Map<String, String> first = outcomes(was);
        assertThat(first.values()).allMatch(outcome -> outcome.startsWith("["));
        for (String table : List.of("t", "keyless")) {
            mysql.execute("ALTER TABLE test.%s DROP COLUMN c, ADD COLUMN c %s".formatted(table, found), "UPDATE test.%s SET c = %s WHERE k < 3".formatted(table, newValue));
        }
        Map<String, String> stale = outcomes(was);
        if (error == null) {
            trino.execute("CALL system.flush_metadata_cache()");
            Map<String, String> fresh = outcomes(was);
            stale.forEach((way, outcome) -> assertThat(outcome).as(way).satisfiesAnyOf(value -> assertThat(value).isEqualTo(fresh.get(way)), message -> assertThat(message).contains("was altered")));
            assertThat(stale).containsEntry("natively: SELECT c FROM t", fresh.get("natively: SELECT c FROM t"));
        }
        else {
            assertThat(stale.values()).allMatch(outcome -> outcome.contains("was altered") && outcome.contains("flush_metadata_cache"));
            assertThat(stale.get("natively: SELECT c FROM t")).contains("Table test.t was altered after the query was planned: column c is %s, and was %s when the query was planned".formatted(error, was));
        }
    }

    private Map<String, String> outcomes(String planned)
    {
        Map<String, String> settings = ImmutableMap.of(
                "natively", "",
                "by packets", "native_scan_enabled",
                "by the driver", "packet_decoding_enabled",
                "in one split", "parallel_reads_enabled");
        List<String> ways = ImmutableList.<String>builder()
                .add("natively: SELECT c FROM t", "by packets: SELECT c FROM t", "by the driver: SELECT c FROM t", "in one split: SELECT c FROM t", "natively: SELECT c FROM keyless")
                .add("in one split: SELECT c FROM t ORDER BY k LIMIT 1", "natively: SELECT max(c) FROM t", "in one split: SELECT max(c) FROM t")
                .add("natively: SELECT c, count(*) FROM t GROUP BY c", "in one split: SELECT c, count(*) FROM t GROUP BY c", "natively: SELECT k, max(c) FROM t GROUP BY k")
                .add("joined: SELECT a.c FROM t a JOIN t b ON a.k = b.k")
                .addAll("BIGINT".equals(planned) ? ImmutableList.of("natively: SELECT sum(c) FROM t", "in one split: SELECT sum(c) FROM t") : ImmutableList.of())
                .build();
        Map<String, CompletableFuture<String>> running = new LinkedHashMap<>();
        for (String way : ways) {
            String how = way.substring(0, way.indexOf(':'));
            Map<String, String> properties = how.equals("joined") ? ImmutableMap.of("join_pushdown_strategy", "EAGER") : settings.get(how).isEmpty() ? ImmutableMap.of() : ImmutableMap.of(settings.get(how), "false");
            running.put(way, Background.supply(() -> outcome(trino.session(properties), way.substring(way.indexOf(':') + 2))));
        }
        return ImmutableMap.copyOf(Maps.transformValues(running, CompletableFuture::join));
    }

    private String outcome(Session session, String sql)
    {
        try {
            return trino.execute(session, sql).getMaterializedRows().stream().map(Object::toString).sorted().toList().toString();
        }
        catch (RuntimeException e) {
            return e.getMessage();
        }
    }

    /** No value of the column comes back, and MySQL would compare a text with the number of the old plan by its own rules. */
    @ParameterizedTest
    @CsvSource({"native_scan_enabled, true", "native_scan_enabled, false", "parallel_reads_enabled, false", "snapshot_mode, PER_SCAN", "snapshot_mode, NONE", "range_source, SQL"})
    void testColumnThatIsNotReturned(String property, String value)
    {
        mysql.execute(
                "DROP TABLE IF EXISTS test.t, test.u",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, c BIGINT, v INT, UNIQUE (c))",
                "INSERT INTO test.t VALUES (1, 15, 1), (2, 17, 1), (3, NULL, 1), (4, 16, 1)",
                "CREATE TABLE test.u (n BIGINT PRIMARY KEY, w INT)",
                "INSERT INTO test.u VALUES (15, 1), (16, 2)");
        trino.execute("CALL system.flush_metadata_cache()");
        Session session = trino.session(ImmutableMap.of(property, value, "join_pushdown_strategy", "EAGER"));
        List<String> statements = ImmutableList.of(
                "SELECT k FROM t WHERE c = 15",
                "SELECT v FROM t WHERE c = 15 OR k = 3",
                "SELECT k FROM t WHERE c IN (15, 17) AND v = 1",
                "SELECT k FROM t WHERE c <> k",
                "SELECT k FROM t WHERE NOT (c <> 15 OR k = 2)",
                "SELECT count(*) FROM t WHERE c = 15",
                "SELECT count(c) FROM t",
                "SELECT v, count(*) FROM t WHERE c > 15 GROUP BY v",
                "SELECT DISTINCT v FROM t WHERE c > 15",
                "SELECT k, count(*) FROM t WHERE c > 15 GROUP BY k",
                "SELECT 1 FROM t WHERE c = 15",
                "SELECT k FROM t WHERE c > 16 LIMIT 1",
                "SELECT k FROM t ORDER BY c DESC LIMIT 1",
                "SELECT k FROM (SELECT k, c, v FROM t ORDER BY v, k LIMIT 3) WHERE c = 15",
                "SELECT k FROM (SELECT k, c, v FROM t LIMIT 5) ORDER BY c DESC LIMIT 1",
                "SELECT t.v FROM t JOIN u ON t.c = u.n WHERE u.w = 1",
                "SELECT a.v FROM t a JOIN t b ON a.c = b.c");
        List<String> before = outcomes(session, statements);
        assertThat(before).allSatisfy(outcome -> assertThat(outcome).startsWith("[["));
        assertThat(before).isEqualTo(outcomes(trino.session(ImmutableMap.of()), statements));
        if (property.equals("parallel_reads_enabled")) {
            assertThat(statements).allSatisfy(sql -> assertThat((String) trino.execute(session, "EXPLAIN " + sql).getOnlyValue()).doesNotContain("Filter", "Aggregate", "TopN", "Join["));
        }
        if (property.equals("native_scan_enabled") && value.equals("true")) {
            assertThat(trino.count(trino.executeWithPlan(session, statements.get(1)).queryId(), READ_NATIVELY)).isPositive();
        }
        mysql.execute("ALTER TABLE test.t MODIFY c VARCHAR(10)", "UPDATE test.t SET c = '15a' WHERE k = 1");
        assertThat(outcomes(session, statements)).allSatisfy(outcome -> assertThat(outcome).contains(" was altered after the query was planned: column c is VARCHAR, and was BIGINT when the query was planned"));
    }

    private List<String> outcomes(Session session, List<String> statements)
    {
        List<CompletableFuture<String>> running = statements.stream().map(sql -> Background.supply(() -> outcome(session, sql))).toList();
        return running.stream().map(CompletableFuture::join).toList();
    }

    /** Texts that may be large are not sent for the comparison. */
    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "NONE"})
    void testLargeTextThatIsNotReturned(String snapshotMode)
    {
        mysql.execute("DROP TABLE IF EXISTS test.t", "CREATE TABLE test.t (k INT PRIMARY KEY, c LONGTEXT)", "INSERT INTO test.t VALUES (1, REPEAT('x', 100000)), (2, NULL)");
        trino.execute("CALL system.flush_metadata_cache()");
        Session session = trino.session(ImmutableMap.of("parallel_reads_enabled", "false", "snapshot_mode", snapshotMode));
        String sql = "SELECT k FROM t WHERE c IS NOT NULL";
        long before = bytesSent();
        assertThat(outcome(session, sql)).isEqualTo("[[1]]");
        assertThat(bytesSent() - before).isLessThan(100_000);
        mysql.execute("UPDATE test.t SET c = '15'", "ALTER TABLE test.t MODIFY c BIGINT");
        assertThat(outcome(session, sql)).contains("column c is BIGINT, and was LONGTEXT when the query was planned");
    }

    private long bytesSent()
    {
        return Long.parseLong(mysql.values("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Bytes_sent'").getFirst());
    }

    /** Columns that a query does not name may change. */
    @Test
    void testColumnThatIsNotNamed()
    {
        mysql.execute("DROP TABLE IF EXISTS test.t", "CREATE TABLE test.t (k INT PRIMARY KEY, c BIGINT, v INT)", "INSERT INTO test.t VALUES (1, 15, 1), (2, 17, 2)");
        trino.execute("CALL system.flush_metadata_cache()");
        Session session = trino.session(ImmutableMap.of("parallel_reads_enabled", "false"));
        List<String> statements = ImmutableList.of("SELECT k FROM t WHERE v = 1", "SELECT count(*) FROM t", "SELECT max(v) FROM t WHERE k > 1");
        List<String> before = outcomes(session, statements);
        mysql.execute("ALTER TABLE test.t DROP COLUMN c");
        assertThat(outcomes(session, statements)).isEqualTo(before);
    }

    /** A transaction that may write sees what others commit, and a table as it is when a query of it begins. */
    @ParameterizedTest
    @ValueSource(strings = {"", "WHERE c > 0", "WHERE c IS NOT NULL"})
    void testWithinATransaction(String where)
    {
        createCounted("BIGINT", "1");
        String sql = "SELECT CAST(max(c) AS varchar), count(*) FROM t " + where;
        Session fresh = fresh(ImmutableMap.of());
        transaction(trino.runner().getTransactionManager(), trino.runner().getPlannerContext().getMetadata(), trino.runner().getAccessControl()).execute(fresh, session -> {
            assertThat(trino.execute(session, sql).getMaterializedRows().getFirst().getFields()).containsExactly("1", 2L);
            mysql.execute("ALTER TABLE test.t MODIFY c DECIMAL(10, 2)", "UPDATE test.t SET c = 1.75");
            assertThat(trino.execute(session, sql).getMaterializedRows().getFirst().getFields()).containsExactly("1.75", 2L);
            mysql.execute("ALTER TABLE test.t MODIFY c DOUBLE", "UPDATE test.t SET c = 2.5");
            assertThat(trino.execute(session, sql).getMaterializedRows().getFirst().getFields()).containsExactly("2.5E0", 2L);
        });
    }

    /** The snapshot's session waits for a lock when the plan is made, and the table changes meanwhile. */
    @ParameterizedTest
    @ValueSource(strings = {"native_scan_enabled", "packet_decoding_enabled", "parallel_reads_enabled", ""})
    void testBetweenPlanningAndReading(String disabled)
            throws Exception
    {
        createCounted("BIGINT", "1");
        mysql.execute("DROP TABLE IF EXISTS test.first", "CREATE TABLE test.first (k INT PRIMARY KEY)", "INSERT INTO test.first VALUES (1), (2)");
        Session session = fresh(disabled.isEmpty() ? ImmutableMap.of() : ImmutableMap.of(disabled, "false"));
        String sql = "SELECT t.c FROM first JOIN t ON first.k = t.k";
        trino.execute(session, sql);
        assertAlteredMeanwhile("first", "SELECT 1 FROM", () -> trino.execute(session, sql), "ALTER TABLE test.t MODIFY c DECIMAL(10, 2)", "UPDATE test.t SET c = 1.75");
    }

    /** A scan that sees a moment of its own waits for a filter, and the table changes meanwhile. */
    @Test
    void testDuringTheWaitForADynamicFilter()
            throws Exception
    {
        createCounted("BIGINT", "1");
        mysql.execute("DROP TABLE IF EXISTS test.build", "CREATE TABLE test.build (k INT PRIMARY KEY)", "INSERT INTO test.build VALUES (1)");
        Session session = Session.builder(fresh(ImmutableMap.of("snapshot_mode", "NONE"))).setSystemProperty("join_reordering_strategy", "NONE").build();
        String sql = "SELECT t.c FROM t JOIN build ON build.k = t.k";
        trino.execute(session, sql);
        assertAlteredMeanwhile("build", "SELECT `k` FROM", () -> trino.execute(session, sql), "ALTER TABLE test.t MODIFY c DOUBLE", "UPDATE test.t SET c = 1.75");
    }

    /** @param waiting how the statement begins that waits for the locked table */
    private void assertAlteredMeanwhile(String locked, String waiting, Supplier<MaterializedResult> query, String... ddl)
            throws Exception
    {
        CompletableFuture<MaterializedResult> running;
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLES test.%s WRITE".formatted(locked));
            running = Background.supply(query);
            awaitLock(locked, waiting);
            mysql.execute(ddl);
        }
        assertThatThrownBy(running::join).hasMessageContaining(" was altered after the query was planned: column c").hasMessageContaining("and was BIGINT");
    }

    private void awaitLock(String table, String waiting)
    {
        Await.until("the query waits", () -> mysql.values("SELECT info FROM information_schema.processlist WHERE state = 'Waiting for table metadata lock'").stream()
                .anyMatch(sql -> sql.contains(waiting) && sql.contains("`%s`".formatted(table))));
    }

    /** MySQL would round what the query writes, without an error: from temporary tables at once, and as rows come. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "false| INSERT INTO t (k, c) SELECT k + 10, c FROM source",
            "false| UPDATE t SET c = (SELECT max(c) FROM source)",
            "false| MERGE INTO t USING source ON t.k = source.k WHEN MATCHED THEN UPDATE SET c = source.c WHEN NOT MATCHED THEN INSERT VALUES (source.k, source.c)",
            "true| INSERT INTO t (k, c) SELECT k + 10, c FROM source",
            "true| UPDATE t SET c = (SELECT max(c) FROM source)",
            "true| MERGE INTO t USING source ON t.k = source.k WHEN MATCHED THEN UPDATE SET c = source.c",
            "true| MERGE INTO t USING source ON t.k = source.k WHEN NOT MATCHED THEN INSERT VALUES (source.k, source.c)"})
    void testWrites(boolean direct, String sql)
            throws Exception
    {
        createCounted("DECIMAL(10, 2)", "1.00");
        createSource("source");
        CompletableFuture<MaterializedResult> running;
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            running = writeFromLocked(statement, "source", sql, direct);
            mysql.execute("ALTER TABLE test.t MODIFY c BIGINT");
        }
        assertThatThrownBy(running::join).hasMessageContaining("Table test.t was altered").hasMessageContaining("column c is BIGINT, and was DECIMAL with 2 digits after the point when the query was planned");
        assertThat(mysql.values("SELECT CONCAT(k, ' ', c) FROM test.t ORDER BY k")).containsExactly("1 1", "2 1");
        assertThat(mysql.values("SHOW TABLES FROM test LIKE 'tmp_trino%'")).isEmpty();
    }

    /** Rows of the first batch are committed when the table is altered. Those that come after it would be rounded. */
    @Test
    void testBetweenBatches()
            throws Exception
    {
        createCounted("DECIMAL(10, 2)", "1.00");
        createSource("first_rows");
        createSource("later_rows");
        CompletableFuture<MaterializedResult> running;
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            running = writeFromLocked(statement, "later_rows", "INSERT INTO t (k, c) SELECT k + 10, c FROM first_rows UNION ALL SELECT k + 20, c FROM later_rows", true);
            Await.until("the first rows are there", () -> mysql.values("SELECT k FROM test.t WHERE k > 10").size() == 2);
            mysql.execute("ALTER TABLE test.t MODIFY c DECIMAL(10, 1)");
        }
        assertThatThrownBy(running::join)
                .hasMessageContaining("Table test.t was altered while rows were written to it: column c is DECIMAL with 1 digits after the point, and was DECIMAL with 2")
                .hasMessageContaining("Rows of earlier batches stay in the table");
        assertThat(mysql.values("SELECT k FROM test.t ORDER BY k")).containsExactly("1", "2", "11", "15");
    }

    private void createSource(String name)
    {
        mysql.execute("DROP TABLE IF EXISTS test." + name, "CREATE TABLE test.%s (k INT PRIMARY KEY, c DECIMAL(10, 2))".formatted(name), "INSERT INTO test.%s VALUES (1, 1.75), (5, 1.75)".formatted(name));
    }

    // The target is not locked while the query reads.
    private CompletableFuture<MaterializedResult> writeFromLocked(Statement lock, String source, String sql, boolean direct)
            throws SQLException
    {
        Session session = fresh(ImmutableMap.of(
                "snapshot_mode", "NONE",
                "parallel_reads_enabled", "false",
                "write_batch_size", "1",
                "non_transactional_insert", String.valueOf(direct),
                "non_transactional_merge", String.valueOf(direct)));
        trino.execute(session, "SELECT * FROM " + source);
        lock.execute("LOCK TABLES test.%s WRITE".formatted(source));
        CompletableFuture<MaterializedResult> running = Background.supply(() -> trino.execute(session, sql));
        awaitLock(source, "`c`");
        return running;
    }

    /** What MySQL changes alone: a constant would be rounded, and a filter mean something else. The plan is older than the table. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "DECIMAL(10, 2)| 1.00| BIGINT| UPDATE t SET c = DECIMAL '1.75' WHERE k = 1| column c is BIGINT, and was DECIMAL with 2",
            "DATETIME(6)| '2020-01-01'| DATETIME| UPDATE t SET c = TIMESTAMP '2020-01-01 00:00:00.75'| column c is DATETIME, and was DATETIME",
            "BIGINT| 1| VARCHAR(10)| DELETE FROM t WHERE c = 1| column c is VARCHAR, and was BIGINT",
            "BIGINT| 1| DECIMAL(10, 2)| UPDATE t SET k = 7 WHERE c > 1| column c is DECIMAL with 2 digits after the point, and was BIGINT",
            "INT| 7| VARCHAR(10)| DELETE FROM t WHERE c <> k| column c is VARCHAR, and was INT"})
    void testPushedChanges(String planned, String value, String found, String sql, String error)
    {
        createCounted(planned, value);
        trino.execute("CALL system.flush_metadata_cache()");
        trino.execute("DESCRIBE t");
        mysql.execute("ALTER TABLE test.t MODIFY c " + found);
        List<String> before = mysql.values("SELECT CONCAT(k, ' ', c) FROM test.t ORDER BY k");
        assertThat((String) trino.execute("EXPLAIN " + sql).getOnlyValue()).containsAnyOf("TableDelete", "TableUpdate");
        assertThatThrownBy(() -> trino.execute(sql)).hasMessageContaining("Table test.t was altered while rows were written to it: " + error).hasMessageContaining("Nothing was written");
        assertThat(mysql.values("SELECT CONCAT(k, ' ', c) FROM test.t ORDER BY k")).isEqualTo(before);
        trino.execute("CALL system.flush_metadata_cache()");
        // As the column is now, or Trino says what it cannot compare.
        assertThat(outcome(trino.runner().getDefaultSession(), sql)).doesNotContain("was altered");
    }

    /** Columns that the change does not depend on may change. */
    @Test
    void testPushedChangesOfOtherColumns()
    {
        mysql.execute("DROP TABLE IF EXISTS test.t", "CREATE TABLE test.t (k INT PRIMARY KEY, c INT, d INT)", "INSERT INTO test.t VALUES (1, 1, 1), (2, 2, 2)");
        trino.execute("CALL system.flush_metadata_cache()");
        trino.execute("DESCRIBE t");
        mysql.execute("ALTER TABLE test.t MODIFY c BIGINT, MODIFY d VARCHAR(10)");
        assertThat(trino.execute("UPDATE t SET c = 5 WHERE k = 1").getUpdateCount()).hasValue(1);
        assertThat(trino.execute("DELETE FROM t WHERE c = 2").getUpdateCount()).hasValue(1);
        assertThat(mysql.values("SELECT CONCAT_WS(' ', k, c, d) FROM test.t")).containsExactly("1 5 1");
    }

    /** SQL of a user is prepared for its columns, and runs later. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {"SELECT q.c|''", "SELECT q.k| WHERE q.c = 1"})
    void testSqlOfUsers(String select, String where)
            throws Exception
    {
        createCounted("BIGINT", "1");
        mysql.execute("DROP TABLE IF EXISTS test.build", "CREATE TABLE test.build (k INT PRIMARY KEY)", "INSERT INTO test.build VALUES (1)");
        Session session = Session.builder(fresh(ImmutableMap.of("snapshot_mode", "NONE"))).setSystemProperty("join_reordering_strategy", "NONE").build();
        String sql = select + " FROM TABLE(fresh.system.query('SELECT k, c FROM test.t')) q JOIN build ON build.k = q.k" + where;
        assertThat(trino.execute(session, sql).getOnlyValue()).hasToString("1");
        assertAlteredMeanwhile("build", "SELECT `k` FROM", () -> trino.execute(session, sql), "ALTER TABLE test.t MODIFY c DOUBLE", "UPDATE test.t SET c = 1.75");
    }

    private void createCounted(String type, String value)
    {
        mysql.execute("DROP TABLE IF EXISTS test.t", "CREATE TABLE test.t (k INT PRIMARY KEY, c %s)".formatted(type), "INSERT INTO test.t VALUES (1, %s), (2, %1$s)".formatted(value));
    }

    private Session fresh(Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(trino.runner().getDefaultSession()).setCatalog("fresh");
        properties.forEach((name, value) -> session.setCatalogSessionProperty("fresh", name, value));
        return session.build();
    }

    private Connection connect()
            throws SQLException
    {
        Properties properties = new Properties();
        properties.setProperty("user", "root");
        properties.setProperty("useInformationSchema", "true");
        properties.setProperty("characterSetResults", "UTF-8");
        properties.setProperty("connectionTimeZone", "UTC");
        properties.setProperty("forceConnectionTimeZoneToSession", "true");
        properties.setProperty("tinyInt1isBit", "false");
        return DriverManager.getConnection(mysql.jdbcUrl() + "?sslMode=DISABLED", properties);
    }

    private static List<MappedColumn> plan(Connection connection, String table)
            throws SQLException
    {
        ImmutableList.Builder<MappedColumn> columns = ImmutableList.builder();
        try (ResultSet rows = connection.getMetaData().getColumns("test", null, table, null)) {
            while (rows.next()) {
                JdbcTypeHandle type = new JdbcTypeHandle(
                        rows.getInt("DATA_TYPE"),
                        Optional.of(rows.getString("TYPE_NAME")),
                        Optional.ofNullable(rows.getObject("COLUMN_SIZE", Integer.class)),
                        Optional.ofNullable(rows.getObject("DECIMAL_DIGITS", Integer.class)),
                        Optional.empty(),
                        Optional.empty());
                ColumnMapping mapping = MysqlTypes.columnMapping(session(), type, JsonType.JSON).orElseThrow(() -> new AssertionError("No mapping of " + type));
                columns.add(new MappedColumn(rows.getString("COLUMN_NAME"), type, mapping));
            }
        }
        return columns.build();
    }

    private static ConnectorSession session()
    {
        List<PropertyMetadata<?>> properties = new TypeSessionProperties(new TypeConfig()).getSessionProperties();
        return TestingConnectorSession.builder().setPropertyMetadata(properties).setPropertyValues(ImmutableMap.of("extended_types", true)).build();
    }

    private static String read(Connection connection, int column, MappedColumn planned, boolean packets)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement("SELECT c%d FROM test.pairs".formatted(column))) {
            statement.unwrap(JdbcStatement.class).enableStreamingResults();
            RowPages pages = RowPages.of(statement.executeQuery(), ImmutableList.of(planned), packets);
            Page page = pages.next();
            assertThat(page.getPositionCount()).isEqualTo(1);
            return String.valueOf(planned.mapping().getType().getObjectValue(page.getBlock(0), 0));
        }
    }

    // As far as types show one value otherwise: a single bit, members of a SET, digits, and spaces at the end.
    private static String normal(String shown)
    {
        if (shown.equals("true")) {
            return "1";
        }
        if (shown.startsWith("[")) {
            return shown.substring(1, shown.length() - 1).replace(", ", ",");
        }
        try {
            return new BigDecimal(shown).stripTrailingZeros().toPlainString();
        }
        catch (NumberFormatException _) {
            return shown.stripTrailing().replaceFirst("(:\\d\\d(\\.\\d*[1-9])?)(\\.?0+)( UTC)?$", "$1$4");
        }
    }
}
