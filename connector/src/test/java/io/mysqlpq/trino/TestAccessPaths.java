package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.util.concurrent.Executors.newSingleThreadExecutor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads by the index that MySQL itself would use, and counts the rows that MySQL looks at. */
@TestInstance(PER_CLASS)
class TestAccessPaths
{
    private static final int ROWS = 20_000;
    private static final Map<String, String> ONE_SPLIT = ImmutableMap.of("parallel_reads_enabled", "false");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        ExaminedRows.startCounting(mysql);
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY)",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n FROM s".formatted(ROWS),
                // Rows of one day or state are spread over the whole table. A third of all days is NULL.
                """
                CREATE TABLE test.events (
                    id BIGINT PRIMARY KEY, code VARCHAR(20) NOT NULL, day DATE, state VARCHAR(10) NOT NULL, amount INT, body VARCHAR(400) NOT NULL, head VARCHAR(100) NOT NULL,
                    UNIQUE KEY by_code (code), KEY by_day (day), KEY by_state (state, amount DESC), KEY by_head (head(4)), KEY hidden (amount) INVISIBLE, KEY by_sum ((amount + id)))""",
                """
                INSERT INTO test.events
                SELECT n, CONCAT('c', n), IF(n % 3 = 0, NULL, DATE'2026-01-01' + INTERVAL n % 100 DAY), IF(n % 50 = 0, 'rare', IF(n % 8 = 0, 'common', CONCAT('s', n % 7))), IF(n % 11 = 0, NULL, n * 7 % 1000),
                    REPEAT(SHA2(n, 256), 6), CONCAT(CHAR(97 + n % 26), SHA2(n, 256)) FROM test.numbers""",
                "ANALYZE TABLE test.events");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of(
                // What MySQL does as a whole is one split.
                "aggregation-pushdown.enabled", "false",
                // MySQL counts no rows that the extension reads.
                "native-scan-enabled", "false",
                "target-rows-per-split", "500"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    // By the primary key each of 40 ranges would look at its part of all rows.
    @Test
    void testSelectiveIndexIsOneSplit()
            throws Exception
    {
        String sql = "SELECT id, body FROM events WHERE day = DATE '2026-02-01'";
        assertThat(explain(sql)).contains("read=[one split: selective index by_day]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isBetween(100, 200);
        assertThat(splits(result)).isEqualTo(1);
        assertThat(examined(result)).isEqualTo(result.result().getRowCount());
    }

    @Test
    void testSelectiveIndexOfText()
            throws Exception
    {
        String sql = "SELECT id, body FROM events WHERE state = 'rare'";
        assertThat(explain(sql)).contains("read=[one split: selective index by_state]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isEqualTo(ROWS / 50);
        assertThat(examined(result)).isEqualTo(ROWS / 50);
    }

    // Ranges of the primary key would hold what is between the keys too, which a native scan looks at row by row.
    @Test
    void testFewKeysOfThePrimaryKeyAreOneSplit()
            throws Exception
    {
        mysql.execute("CREATE TABLE test.lines AS SELECT n div 4 AS id, n % 4 AS part, n % 10 AS amount FROM test.numbers", "ALTER TABLE test.lines ADD PRIMARY KEY (id, part)", "ANALYZE TABLE test.lines");
        String sql = "SELECT part, amount FROM lines WHERE id IN (1, 700, 4000) OR id BETWEEN 4100 AND 4102";
        assertThat(explain(sql)).contains("read=[one split: selective index PRIMARY]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isEqualTo(24);
        assertThat(splits(result)).isEqualTo(1);
        assertThat(examined(result, "lines")).isEqualTo(24);

        Session natively = trino.session(ImmutableMap.of("native_scan_enabled", "true"));
        assertThat(splits(trino.executeWithPlan(natively, sql))).isEqualTo(1);
        // Half of the table: MySQL would read more by SQL than a native scan costs.
        String many = "SELECT part, amount FROM lines WHERE id < 1000 OR id > 4000";
        assertThat(explain(many)).contains("read=[ranges of index PRIMARY from EXTENSION]");
        assertSameAsOneSplit(many);
        // A range without gaps is cut, whatever its length.
        assertThat(explain("SELECT part, amount FROM lines WHERE id BETWEEN 4100 AND 4102")).contains("read=[ranges of index PRIMARY from EXTENSION]");
    }

    // MySQL takes a ninth of the index for what a skip scan reads, whatever the range.
    @Test
    void testSkipScan()
            throws Exception
    {
        mysql.execute(
                "CREATE TABLE test.pairs (a BIGINT, b BIGINT, filler VARCHAR(200) NOT NULL, PRIMARY KEY (a, b), KEY by_b (b))",
                "INSERT INTO test.pairs SELECT n div 4, n % 4, REPEAT('x', 200) FROM test.numbers",
                "ANALYZE TABLE test.pairs");
        String sql = "SELECT a, b FROM pairs WHERE a BETWEEN 2 AND 4990";
        assertThat(mysql.values("EXPLAIN FORMAT = TREE " + sql.replace("pairs", "test.pairs"))).first().asString().contains("skip scan on pairs using by_b");
        Session session = trino.session(ImmutableMap.of("target_rows_per_split", "4000"));
        assertThat(trino.execute(session, "EXPLAIN " + sql).getOnlyValue().toString()).contains("read=[ranges of index PRIMARY from EXTENSION]");
        MaterializedResultWithPlan result = trino.executeWithPlan(session, sql);
        assertThat(result.result().getRowCount()).isEqualTo(4989 * 4);
        assertThat(splits(result)).isGreaterThan(2);
        assertThat(examined(result, "pairs")).isEqualTo(4989 * 4);
    }

    @Test
    void testUniqueSecondaryIndexIsAPointLookup()
            throws Exception
    {
        String sql = "SELECT id, body FROM events WHERE code = 'c77'";
        assertThat(explain(sql)).contains("read=[one split: point lookup]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isEqualTo(1);
        assertThat(splits(result)).isEqualTo(1);
        assertThat(examined(result)).isLessThanOrEqualTo(1);
    }

    // MySQL finds many rows by the index, so that is what is cut: 2,500 rows and not 20,000.
    @Test
    void testRangesOfTheFiltersIndex()
            throws Exception
    {
        String sql = "SELECT id, body FROM events WHERE day BETWEEN DATE '2026-02-01' AND DATE '2026-02-19'";
        assertThat(explain(sql)).contains("read=[ranges of index by_day from EXTENSION]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isBetween(2_000, 3_000);
        assertThat(splits(result)).isBetween(3L, 12L);
        assertThat(examined(result)).isEqualTo(result.result().getRowCount());
    }

    // Bounds of text are not handed to the extension: the whole index is cut, and most ranges are seen to be empty.
    @Test
    void testRangesOfAFiltersIndexOfText()
            throws Exception
    {
        String sql = "SELECT id, body FROM events WHERE state = 'common'";
        assertThat(explain(sql)).contains("read=[ranges of index by_state from EXTENSION]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isBetween(1_500, 2_500);
        assertThat(splits(result)).isGreaterThan(10);
        assertThat(examined(result)).isEqualTo(result.result().getRowCount());
    }

    @Test
    void testWhatMostRowsMatchIsReadByThePrimaryKey()
    {
        String sql = "SELECT id, body FROM events WHERE day > DATE '2026-01-05'";
        assertThat(explain(sql)).contains("read=[ranges of index PRIMARY from EXTENSION]");
        assertThat(splits(assertSameAsOneSplit(sql))).isGreaterThan(20);
    }

    // MySQL reads an index that holds all columns rather than the rows. NULLs and the ends of the index belong to it too.
    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT day FROM events",
            "SELECT id, day FROM events",
            "SELECT state, amount FROM events",
            "SELECT amount, id FROM events WHERE amount IS NULL OR amount < 300",
            "SELECT count(day), count(*), sum(id) FROM events",
            "SELECT count(*) FROM events",
    })
    void testCoveringIndex(String sql)
    {
        assertThat(explain(sql)).containsPattern("read=\\[ranges of index by_(day|state|code) from EXTENSION]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(splits(result)).isGreaterThan(20);
    }

    // The rows hold what the index does not: its ranges would cost a lookup for each.
    @Test
    void testColumnsThatNoIndexHolds()
    {
        assertThat(explain("SELECT day, amount FROM events")).contains("read=[ranges of index PRIMARY from EXTENSION]");
        assertThat(explain("SELECT * FROM events")).contains("read=[ranges of index PRIMARY from EXTENSION]");
        // The index holds only the beginning of text.
        assertThat(explain("SELECT head FROM events")).contains("read=[ranges of index PRIMARY from EXTENSION]");
        assertThat(explain("SELECT amount + id FROM events WHERE amount = 5")).doesNotContain("hidden", "by_sum");
    }

    @Test
    void testNulls()
    {
        assertSameAsOneSplit("SELECT id, body FROM events WHERE day IS NULL");
        assertSameAsOneSplit("SELECT id, body FROM events WHERE day IS NULL OR day = DATE '2026-02-01'");
        assertSameAsOneSplit("SELECT id FROM events WHERE day IS NULL");
        assertSameAsOneSplit("SELECT id FROM events WHERE state = 's1' AND amount IS NULL");
        assertSameAsOneSplit("SELECT id, body FROM events WHERE state = 's1' AND amount IS NULL");
    }

    // A dynamic filter narrows by another index than the join's table would be read by alone.
    @Test
    void testDynamicFilterChoosesTheIndex()
    {
        mysql.execute("CREATE TABLE test.days (d DATE PRIMARY KEY)", "INSERT INTO test.days VALUES (DATE'2026-02-01'), (DATE'2026-02-02')", "ANALYZE TABLE test.days");
        // MySQL would join in one thread, so it is not asked to.
        Session session = trino.session(ImmutableMap.of("dynamic_filtering_wait_timeout", "1m"));
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT id, body FROM events JOIN days ON day = d");
        assertThat(result.result().getRowCount()).isBetween(200, 400);
        assertThat(splits(result)).isEqualTo(2);
    }

    @Test
    void testEachRowOnceWhileOthersComeAndGo()
            throws Exception
    {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicInteger writes = new AtomicInteger();
        try (ExecutorService executor = newSingleThreadExecutor()) {
            Future<?> writer = executor.submit(() -> write(stopped, writes));
            try {
                for (int round = 0; !writer.isDone() && (round < 5 || writes.get() < 5); round++) {
                    for (String index : new String[] {"day", "state"}) {
                        assertThat(trino.execute("SELECT count(id), count(DISTINCT id), sum(id) FROM (SELECT id, %s FROM events WHERE id <= %s)".formatted(index, ROWS)).getMaterializedRows().getFirst().getFields())
                                .containsExactly((long) ROWS, (long) ROWS, ROWS * (ROWS + 1L) / 2);
                    }
                }
            }
            finally {
                stopped.set(true);
            }
            writer.get();
        }
        assertThat(writes.get()).isGreaterThanOrEqualTo(5);
    }

    // Moves the stable rows about in both indexes, and others in and out.
    private void write(AtomicBoolean stopped, AtomicInteger writes)
    {
        while (!stopped.get()) {
            mysql.execute(
                    "INSERT INTO test.events SELECT id + 1000000, CONCAT('x', id), day, state, amount, body, head FROM test.events WHERE id <= %s AND id %% 10 = %s".formatted(ROWS, writes.get() % 10),
                    "UPDATE test.events SET day = day + INTERVAL 1 DAY, amount = amount + 1 WHERE id %% 10 = %s".formatted(writes.get() % 10),
                    "UPDATE test.events SET day = day - INTERVAL 1 DAY, amount = amount - 1 WHERE id %% 10 = %s".formatted(writes.get() % 10),
                    "DELETE FROM test.events WHERE id > " + ROWS);
            writes.incrementAndGet();
        }
    }

    @Test
    void testUniqueKeyInsteadOfAPrimaryKey()
    {
        mysql.execute(
                "CREATE TABLE test.unique_key (v INT, a INT NOT NULL, b VARCHAR(20) NOT NULL, c INT, UNIQUE KEY z (c), UNIQUE KEY y (a, b(8)), UNIQUE KEY by_ab (a DESC, b), KEY by_c (c))",
                "INSERT INTO test.unique_key SELECT n, n %% 100, CONCAT(n, 'x'), NULLIF(n, 5) FROM test.numbers".replace("%%", "%"),
                "ANALYZE TABLE test.unique_key");
        assertThat(explain("SELECT * FROM unique_key")).contains("read=[ranges of index by_ab from EXTENSION]");
        assertThat(splits(assertSameAsOneSplit("SELECT * FROM unique_key"))).isGreaterThan(20);
        assertThat(splits(assertSameAsOneSplit("SELECT v, b FROM unique_key WHERE a BETWEEN 20 AND 59"))).isGreaterThan(10);
        assertThat(explain("SELECT v FROM unique_key WHERE a = 5 AND b = '5x'")).contains("read=[one split: point lookup]");
        assertSameAsOneSplit("SELECT v FROM unique_key WHERE c IS NULL");
    }

    // InnoDB numbers the rows itself. Those with equal keys, NULL too, cannot be told apart.
    @Test
    void testRowsWithoutOrder()
            throws Exception
    {
        mysql.execute(
                "CREATE TABLE test.loose (a INT, b VARCHAR(20), v INT NOT NULL, flag BOOLEAN, KEY by_flag (flag), KEY by_ab (a, b))",
                "INSERT INTO test.loose SELECT NULLIF(n % 700, 13), NULLIF(CONCAT('x', n % 3), 'x1'), n, n % 2 FROM test.numbers",
                "CREATE TABLE test.two_keys (v INT NOT NULL, flag BOOLEAN, KEY by_flag (flag))",
                "INSERT INTO test.two_keys SELECT n, n % 2 FROM test.numbers",
                // More than a quarter of the 128 MB that the server keeps in memory.
                "CREATE TABLE test.wide (a INT, body VARCHAR(4000), KEY by_a (a))",
                "INSERT INTO test.wide SELECT n, REPEAT('x', 3000) FROM test.numbers",
                "ANALYZE TABLE test.loose, test.two_keys, test.wide");
        assertThat(explain("SELECT * FROM loose")).contains("read=[ranges of index by_ab from EXTENSION]");
        assertThat(splits(assertSameAsOneSplit("SELECT * FROM loose"))).isGreaterThan(20);
        assertThat(splits(assertSameAsOneSplit("SELECT v FROM loose WHERE a BETWEEN 100 AND 150"))).isGreaterThan(1);
        assertSameAsOneSplit("SELECT * FROM loose WHERE a IS NULL");
        assertSameAsOneSplit("SELECT v FROM loose WHERE a > 690 OR a IS NULL");
        assertThat(splits(assertSameAsOneSplit("SELECT * FROM two_keys"))).isEqualTo(1);
        assertThat(explain("SELECT * FROM wide")).contains("read=[one split: no primary key]");
        assertThat(explain("SELECT a FROM wide")).contains("read=[ranges of index by_a from EXTENSION]");
        MaterializedResultWithPlan covering = assertSameAsOneSplit("SELECT a FROM wide");
        assertThat(splits(covering)).isGreaterThan(20);
        assertThat(examined(covering, "wide")).isEqualTo(ROWS);
    }

    @Test
    void testPartitionsThatTheFilterLeaves()
            throws Exception
    {
        mysql.execute(
                """
                CREATE TABLE test.parts (k INT NOT NULL, v INT NOT NULL, w INT, body VARCHAR(400) NOT NULL, PRIMARY KEY (v, k), KEY by_w (w)) PARTITION BY RANGE (k) SUBPARTITION BY HASH (v) SUBPARTITIONS 2 (
                PARTITION a VALUES LESS THAN (5000), PARTITION b_c VALUES LESS THAN (10000), PARTITION `d e` VALUES LESS THAN (15000), PARTITION f VALUES LESS THAN MAXVALUE)""",
                "INSERT INTO test.parts SELECT n - 1, n * 7 % 1000, IF(n % 4 = 0, NULL, n % 100), REPEAT(SHA2(n, 256), 6) FROM test.numbers",
                "ANALYZE TABLE test.parts");
        String sql = "SELECT * FROM parts WHERE k BETWEEN 5000 AND 14999";
        assertThat(explain(sql)).contains("read=[ranges of index PRIMARY from EXTENSION in 4 partitions]");
        MaterializedResultWithPlan result = assertSameAsOneSplit(sql);
        assertThat(result.result().getRowCount()).isEqualTo(10_000);
        // Ranges of all partitions would be twice as many.
        assertThat(splits(result)).isBetween(12L, 28L);
        assertThat(examined(result, "parts")).isEqualTo(10_000);
        assertSameAsOneSplit("SELECT * FROM parts WHERE k > 17000");
        assertSameAsOneSplit("SELECT v, w FROM parts");
        assertSameAsOneSplit("SELECT * FROM parts WHERE w = 7 AND k < 12000");
        assertSameAsOneSplit("SELECT * FROM parts WHERE w IN (7, 8, 9, 10, 11, 12, 13) AND k < 12000");
    }

    private MaterializedResultWithPlan assertSameAsOneSplit(String sql)
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.runner().getDefaultSession(), sql);
        assertEqualsIgnoreOrder(result.result(), trino.execute(trino.session(ONE_SPLIT), sql), sql);
        return result;
    }

    private long splits(MaterializedResultWithPlan result)
    {
        return trino.count(result.queryId(), SPLITS_READ);
    }

    private long examined(MaterializedResultWithPlan result)
            throws Exception
    {
        return examined(result, "events");
    }

    private long examined(MaterializedResultWithPlan result, String table)
            throws Exception
    {
        return ExaminedRows.of(mysql, result.queryId(), table);
    }

    private String explain(String sql)
    {
        return trino.execute("EXPLAIN " + sql).getOnlyValue().toString();
    }
}
