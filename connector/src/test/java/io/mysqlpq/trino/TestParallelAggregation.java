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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.mysqlpq.trino.metrics.ReadMetrics.AGGREGATIONS_READ_WHOLE;
import static io.mysqlpq.trino.metrics.ReadMetrics.RANGES_MERGED;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Merges aggregations of ranges, and compares them with those of the whole, by MySQL and by Trino. */
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
        // The least memory for temporary tables that MySQL takes, and none on disk.
        mysql = MysqlServer.builder().extension(true).option("temptable_max_ram", "2097152").option("temptable_max_mmap", "0").option("tmp_table_size", "1048576").start();
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
        trino = new TestingTrino(mysql, CATALOG_PROPERTIES);
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
                assertMerged("SELECT g, h, count(*), %s FROM %s GROUP BY g, h".formatted(aggregates, table));
            }
            String aggregates = Stream.of("d2", "d0", "x", "i", "g").map(column -> "sum(%1$s), avg(%1$s)".formatted(column)).collect(joining(", "));
            assertMerged("SELECT %s FROM %s".formatted(aggregates, table));
            assertMerged("SELECT h, %s FROM %s GROUP BY h".formatted(aggregates, table));
            assertMerged("SELECT sum(d38), sum(bu) FROM " + table);
            assertMerged("SELECT DISTINCT g, h FROM " + table);
            assertMerged("SELECT name, count(*), min(code) FROM %s GROUP BY name".formatted(table));
            assertMerged("SELECT code, count(*), max(name) FROM %s GROUP BY code".formatted(table));
        }
    }

    /** Both zeros are one group. Which of them stands for it depends on the order of the rows, in Trino too. */
    @Test
    void testGroupsOfZeros()
    {
        assertMerged("SELECT abs(z), c FROM (SELECT z, count(*) c FROM t GROUP BY z)");
    }

    @Test
    void testFilters()
    {
        assertMerged("SELECT g, count(*), avg(d2) FROM t WHERE d0 > 0 AND h <> DATE '2024-01-02' GROUP BY g");
        assertMerged("SELECT count(*), sum(d2), min(n) FROM t WHERE n BETWEEN 1000 AND 5000");
        assertMerged("SELECT count(*), sum(d2), avg(d2), avg(x), min(n) FROM t WHERE d2 > 100000");
        assertMerged("SELECT g, count(*) FROM t WHERE d2 > 100000 GROUP BY g");
        assertSame("SELECT count(*), sum(d2), min(day) FROM nothing");
        assertSame("SELECT g, sum(d2) FROM nothing GROUP BY g");
    }

    @Test
    void testHavingOrderAndLimit()
    {
        assertMerged("SELECT g, count(*) FROM t GROUP BY g HAVING count(*) > 500");
        assertMerged("SELECT g, sum(d2) FROM t GROUP BY g HAVING min(n) = 0 OR min(n) > 3");
        assertMerged("SELECT h, count(*) FROM t GROUP BY h HAVING max(g) IS NOT NULL ORDER BY h DESC NULLS LAST LIMIT 3");
        for (String order : List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST")) {
            String sql = "SELECT g, h, count(*) FROM t GROUP BY g, h ORDER BY g %1$s, h %1$s LIMIT 7".formatted(order);
            assertThat(run(BY_RANGES, sql)).as(sql).isEqualTo(run(IN_TRINO, sql));
        }
        for (String order : List.of("name, code", "code DESC, name DESC")) {
            String sql = "SELECT name, code, count(*) FROM t GROUP BY name, code ORDER BY %s LIMIT 9".formatted(order);
            assertThat(run(BY_RANGES, sql)).as(sql).isEqualTo(run(IN_TRINO, sql));
        }
        assertThat(run(BY_RANGES, "SELECT g FROM (SELECT g, sum(d2) FROM t GROUP BY g LIMIT 4)")).hasSize(4);
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
        assertThat(run(BY_RANGES, "SELECT k, sum(b), sum(d), count(*) FROM big GROUP BY k")).isEqualTo(List.of("[1, 0, 0, 2000]"));
        assertThat(metric(BY_RANGES, "SELECT k, sum(b), sum(d) FROM big GROUP BY k", RANGES_MERGED)).isGreaterThan(1);
    }

    @Test
    void testMoreGroupsThanAllowed()
    {
        // How many values the column has is not known before.
        String sql = "SELECT d38, count(*), sum(d2) FROM t GROUP BY d38";
        List<String> groups = run(FEW_GROUPS, sql);
        assertThat(groups).hasSizeGreaterThan(700);
        assertEqualsIgnoreOrder(groups, run(IN_TRINO, sql));
        assertThat(trino.count(trino.executeWithPlan(trino.session(FEW_GROUPS), sql).queryId(), AGGREGATIONS_READ_WHOLE)).isEqualTo(1);
    }

    @Test
    void testManyGroupsOfLargeTableStayInTrino()
    {
        mysql.execute(
                "CREATE TABLE test.grouped (n INT PRIMARY KEY, m INT, q INT) SELECT n, 7 * n m, n DIV 2 q FROM test.t",
                "ANALYZE TABLE test.grouped UPDATE HISTOGRAM ON m, q WITH 1000 BUCKETS");
        String sql = "SELECT m, count(*) FROM grouped GROUP BY m";
        assertThat(explain(FEW_GROUPS, sql)).contains("Aggregate");
        assertThat(explain(BY_RANGES, sql)).doesNotContain("Aggregate");
        assertThat(run(FEW_GROUPS, sql)).hasSize(ROWS);
        assertThat(explain(FEW_GROUPS, "SELECT m, count(DISTINCT q), sum(DISTINCT n) FROM grouped GROUP BY m")).contains("Aggregate");
    }

    /** What is read of groups is of their own types, whatever Trino makes of it. */
    @Test
    void testWiderIntegersOfGroups()
    {
        assertMerged("SELECT g + BIGINT '1', count(*) FROM t GROUP BY g");
        assertMerged("SELECT max(g) + BIGINT '1', min(i) * BIGINT '2' FROM t");
        assertMerged("SELECT h, max(g) + BIGINT '1' FROM t GROUP BY h HAVING max(g) + BIGINT '1' > 3");
        assertSame("SELECT a.g, a.c FROM (SELECT g, count(*) c FROM t WHERE g > 0 GROUP BY g) a JOIN (SELECT CAST(g AS BIGINT) g FROM p WHERE n < 3) f ON a.g = f.g");
    }

    @Test
    void testGroupsOfLongTexts()
    {
        mysql.execute("CREATE TABLE test.documents (n INT PRIMARY KEY, g INT, body VARCHAR(1900)) SELECT n, n % 600 g, RPAD(n % 600, 1900, 'x') body FROM test.t");
        String sql = "SELECT body, count(*) FROM documents GROUP BY body";
        assertMerged(sql);
        assertThat(trino.count(trino.executeWithPlan(trino.session(FEW_GROUPS), sql).queryId(), AGGREGATIONS_READ_WHOLE)).isEqualTo(1);
        assertThat(trino.count(trino.executeWithPlan(trino.session(FEW_GROUPS), "SELECT g, max(body) FROM documents GROUP BY g").queryId(), AGGREGATIONS_READ_WHOLE)).isEqualTo(1);
        assertEqualsIgnoreOrder(run(FEW_GROUPS, sql), run(IN_TRINO, sql));
    }

    /** MySQL explains no plan of its newer optimizer in the form that planning reads, also to choose partitions. */
    @Test
    @NeedsMysql97
    void testServerWithTheNewerOptimizer()
            throws Exception
    {
        mysql.execute("SET GLOBAL optimizer_switch = 'hypergraph_optimizer=on'");
        // Sessions of before have the optimizer of before.
        try (TestingTrino other = new TestingTrino(mysql, CATALOG_PROPERTIES)) {
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
        assertMerged("SELECT tenant, count(*) FROM events GROUP BY tenant");
    }

    /** MySQL bug 99100: temporary tables of several statements at once exhaust what they share, so that one fails with "table is full". */
    @Test
    void testTemporaryTablesWithoutRoom()
    {
        mysql.execute("CREATE TABLE test.wide (n INT PRIMARY KEY, k INT, filler VARBINARY(800), d2 DECIMAL(12,2), day DATE)");
        for (int i = 0; i < 8; i++) {
            mysql.execute("INSERT INTO test.wide SELECT n + %1$d, 7 * (n + %1$d) %% %2$d, REPEAT('x', 790 + n %% 10), d2, day FROM test.t".formatted(i * ROWS, 8 * ROWS - 1));
        }
        mysql.execute("ANALYZE TABLE test.wide");
        // The testing client writes bytes as text at a tenth of the speed of text.
        String sql = "SELECT k, from_utf8(filler), count(*), sum(d2), min(n) FROM wide GROUP BY k, filler";
        Map<String, String> many = ImmutableMap.of("aggregation_parallelism", "16", "max_ranges_per_scan", "16", "aggregation_max_groups", "1000000");
        // 16 times 3,000 groups of 800 bytes, where MySQL keeps 1 MB of each statement and 2 MB of all in memory.
        long onDisk = temporaryTablesOnDisk();
        MaterializedResultWithPlan merged = runOnce(many, sql);
        assertThat(trino.count(merged.queryId(), RANGES_MERGED)).isGreaterThanOrEqualTo(16);
        assertThat(temporaryTablesOnDisk() - onDisk).as("temporary tables without room in memory").isPositive();
        List<String> groups = texts(merged.result());
        assertThat(groups).hasSizeGreaterThan(6 * ROWS);
        assertEqualsIgnoreOrder(groups, run(IN_TRINO, sql));
    }

    private long temporaryTablesOnDisk()
    {
        return (long) trino.execute("""
                SELECT n FROM TABLE(system.query('
                    SELECT CAST(COALESCE(SUM(sum_created_tmp_disk_tables), 0) AS SIGNED) AS n FROM performance_schema.events_statements_summary_by_digest WHERE digest_text LIKE ''SELECT %wide%''
                '))""").getOnlyValue();
    }

    @Test
    void testRangesWithoutRoomAreReadAsOneStatement()
            throws Exception
    {
        AtomicInteger read = new AtomicInteger();
        String sql = "SELECT g, count(*), sum(d2) FROM t GROUP BY g";
        try (RefusingProxy proxy = new RefusingProxy(mysql, statement -> statement.contains("GROUP BY") && statement.contains("FORCE INDEX") && read.incrementAndGet() > 2, 1114, "The table is full");
                TestingTrino full = new TestingTrino(ImmutableMap.<String, String>builder()
                        .putAll(CATALOG_PROPERTIES)
                        .put("connection-url", proxy.jdbcUrl())
                        .put("connection-user", "root")
                        .buildOrThrow())) {
            MaterializedResultWithPlan result = full.executeWithPlan(full.session(BY_RANGES), sql);
            assertThat(read).hasValueGreaterThan(2);
            assertThat(full.count(result.queryId(), AGGREGATIONS_READ_WHOLE)).isEqualTo(1);
            assertEqualsIgnoreOrder(result.result(), trino.execute(trino.session(IN_TRINO), sql));
        }
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
        String explained = explain(BY_RANGES, "SELECT g, count(*) FROM t GROUP BY g");
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
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(properties), sql);
        assertThat(trino.count(result.queryId(), AGGREGATIONS_READ_WHOLE)).as(sql).isZero();
        return result;
    }
}
