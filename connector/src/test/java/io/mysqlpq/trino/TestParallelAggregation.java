package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.mysqlpq.trino.metrics.ReadMetrics.RANGES_MERGED;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Merges what MySQL computes of ranges, and compares it with what MySQL computes of the whole, and Trino. */
@TestInstance(PER_CLASS)
class TestParallelAggregation
{
    private static final Map<String, String> IN_TRINO = ImmutableMap.of("aggregation_pushdown_enabled", "false");
    private static final Map<String, String> AS_ONE_STATEMENT = ImmutableMap.of("aggregation_parallelism", "1");
    private static final Map<String, String> FEW_GROUPS = ImmutableMap.of("aggregation_max_groups", "700");
    // How many values columns have is known only where a test lets it be.
    private static final Map<String, String> CATALOG_PROPERTIES = ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "400", "native-scan-enabled", "false", "statistics.sampled-rows", "0");
    private static final Map<String, String> BY_RANGES = ImmutableMap.of("aggregation_parallelism", "4");
    private static final int ROWS = 6_000;
    private static final int ROWS_PER_INSERT = 1_000;
    private static final long GREATEST = Long.MAX_VALUE;

    private final Random random = Seed.random();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test", """
                CREATE TABLE test.t (
                    n INT PRIMARY KEY, g SMALLINT, h DATE, z DOUBLE, b BIGINT, d2 DECIMAL(12,2), d0 DECIMAL(18,0), d38 DECIMAL(38,10), x DOUBLE, day DATE, moment DATETIME(6), instant TIMESTAMP(6) NULL, clock TIME(6), bytes VARBINARY(8), bu BIGINT UNSIGNED, i INT, name VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, code CHAR(3))""",
                "CREATE TABLE test.nothing LIKE test.t",
                "CREATE TABLE test.p LIKE test.t",
                "ALTER TABLE test.p PARTITION BY RANGE (n) (PARTITION p0 VALUES LESS THAN (2500), PARTITION p1 VALUES LESS THAN (2501), PARTITION p2 VALUES LESS THAN MAXVALUE)");
        for (int first = 0; first < ROWS; first += ROWS_PER_INSERT) {
            mysql.execute("INSERT INTO test.t VALUES " + IntStream.range(first, first + ROWS_PER_INSERT).mapToObj(this::row).collect(joining(", ")));
        }
        // The number of groups is estimated by statistics, which InnoDB renews some seconds later by itself.
        mysql.execute("INSERT INTO test.p SELECT * FROM test.t", "ANALYZE TABLE test.t");
        trino = TestingTrino.oneNode(mysql, CATALOG_PROPERTIES);
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    private String row(int n)
    {
        return IntStream.range(0, 17).mapToObj(column -> random.nextInt(9) == 0 ? "NULL" : switch (column) {
            case 0 -> "" + random.nextInt(-5, 5);
            case 1 -> "'2024-01-%02d'".formatted(1 + random.nextInt(5));
            case 2 -> List.of("0e0", "-0e0", "1.5").get(random.nextInt(3));
            // Sums that overflow, and averages of all sizes.
            case 3 -> "" + (random.nextInt(4) == 0 ? random.nextLong(GREATEST / 2) * (random.nextBoolean() ? 1 : -1) : random.nextInt(-5, 5));
            case 4 -> "%d.%02d".formatted(random.nextInt(-9, 9), random.nextInt(100));
            case 5 -> "" + random.nextInt(-3, 4);
            case 6 -> "%d.%010d".formatted(random.nextLong(-GREATEST, GREATEST), random.nextInt(1000));
            // Their sums are exact in any order.
            case 7 -> "" + random.nextInt(-1000, 1000) / 8.0;
            case 8 -> "'%04d-03-04'".formatted(1 + random.nextInt(9999));
            case 9 -> "'2024-03-04 01:02:03.%06d'".formatted(random.nextInt(1_000_000));
            case 10 -> "'2024-10-27 %02d:30:00.%06d'".formatted(random.nextInt(4), random.nextInt(1_000_000));
            case 11 -> "'%02d:00:00.00000%d'".formatted(random.nextInt(24), random.nextInt(9));
            case 12 -> "X'%02x%02x'".formatted(random.nextInt(256), random.nextInt(256));
            case 13 -> Long.toUnsignedString(random.nextLong());
            case 14 -> "" + random.nextInt();
            case 15 -> List.of("'a'", "'A'", "'a '", "'ä'", "''", "'\uD83D\uDE00'", "'\uFF5E'").get(random.nextInt(7));
            // Trino pads them: a tab comes before nothing.
            default -> List.of("'a'", "'a\\t'", "'A'", "''").get(random.nextInt(4));
        }).collect(joining(", ", "(%d, ".formatted(n), ")"));
    }

    @Test
    void testAggregatesOfAllTypes()
    {
        for (String table : List.of("t", "p")) {
            for (List<String> columns : Lists.partition(List.of("g", "b", "d2", "d0", "d38", "x", "clock", "bytes", "bu", "n", "i", "name", "code"), 4)) {
                String aggregates = columns.stream().map(column -> "count(%1$s), min(%1$s), max(%1$s)".formatted(column)).collect(joining(", "));
                assertMerged("SELECT %s FROM %s".formatted(aggregates, table));
                assertSame("SELECT g, h, count(*), %s FROM %s GROUP BY g, h".formatted(aggregates, table));
            }
            String aggregates = Stream.of("d2", "d0", "x", "i", "g").map(column -> "sum(%1$s), avg(%1$s)".formatted(column)).collect(joining(", "));
            assertMerged("SELECT %s FROM %s".formatted(aggregates, table));
            assertMerged("SELECT sum(d38), sum(bu) FROM " + table);
            assertMerged("SELECT min(code), max(name) FROM " + table);
        }
    }

    @Test
    void testFilters()
    {
        assertMerged("SELECT count(*), avg(d2) FROM t WHERE d0 > 0 AND h <> DATE '2024-01-02'");
        assertMerged("SELECT count(*), sum(d2), min(n) FROM t WHERE n BETWEEN 1000 AND 5000");
        assertMerged("SELECT count(*), sum(d2), avg(d2), avg(x), min(n) FROM t WHERE d2 > 100000");
        assertSame("SELECT count(*), sum(d2), min(day) FROM nothing");
        assertSame("SELECT g, sum(d2) FROM nothing GROUP BY g");
    }

    @Test
    void testHaving()
    {
        assertMerged("SELECT count(*), sum(d2) FROM t HAVING count(*) > 500");
        assertMerged("SELECT count(*), sum(d2) FROM t HAVING count(*) < 500");
        assertMerged("SELECT sum(d2) FROM t HAVING min(n) = 0 OR min(n) > 3");
        assertMerged("SELECT max(g) + BIGINT '1', min(i) * BIGINT '2' FROM t HAVING max(g) + BIGINT '1' > 3");
    }

    /** Only the whole must fit the type: parts of it may be larger. */
    @Test
    void testOverflow()
    {
        mysql.execute("CREATE TABLE test.big (n INT PRIMARY KEY, b BIGINT, d DECIMAL(38,0), k INT) SELECT n, 9223372036854775807 b, 99999999999999999999999999999999999999 d, 1 k FROM test.t WHERE n < 2000");
        assertThatThrownBy(() -> run(BY_RANGES, "SELECT sum(b) FROM big")).hasMessageContaining("BIGINT");
        assertThatThrownBy(() -> run(IN_TRINO, "SELECT sum(b) FROM big")).hasMessageContaining("overflow");
        assertThatThrownBy(() -> run(BY_RANGES, "SELECT sum(d) FROM big")).hasMessageContaining("Decimal overflow");
        assertThatThrownBy(() -> run(IN_TRINO, "SELECT sum(d) FROM big")).hasMessageContaining("Decimal overflow");
        mysql.execute("UPDATE test.big SET b = -b, d = -d WHERE n >= 1000");
        assertThat(run(BY_RANGES, "SELECT sum(b), sum(d), count(*) FROM big")).isEqualTo(List.of("[0, 0, 2000]"));
        assertThat(metric(BY_RANGES, "SELECT sum(b), sum(d) FROM big", RANGES_MERGED)).isGreaterThan(1);
    }

    /** To find the group of each row would cost MySQL more than to send the row. */
    @Test
    void testGroupsOfLargeTableStayInTrino()
    {
        for (String sql : List.of(
                "SELECT g, count(*), sum(d2) FROM t GROUP BY g",
                "SELECT DISTINCT g, h FROM p",
                "SELECT name, min(code) FROM t WHERE d0 > 0 GROUP BY name",
                "SELECT abs(z), c FROM (SELECT z, count(*) c FROM t GROUP BY z)",
                "SELECT g, count(DISTINCT i), max(x) FROM t GROUP BY g")) {
            assertThat(explain(BY_RANGES, sql)).as(sql).contains("Aggregate", "read=[ranges of index PRIMARY from EXTENSION]");
            assertSame(sql);
        }
        assertThat(explain(BY_RANGES, "SELECT g, count(*) FROM t WHERE n BETWEEN 1000 AND 1200 GROUP BY g")).doesNotContain("Aggregate").contains("read=[one split: pushed query]");
    }

    /** MySQL explains no plan of its newer optimizer in the form that planning reads, also to choose partitions. */
    @Test
    @NeedsMysql97
    void testServerWithTheNewerOptimizer()
            throws Exception
    {
        mysql.execute("SET GLOBAL optimizer_switch = 'hypergraph_optimizer=on'");
        // Sessions of before have the optimizer of before.
        try (TestingTrino other = TestingTrino.oneNode(mysql, CATALOG_PROPERTIES)) {
            for (String sql : List.of("SELECT min(n), sum(d2) FROM t", "SELECT min(n) FROM t", "SELECT n, i FROM p WHERE n < 500")) {
                assertEqualsIgnoreOrder(other.execute(other.session(BY_RANGES), sql), trino.execute(sql));
            }
        }
        finally {
            mysql.execute("SET GLOBAL optimizer_switch = 'hypergraph_optimizer=off'");
        }
    }

    /** MySQL keeps none of the groups. */
    @Test
    void testManyGroupsInOrderOfIndexStayInMysql()
    {
        mysql.execute(
                "CREATE TABLE test.lines (k INT, l INT, q INT, PRIMARY KEY (k, l), KEY (q)) SELECT n DIV 2 k, n l, n DIV 3 q FROM test.t",
                "ANALYZE TABLE test.lines");
        for (String sql : List.of(
                "SELECT k, sum(q) FROM lines GROUP BY k",
                "SELECT k, sum(q) FROM lines GROUP BY k HAVING sum(q) > 1500",
                "SELECT q, count(*) FROM lines GROUP BY q")) {
            assertThat(explain(FEW_GROUPS, sql)).doesNotContain("Aggregate").contains("read=[one split: pushed query]");
            List<String> groups = run(FEW_GROUPS, sql);
            assertThat(groups).hasSizeGreaterThan(1500);
            assertEqualsIgnoreOrder(groups, run(IN_TRINO, sql));
        }
    }

    /** MySQL keeps no groups either in the order of an index that lacks a column, but looks each row up. */
    @Test
    void testGroupsByLookupsOfAllRowsStayInTrino()
    {
        mysql.execute(
                "CREATE TABLE test.parts (n INT PRIMARY KEY, part INT NOT NULL, quantity INT NOT NULL, KEY by_part (part)) SELECT n, 7 * n % 3001 part, n % 50 quantity FROM test.t",
                "ANALYZE TABLE test.parts");
        String sql = "SELECT part, avg(quantity) FROM parts GROUP BY part";
        assertThat(explain(FEW_GROUPS, sql)).contains("Aggregate");
        assertThat(explain(FEW_GROUPS, "SELECT part, count(*) FROM parts GROUP BY part")).doesNotContain("Aggregate");
    }

    /** InnoDB counts rows by threads of its own, and looks up the least and greatest values of an index, or each value once. */
    @Test
    void testWhatMysqlKnowsFaster()
    {
        mysql.execute(
                "CREATE TABLE test.events (n INT PRIMARY KEY, tenant INT NOT NULL, moment INT NOT NULL, size INT NOT NULL, KEY (tenant, moment)) SELECT n, n % 3 tenant, n moment, n size FROM test.t",
                "ANALYZE TABLE test.events");
        for (String sql : List.of(
                "SELECT count(*) FROM events",
                "SELECT min(n), max(n) FROM events",
                "SELECT max(moment) FROM events WHERE tenant = 1",
                "SELECT tenant, max(moment) FROM events GROUP BY tenant",
                "SELECT DISTINCT tenant FROM events",
                "SELECT tenant FROM events GROUP BY tenant ORDER BY tenant LIMIT 2")) {
            assertThat(metric(BY_RANGES, sql, RANGES_MERGED)).as(sql).isZero();
            assertThat(explain(BY_RANGES, sql)).doesNotContain("Aggregate").contains("read=[one split: pushed query]");
            assertSame(sql);
        }
        mysql.execute(
                "CREATE TABLE test.pairs (n INT PRIMARY KEY, a INT NOT NULL, b INT NOT NULL, KEY (a, b)) SELECT n, n % 3 a, n % 5 b FROM test.t",
                "ANALYZE TABLE test.pairs");
        assertThat(explain(BY_RANGES, "SELECT DISTINCT a, b FROM pairs")).doesNotContain("Aggregate").contains("read=[one split: pushed query]");
        assertSame("SELECT DISTINCT a, b FROM pairs");
        assertMerged("SELECT count(*) FROM events WHERE size > 5");
        assertMerged("SELECT count(*), max(n) FROM events");
        assertMerged("SELECT max(size) FROM events");
        assertThat(explain(BY_RANGES, "SELECT tenant, count(*) FROM events GROUP BY tenant")).doesNotContain("Aggregate").contains("read=[one split: pushed query]");
    }

    /** A function stands for whatever fills MySQL's memory. */
    @Test
    void testErrorOfFullTemporaryTable()
    {
        mysql.execute(
                "CREATE FUNCTION test.fill(n INT) RETURNS INT DETERMINISTIC NO SQL BEGIN SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'; RETURN n; END",
                "CREATE VIEW test.filling AS SELECT test.fill(n) f FROM test.t");
        assertThatThrownBy(() -> run(BY_RANGES, "SELECT count(f) FROM filling"))
                .hasMessageContaining("The table is full")
                .hasMessageContaining("temptable_max_mmap")
                .hasMessageContaining("aggregation_pushdown_enabled");
    }

    @Test
    void testOneSnapshot()
            throws Exception
    {
        mysql.execute(
                "CREATE TABLE test.account (id INT PRIMARY KEY, balance BIGINT NOT NULL)",
                "INSERT INTO test.account SELECT n, 100 FROM test.t");
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> transfer(stop));
        writer.start();
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(run(BY_RANGES, "SELECT sum(balance), count(*) FROM account")).isEqualTo(List.of("[%d, %d]".formatted(100 * ROWS, ROWS)));
            }
        }
        finally {
            stop.set(true);
            writer.join();
        }
        assertThat(metric(BY_RANGES, "SELECT sum(balance) FROM account", RANGES_MERGED)).isGreaterThan(1);
    }

    private void transfer(AtomicBoolean stop)
    {
        Random accounts = new Random(7);
        while (!stop.get()) {
            mysql.execute("""
                    UPDATE test.account SET balance = CASE id WHEN %1$d THEN balance - 1 ELSE balance + 1 END WHERE id IN (%1$d, %2$d)"""
                    .formatted(accounts.nextInt(0, ROWS / 2), accounts.nextInt(ROWS / 2, ROWS)));
        }
    }

    /** What cannot be merged exactly is one statement, as is what the session asks for. */
    @Test
    void testOneStatement()
    {
        for (String sql : List.of(
                "SELECT count(DISTINCT g) FROM t",
                "SELECT g, stddev(x) FROM t GROUP BY g",
                "SELECT count(*) FROM (SELECT * FROM t LIMIT 5000)")) {
            assertThat(metric(BY_RANGES, sql, RANGES_MERGED)).as(sql).isZero();
        }
        for (Map<String, String> session : List.of(AS_ONE_STATEMENT, ImmutableMap.of("parallel_reads_enabled", "false"), ImmutableMap.of("snapshot_mode", "PER_SCAN"))) {
            assertThat(metric(session, "SELECT count(d2) FROM t", RANGES_MERGED)).isZero();
        }
    }

    @Test
    void testExplain()
    {
        String explained = explain(BY_RANGES, "SELECT count(d2) FROM t");
        assertThat(explained).contains("read=[aggregation merged from ranges of index PRIMARY from EXTENSION]").doesNotContain("Aggregate");
        assertThat(explain(AS_ONE_STATEMENT, "SELECT count(d2) FROM t")).contains("read=[one split: pushed query]");
    }

    @Test
    void testParallelismOfOneStatement()
    {
        // Four ranges for each that is read at the same time.
        assertThat(mergedBy("WITH SESSION mysql_pq.aggregation_parallelism = 1 SELECT sum(d2) FROM t")).isZero();
        assertThat(mergedBy("WITH SESSION mysql_pq.aggregation_parallelism = 2 SELECT sum(d2) FROM t")).isBetween(5L, 8L);
        assertThat(mergedBy("WITH SESSION mysql_pq.aggregation_parallelism = 8 SELECT sum(d2) FROM t")).isBetween(10L, 32L);
        assertThatThrownBy(() -> trino.execute("WITH SESSION mysql_pq.aggregation_parallelism = 0 SELECT count(*) FROM t"))
                .hasMessageContaining("aggregation_parallelism must be between 1 and 64: 0");
    }

    private long mergedBy(String sql)
    {
        return trino.count(trino.executeWithPlan(trino.session(ImmutableMap.of()), sql).queryId(), RANGES_MERGED);
    }

    @Test
    void testSmallTableIsOneStatement()
    {
        mysql.execute("CREATE TABLE test.small (n INT PRIMARY KEY, m INT) SELECT n, g m FROM test.t WHERE n < 300", "ANALYZE TABLE test.small");
        assertThat(mergedBy("SELECT sum(m) FROM small")).isZero();
        assertSame("SELECT m, count(*) FROM small GROUP BY m");
    }

    @Test
    void testDynamicFilterOfGroups()
    {
        String sql = "SELECT a.g, a.c FROM (SELECT g, count(*) c FROM t GROUP BY g) a JOIN (SELECT DISTINCT g FROM p WHERE n < 3) f ON a.g = f.g";
        assertSame(sql);
        assertSame("SELECT a.g FROM (SELECT g, count(*) c FROM t GROUP BY g) a JOIN (SELECT count(*) c FROM p WHERE g = 1) f ON a.c = f.c");
    }

    private void assertMerged(String sql)
    {
        MaterializedResultWithPlan merged = runOnce(BY_RANGES, sql);
        assertThat(trino.count(merged.queryId(), RANGES_MERGED)).as(sql).isGreaterThan(1);
        assertSame(sql, texts(merged.result()));
    }

    private void assertSame(String sql)
    {
        assertSame(sql, run(BY_RANGES, sql));
    }

    private void assertSame(String sql, List<String> merged)
    {
        assertEqualsIgnoreOrder(merged, run(AS_ONE_STATEMENT, sql), "as one statement: " + sql);
        assertEqualsIgnoreOrder(merged, run(IN_TRINO, sql), "in Trino: " + sql);
    }

    private List<String> run(Map<String, String> properties, String sql)
    {
        return texts(trino.execute(trino.session(properties), sql));
    }

    private static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(MaterializedRow::toString).collect(ImmutableList.toImmutableList());
    }

    private String explain(Map<String, String> properties, String sql)
    {
        return (String) trino.execute(trino.session(properties), "EXPLAIN " + sql).getOnlyValue();
    }

    private long metric(Map<String, String> properties, String sql, String metric)
    {
        return trino.count(runOnce(properties, sql).queryId(), metric);
    }

    private MaterializedResultWithPlan runOnce(Map<String, String> properties, String sql)
    {
        return trino.executeWithPlan(trino.session(properties), sql);
    }
}
