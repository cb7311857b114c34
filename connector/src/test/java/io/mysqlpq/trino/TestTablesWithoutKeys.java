package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Sql;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_INVALID_DATE;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NATIVE_SCAN_FAILED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads tables without any key that could be a primary one, by the ids that InnoDB gives their rows. */
@TestInstance(PER_CLASS)
class TestTablesWithoutKeys
{
    private static final int ROWS = 20_000;
    private static final String BY_ROW_IDS = "read=[ranges of row ids from EXTENSION, natively]";
    private static final Map<String, String> BY_SQL = ImmutableMap.of("native_scan_enabled", "false");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.rows_ (n BIGINT, v INT, s VARCHAR(200), d DATE, t TEXT, KEY by_v (v))",
                """
                INSERT INTO test.rows_ WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %s)
                SELECT i, NULLIF(i %% 500, 7), REPEAT(CHAR(97 + i %% 26), i %% 190), DATE'2000-01-01' + INTERVAL i DAY, IF(i %% 100 = 0, REPEAT('t', 20000), NULL) FROM s""".formatted(ROWS - 1),
                // The same row again and again.
                "CREATE TABLE test.alike (v INT)",
                "INSERT INTO test.alike SELECT 1 FROM test.rows_",
                "ANALYZE TABLE test.rows_, test.alike");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of(
                "range-source", "EXTENSION",
                "target-rows-per-split", "1000",
                "connection-wait-timeout", "3s"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT * FROM rows_", "SELECT n, d FROM rows_", "SELECT t FROM rows_ WHERE t IS NOT NULL", "SELECT n FROM rows_ WHERE s > 'x' OR v IS NULL", "SELECT n FROM rows_ WHERE d < DATE '2010-01-01' AND n % 2 = 0",
            "SELECT 1 FROM alike WHERE rand() < 2", "SELECT * FROM alike", "SELECT count(*), sum(n), count(DISTINCT s), min(d) FROM rows_", "SELECT s, count(*) FROM rows_ GROUP BY s"})
    void testEachRowOnce(String sql)
    {
        assertThat(plan(ImmutableMap.of(), sql)).contains(BY_ROW_IDS);
        assertThat(plan(BY_SQL, sql)).doesNotContain("row ids");
        assertNative(assertSame(sql), 10);
    }

    // A join tells the scan what it needs.
    @Test
    void testDynamicFilter()
    {
        String sql = "SELECT n, s FROM rows_ JOIN (SELECT r_regionkey * 1000 + 5 AS k FROM tpch.tiny.region) ON n = k";
        MaterializedResultWithPlan result = assertSame(sql);
        assertThat(result.result().getRowCount()).isEqualTo(5);
        assertNative(result, 10);
        assertThat(trino.count(result.queryId(), ROWS_READ)).isEqualTo(5);
    }

    @Test
    void testWhatIsOneSplit()
    {
        assertThat(plan(ImmutableMap.of(), "SELECT n FROM rows_ LIMIT 5")).contains("one split: limit");
        assertThat(plan(ImmutableMap.of(), "SELECT n FROM rows_ ORDER BY n LIMIT 5")).contains("one split: limit");
        assertThat(plan(ImmutableMap.of(), "SELECT n FROM rows_ WHERE v = 3")).contains("one split: selective index by_v");
        assertThat(plan(ImmutableMap.of("parallel_reads_enabled", "false"), "SELECT * FROM alike")).contains("one split: parallel reads off");
        assertThat(plan(ImmutableMap.of("range_source", "SQL"), "SELECT * FROM alike")).contains("one split: no primary key");
        assertThat(plan(ImmutableMap.of("snapshot_mode", "NONE"), "SELECT * FROM alike")).contains("one split: no primary key");
        assertThat(plan(ImmutableMap.of("snapshot_mode", "PER_SCAN"), "SELECT * FROM alike")).contains("one split: snapshot per scan");
        assertThat(plan(ImmutableMap.of("packet_decoding_enabled", "false"), "SELECT * FROM alike")).contains("one split: no primary key");
        assertThat(plan(BY_SQL, "SELECT * FROM alike")).contains("one split: no primary key");
        for (Map<String, String> properties : List.of(BY_SQL, ImmutableMap.of("range_source", "SQL"), ImmutableMap.of("snapshot_mode", "NONE"), ImmutableMap.of("snapshot_mode", "PER_SCAN"))) {
            assertOneSplit(properties, "SELECT * FROM alike");
        }
    }

    // Without native scans it has no ranges.
    @Test
    void testAggregationInMysql()
    {
        String sql = "SELECT v, count(*) FROM alike GROUP BY v";
        assertThat(plan(BY_SQL, sql)).contains("one split: pushed query");
        assertThat(trino.execute(trino.session(BY_SQL), sql).getMaterializedRows().getFirst().getFields()).containsExactly(1, (long) ROWS);
    }

    // What the extension does not read, or not whatever a row holds, is one split as before.
    @Test
    void testWhatTheExtensionRefuses()
    {
        mysql.execute(
                """
                CREATE TABLE test.others (n INT, virt INT AS (n + 1) VIRTUAL, fixed FLOAT(7, 3), few SET ('a', 'b'), doc JSON, large LONGTEXT, y YEAR,
                    t1 TEXT CHARACTER SET latin1, t2 TEXT CHARACTER SET latin1, t3 TEXT CHARACTER SET latin1, t4 TEXT CHARACTER SET latin1, t5 TEXT CHARACTER SET latin1)""",
                "INSERT INTO test.others (n, fixed, few, doc, large, y, t1, t5) SELECT n, n / 3, 'a', '[1]', REPEAT('x', IF(n = 777, 3000000, 5)), IF(n = 5, 0, 2024), 'a', 'b' FROM test.rows_",
                "CREATE TABLE test.compressed (n INT, s VARCHAR(300)) ROW_FORMAT = COMPRESSED",
                "INSERT INTO test.compressed SELECT n, s FROM test.rows_",
                "ANALYZE TABLE test.others, test.compressed");
        for (String sql : List.of("SELECT virt FROM others", "SELECT n, fixed FROM others", "SELECT doc FROM others", "SELECT large FROM others", "SELECT n FROM others WHERE large > 'xy'", "SELECT y FROM others",
                "SELECT t1, t2, t3, t4, t5 FROM others", "SELECT s FROM compressed", "SELECT n FROM others WHERE t1 LIKE 'a%'", "SELECT * FROM others")) {
            assertOneSplit(ImmutableMap.of(), sql);
        }
        for (String sql : List.of("SELECT n FROM others", "SELECT few FROM others", "SELECT n, t1, t2, t3 FROM others", "SELECT n FROM compressed")) {
            assertNative(assertSame(sql), 3);
        }
        // Otherwise one split would read the whole table.
        assertThat(trino.execute("SELECT count(*) FROM others TABLESAMPLE SYSTEM (50)").getOnlyValue()).isNotIn(0L, (long) ROWS);
    }

    @Test
    void testInvalidDates()
    {
        mysql.execute(
                "CREATE TABLE test.zero (n INT, d DATE, h TIME)",
                "SET SESSION sql_mode = ''",
                "INSERT INTO test.zero SELECT n, IF(n = 15000, '0000-00-00', '2024-02-29'), IF(n = 300, '25:00:00', '01:00:00') FROM test.rows_",
                "ANALYZE TABLE test.zero");
        assertTrinoExceptionThrownBy(() -> trino.execute("SELECT n, d FROM zero")).hasErrorCode(MYSQL_PQ_INVALID_DATE).hasMessageContaining("Column d");
        assertTrinoExceptionThrownBy(() -> trino.execute("SELECT n, h FROM zero")).hasErrorCode(MYSQL_PQ_NATIVE_SCAN_FAILED).hasMessageContaining("column h").hasMessageContaining("test.zero").hasMessageContaining("native_scan_enabled to false");
        Map<String, String> nulls = ImmutableMap.of("invalid_date_handling", "NULL");
        assertThat(trino.execute(trino.session(nulls), "SELECT count(*), count(d) FROM zero").getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, ROWS - 1L);
        assertThat(plan(nulls, "SELECT n, d FROM zero")).contains("one split: no primary key");
    }

    // Row ids are no column that a grant of columns could cover.
    @Test
    void testColumnGrants()
            throws Exception
    {
        mysql.execute("CREATE USER columns_ IDENTIFIED BY 'secret'", "GRANT SELECT (v) ON test.alike TO columns_");
        try (TestingTrino restricted = new TestingTrino(ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true",
                "connection-user", "columns_",
                "connection-password", "secret",
                "target-rows-per-split", "1000"))) {
            MaterializedResultWithPlan result = restricted.executeWithPlan(restricted.session(ImmutableMap.of()), "SELECT sum(v) FROM alike");
            assertThat(result.result().getOnlyValue()).isEqualTo((long) ROWS);
            assertThat(restricted.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
            assertThat(restricted.count(result.queryId(), ROWS_READ)).as("summed by MySQL").isEqualTo(1);
        }
    }

    // By the driver, which knows nothing of batches.
    @Test
    void testDriverThatCannotBeReadPast()
            throws Exception
    {
        try (TestingTrino padding = new TestingTrino(ImmutableMap.of(
                "connection-url", mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&padCharsWithSpace=true",
                "connection-user", "root",
                "target-rows-per-split", "1000"))) {
            MaterializedResultWithPlan result = padding.executeWithPlan(padding.session(ImmutableMap.of()), "SELECT sum(v) FROM alike");
            assertThat(result.result().getOnlyValue()).isEqualTo((long) ROWS);
            assertThat(padding.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
            assertThat(padding.count(result.queryId(), ROWS_READ)).as("summed by MySQL").isEqualTo(1);
        }
    }

    @Test
    void testPartitions()
    {
        mysql.execute(
                """
                CREATE TABLE test.parts (k INT, v INT, s VARCHAR(200)) PARTITION BY RANGE (k) SUBPARTITION BY HASH (v) SUBPARTITIONS 2 (
                PARTITION large VALUES LESS THAN (15000), PARTITION a VALUES LESS THAN (15300), PARTITION b VALUES LESS THAN (15600), PARTITION c VALUES LESS THAN MAXVALUE)""",
                "INSERT INTO test.parts SELECT n, n, s FROM test.rows_",
                "CREATE TABLE test.small_parts (k INT) PARTITION BY HASH (k) PARTITIONS 9",
                "INSERT INTO test.small_parts SELECT n FROM test.rows_ WHERE n < 90",
                "ANALYZE TABLE test.parts, test.small_parts");
        assertNative(assertSame("SELECT * FROM parts"), 10);
        assertThat(plan(ImmutableMap.of(), "SELECT v FROM parts WHERE k >= 15100")).contains("ranges of row ids from EXTENSION in 6 partitions, natively");
        MaterializedResultWithPlan pruned = assertSame("SELECT v FROM parts WHERE k >= 15100");
        assertThat(pruned.result().getRowCount()).isEqualTo(4900);
        assertNative(pruned, 4);
        assertOneSplit(ImmutableMap.of(), "SELECT * FROM small_parts");
        // More partitions than there may be ranges.
        assertOneSplit(ImmutableMap.of("max_ranges_per_scan", "5"), "SELECT * FROM parts");
    }

    // Each row is in one range, and all ranges are of one moment, whatever comes, changes and goes.
    @Test
    void testUnderWriters()
    {
        mysql.execute("CREATE TABLE test.accounts (id INT, amount INT, filler VARCHAR(300))", "INSERT INTO test.accounts SELECT n, 100, '' FROM test.rows_", "ANALYZE TABLE test.accounts");
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Void> writer = Background.run(() -> {
            for (int i = 0; !stopped.get(); i++) {
                mysql.execute(
                        // Its rows come back as new ones, with other ids.
                        "BEGIN", "INSERT INTO test.accounts SELECT id, amount + 1, REPEAT('x', %d) FROM test.accounts WHERE id %% 40 = %d".formatted(i % 300, i % 40),
                        "DELETE FROM test.accounts WHERE id %% 40 = %d ORDER BY amount LIMIT %d".formatted(i % 40, ROWS / 40),
                        "UPDATE test.accounts SET amount = amount - 1 WHERE id %% 40 = %d".formatted(i % 40), "COMMIT");
            }
        });
        try {
            for (int round = 0; round < 10; round++) {
                MaterializedResultWithPlan result = trino.executeWithPlan(trino.runner().getDefaultSession(), "SELECT count(*), count(DISTINCT id), sum(amount) FROM (SELECT id, amount FROM accounts WHERE rand() < 2)");
                assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, (long) ROWS, 100L * ROWS);
                assertNative(result, 5);
            }
        }
        finally {
            stopped.set(true);
            writer.join();
        }
    }

    // Each range with the same probability.
    @Test
    void testSample()
    {
        assertThat(plan(ImmutableMap.of(), "SELECT n FROM rows_ TABLESAMPLE SYSTEM (50)")).contains("sample 0.5 of ranges of row ids");
        long[] counts = IntStream.range(0, 10).mapToLong(_ -> (long) trino.execute("SELECT count(n) FROM rows_ TABLESAMPLE SYSTEM (50)").getOnlyValue()).toArray();
        assertThat(Arrays.stream(counts).average().orElseThrow()).isBetween(ROWS * 0.35, ROWS * 0.65);
        assertThat(counts).doesNotContain(0, ROWS);
    }

    // MySQL alone changes rows that nobody else can name.
    @Test
    void testChanges()
    {
        mysql.execute("CREATE TABLE test.changed AS SELECT n, v FROM test.rows_", "ANALYZE TABLE test.changed");
        assertThat(trino.execute("DELETE FROM changed WHERE n < 100").getUpdateCount()).hasValue(100);
        assertThat(trino.execute("UPDATE changed SET v = 5 WHERE n < 200").getUpdateCount()).hasValue(100);
        assertThatThrownBy(() -> trino.execute("DELETE FROM changed WHERE v * 2 = n")).hasMessageContaining("primary key");
        assertNative(assertSame("SELECT n, v FROM changed"), 5);
    }

    // Memory that other scans have used up is waited for.
    @Test
    void testMemoryThatComesBack()
            throws Exception
    {
        long refused = refused();
        CompletableFuture<MaterializedResultWithPlan> query = startWithoutMemory();
        Await.until("ranges are refused", () -> refused() > refused + 1);
        mysql.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
        MaterializedResultWithPlan result = query.get();
        assertThat(result.result().getOnlyValue()).isEqualTo((long) ROWS);
        assertNative(result, 10);
    }

    // Nothing else can read a range that the extension does not.
    @Test
    void testMemoryThatDoesNot()
            throws Exception
    {
        CompletableFuture<MaterializedResultWithPlan> query = startWithoutMemory();
        try {
            assertThatThrownBy(query::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining("The extension could not read a range of table test.alike")
                    .hasMessageContaining("memory_limit")
                    .hasMessageContaining("native_scan_enabled to false");
            MaterializedResultWithPlan planned = assertSame("SELECT * FROM alike");
            assertThat(trino.count(planned.queryId(), SPLITS_READ)).isEqualTo(1);
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
        }
    }

    // The memory goes after the query was planned, and before a range of it may be read.
    private CompletableFuture<MaterializedResultWithPlan> startWithoutMemory()
            throws SQLException
    {
        try (Connection donor = mysql.connect(); Connection reader = mysql.connect()) {
            mysql.execute("SET GLOBAL mysql_pq_max_scans = 1");
            Sql.execute(donor, "START TRANSACTION READ ONLY");
            String token = Sql.value(donor, "SELECT JSON_UNQUOTE(JSON_EXTRACT(mysql_pq_snapshot_export(), '$.token'))");
            Sql.execute(reader, "START TRANSACTION READ ONLY");
            Sql.value(reader, "SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            long refused = mysql.status("mysql_pq_scans_refused");
            CompletableFuture<MaterializedResultWithPlan> query = Background.supply(() -> trino.executeWithPlan(trino.session(ImmutableMap.of("aggregation_pushdown_enabled", "false")), "SELECT sum(v) FROM alike"));
            // Planning asks a few times. Readers ask again and again.
            Await.until("ranges wait to be read", () -> mysql.status("mysql_pq_scans_refused") > refused + 20);
            mysql.execute("SET GLOBAL mysql_pq_memory_limit = 1000");
            return query;
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_max_scans = DEFAULT");
        }
    }

    private long refused()
    {
        return mysql.status("mysql_pq_refused");
    }

    private void assertNative(MaterializedResultWithPlan result, int leastSplits)
    {
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isGreaterThanOrEqualTo(leastSplits);
        assertThat(trino.count(result.queryId(), READ_NATIVELY)).isEqualTo(trino.count(result.queryId(), SPLITS_READ));
    }

    private void assertOneSplit(Map<String, String> properties, String sql)
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(properties), sql);
        assertThat(texts(result.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        assertThat(trino.count(result.queryId(), SPLITS_READ)).as(sql).isEqualTo(1);
        assertThat(trino.count(result.queryId(), READ_NATIVELY)).as(sql).isZero();
        assertThat(trino.readMetrics(result.queryId()).keySet()).noneMatch(metric -> metric.startsWith(NATIVE_REFUSED));
    }

    private MaterializedResultWithPlan assertSame(String sql)
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.runner().getDefaultSession(), sql);
        assertThat(texts(result.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        return result;
    }

    private static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(row -> Arrays.deepToString(row.getFields().toArray())).sorted().toList();
    }

    private String plan(Map<String, String> properties, String sql)
    {
        return (String) trino.execute(trino.session(properties), "EXPLAIN " + sql).getOnlyValue();
    }
}
