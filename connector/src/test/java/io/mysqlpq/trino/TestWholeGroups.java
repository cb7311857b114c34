package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
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
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.metrics.PlanningMetrics.RANGES_PLANNED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Groups by the primary key's leading columns, range by range, and compares with one statement and with Trino. */
@TestInstance(PER_CLASS)
class TestWholeGroups
{
    private static final Map<String, String> BY_RANGES = ImmutableMap.of("aggregation_max_groups", "100", "aggregation_parallelism", "4");
    private static final Map<String, String> BY_SQL_RANGES = ImmutableMap.of("aggregation_max_groups", "100", "aggregation_parallelism", "4", "range_source", "SQL");
    private static final Map<String, String> AS_ONE_STATEMENT = ImmutableMap.of("aggregation_max_groups", "100", "aggregation_parallelism", "1");
    private static final Map<String, String> IN_TRINO = ImmutableMap.of("aggregation_pushdown_enabled", "false");
    private static final Map<String, String> BY_MYSQL = ImmutableMap.of("aggregation_max_groups", "100", "native_scan_enabled", "false");
    private static final String READ_BY_RANGES = "read=[whole groups of ranges of index PRIMARY from EXTENSION";
    private static final String GROUPED_NATIVELY = READ_BY_RANGES + ", natively]";
    private static final int GROUPS = 1_500;
    // More than a range.
    private static final int LARGE_GROUP = 1_000;

    private final Random random = Seed.random();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test", """
                CREATE TABLE test.lines (
                    k INT, l SMALLINT, q BIGINT, d DECIMAL(12,2), x DOUBLE, name VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (k, l))""",
                "CREATE TABLE test.days (day DATE, hour TINYINT, n INT, q BIGINT, PRIMARY KEY (day, hour, n))",
                "CREATE TABLE test.parts (k INT, l SMALLINT, q BIGINT, PRIMARY KEY (k, l)) PARTITION BY HASH (l) PARTITIONS 3",
                "CREATE TABLE test.names (name VARCHAR(9) COLLATE utf8mb4_0900_ai_ci, l INT, q BIGINT, PRIMARY KEY (name, l))",
                "CREATE TABLE test.pairs (a INT, b DECIMAL(4,1), c INT, q BIGINT, PRIMARY KEY (a, b, c))",
                "CREATE TABLE test.large (k BIGINT, l INT, q BIGINT, d DECIMAL(18,2), PRIMARY KEY (k DESC, l))",
                "CREATE TABLE test.beginnings (name VARCHAR(9) COLLATE utf8mb4_bin, l INT, q BIGINT, PRIMARY KEY (name(2), l))");
        for (int first = 0; first < GROUPS; first += 100) {
            mysql.execute("INSERT INTO test.lines VALUES " + IntStream.range(first, first + 100).boxed().flatMap(k -> IntStream.range(0, rowsOf(k)).mapToObj(l -> line(k - 700, l))).collect(joining(", ")));
        }
        mysql.execute(
                "INSERT INTO test.days SELECT DATE '2024-01-01' + INTERVAL ABS(k) DIV 3 DAY, ABS(k) % 3, k * 1001 + l, q FROM test.lines",
                "INSERT INTO test.parts SELECT k, l, q FROM test.lines",
                "INSERT INTO test.names SELECT CONCAT(ELT(1 + l % 2, 'a', 'A'), k), l, q FROM test.lines",
                "INSERT INTO test.beginnings SELECT LPAD(k + 700, 4, '0'), k * 1000 + l, q FROM test.lines",
                "INSERT INTO test.pairs SELECT k DIV 3, k % 3 / 2, k * 1001 + l, q FROM test.lines",
                // Sums of no group are beyond BIGINT, though those of its first rows may be.
                "INSERT INTO test.large SELECT k, l, IF(l % 2 = 0, 9223372036854775807, -9223372036854775807) - (l = 1), IF(k % 2 = 0, 1, -1) * 9999999999999999.99 FROM test.lines",
                "ANALYZE TABLE test.lines, test.days, test.parts, test.names, test.pairs, test.large, test.beginnings");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "400"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    private int rowsOf(int group)
    {
        return group == 700 ? LARGE_GROUP : 1 + random.nextInt(9);
    }

    private String line(int k, int l)
    {
        return "(%d, %d, %s, %s, %s, %s)".formatted(
                k,
                l,
                random.nextInt(9) == 0 ? "NULL" : random.nextInt(-100, 100),
                "%d.%02d".formatted(random.nextInt(), random.nextInt(100)),
                random.nextInt(-1000, 1000) / 8.0,
                List.of("'a'", "'A'", "'a '", "'ä'", "NULL").get(random.nextInt(5)));
    }

    @Test
    void testAggregates()
    {
        assertNatively("SELECT k, count(*), count(q), sum(q), min(q), max(q) FROM lines GROUP BY k");
        assertNatively("SELECT k, sum(d), avg(d), min(d), sum(l), count(d) FROM lines GROUP BY k");
        assertNatively("SELECT a, b, sum(q) FROM pairs GROUP BY b, a");
        assertNatively("SELECT DISTINCT k FROM lines WHERE q > 0");
        assertNatively("SELECT k, max(q), sum(d), avg(d), count(*) FROM large GROUP BY k");
        assertNatively("SELECT count(*), max(s) FROM (SELECT k, sum(q) AS s FROM lines GROUP BY k)");
        assertByMysql("SELECT k, sum(x), avg(x), max(name) FROM lines GROUP BY k");
        assertByMysql("SELECT k, count(name), count(x) FROM lines GROUP BY k");
        assertSame(BY_RANGES, "SELECT k, q, count(*) FROM lines GROUP BY k, q");
        assertByMysql("SELECT day, hour, sum(q) FROM days GROUP BY day, hour");
        // MySQL sorts the values of each group.
        assertSame(BY_RANGES, "SELECT k, count(DISTINCT q) FROM lines GROUP BY k");
        assertSame(BY_RANGES, "SELECT day, hour, sum(q) FROM days GROUP BY hour, day");
    }

    /** Trino wants numbers of another type than the groups have. */
    @Test
    void testWiderNumbers()
    {
        assertNatively("SELECT k + BIGINT '1', sum(q) FROM lines GROUP BY k");
        assertNatively("SELECT k, CAST(max(l) AS bigint) + BIGINT '1', count(*) FROM lines GROUP BY k");
        assertNatively("SELECT k, count(*) FROM lines GROUP BY k HAVING CAST(max(l) AS bigint) > BIGINT '5'");
        assertNatively("SELECT a.k, a.s, b.q FROM (SELECT k, sum(q) s FROM lines WHERE k > 5 GROUP BY k) a JOIN (SELECT DISTINCT q FROM parts WHERE l = 5) b ON a.k = b.q");
    }

    @Test
    void testSumsBeyondTheType()
    {
        assertNatively("SELECT k, sum(q) FROM large GROUP BY k");
        String sql = "SELECT k, sum(q) FROM large WHERE q > 0 GROUP BY k";
        assertThat(explain(BY_RANGES, sql)).contains(GROUPED_NATIVELY);
        assertThatThrownBy(() -> run(BY_RANGES, sql)).hasMessageContaining("does not fit into BIGINT");
        assertThatThrownBy(() -> run(IN_TRINO, sql)).hasMessageContaining("overflow");
    }

    /** MySQL then groups the rows of each range. */
    @Test
    void testRefused()
    {
        mysql.execute("SET GLOBAL mysql_pq_memory_limit = 1000");
        try {
            String sql = "SELECT k, sum(q) FROM lines GROUP BY k HAVING count(*) > 2";
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(BY_RANGES), sql);
            assertThat(trino.count(result.queryId(), NATIVE_REFUSED + "memory_limit")).isGreaterThan(3);
            assertEqualsIgnoreOrder(texts(result.result()), run(AS_ONE_STATEMENT, sql));
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
        }
    }

    /** What is pushed down on top is of the groups, not of the rows. */
    @Test
    void testHaving()
    {
        assertNatively("SELECT k, sum(q) FROM lines GROUP BY k HAVING sum(q) > 100");
        assertNatively("SELECT k FROM lines GROUP BY k HAVING count(*) > 8 AND max(q) < 50");
        assertNatively("SELECT k, sum(q) FROM lines WHERE l > 1 AND q <> 7 GROUP BY k HAVING min(q) < -90");
        // The condition is on each group by itself, and only MySQL compares it.
        assertSame(BY_RANGES, "SELECT k, sum(q), count(*) FROM lines GROUP BY k HAVING sum(q) > count(*)");
        // MySQL looks the greatest up.
        assertSame(BY_RANGES, "SELECT k + BIGINT '1', max(l) + BIGINT '1' FROM lines GROUP BY k HAVING max(l) + BIGINT '1' > 7");
    }

    /** The least or greatest of each range are not those of the table, so Trino takes the first of all. */
    @Test
    void testLimitsAreLeftToTrino()
    {
        for (String sql : List.of("SELECT k, sum(q) FROM lines GROUP BY k ORDER BY sum(q) DESC, k LIMIT 5", "SELECT count(coalesce(s, 0)) FROM (SELECT k, sum(q) s FROM lines GROUP BY k LIMIT 5)")) {
            assertSame(BY_RANGES, sql);
            assertThat(explain(BY_RANGES, sql)).as(sql).contains(READ_BY_RANGES).containsAnyOf("TopN", "Limit");
            assertThat(rangesPlanned(sql)).as(sql).isPositive();
        }
    }

    @Test
    void testFiltersOfGroups()
    {
        assertNatively("SELECT k, sum(q) FROM lines WHERE k BETWEEN -5 AND 700 GROUP BY k");
        for (String sql : List.of(
                "SELECT a.k, a.s FROM (SELECT k, sum(q) s FROM lines GROUP BY k) a JOIN (SELECT DISTINCT k FROM parts WHERE q = 7) b ON a.k = b.k",
                "SELECT a.k, a.s FROM (SELECT k, sum(q) s FROM lines GROUP BY k) a JOIN (SELECT DISTINCT q FROM parts WHERE l = 5) b ON a.s = b.q",
                "SELECT a.k, a.s FROM (SELECT k, sum(q) s FROM lines GROUP BY k) a JOIN (SELECT k, count(*) c FROM lines GROUP BY k HAVING count(*) = 7) b ON a.k = b.k")) {
            assertThat(explain(BY_RANGES, sql)).as(sql).contains(READ_BY_RANGES);
            assertSame(BY_RANGES, sql);
        }
    }

    /** Groups of other columns, and of tables whose groups have rows in several trees, are in several ranges. */
    @Test
    void testGroupsInSeveralRanges()
    {
        for (String sql : List.of(
                "SELECT l, k % 2, sum(q) FROM lines GROUP BY l, k % 2",
                "SELECT l, sum(q) FROM lines GROUP BY l",
                "SELECT hour, n, sum(q) FROM days GROUP BY hour, n",
                "SELECT k, sum(q) FROM parts GROUP BY k",
                "SELECT name, sum(q) FROM beginnings GROUP BY name")) {
            assertThat(explain(BY_RANGES, sql)).as(sql).doesNotContain("whole groups");
            assertSame(BY_RANGES, sql);
        }
    }

    /** Trino tells values apart that are equal for MySQL. */
    @Test
    void testTexts()
    {
        assertSame(BY_RANGES, "SELECT name, sum(q) FROM names GROUP BY name");
        assertThat(run(BY_RANGES, "SELECT count(*) FROM (SELECT name FROM names GROUP BY name)")).isEqualTo(run(IN_TRINO, "SELECT count(DISTINCT name) FROM names"));
    }

    @Test
    void testRangesBySql()
    {
        assertSame(BY_SQL_RANGES, "SELECT k, sum(q) FROM lines GROUP BY k HAVING sum(q) > 100");
    }

    private void assertNatively(String sql)
    {
        assertThat(explain(BY_RANGES, sql)).as(sql).contains(GROUPED_NATIVELY);
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(BY_RANGES), sql);
        assertThat(trino.count(result.queryId(), RANGES_PLANNED)).as(sql).isGreaterThan(3);
        assertThat(trino.count(result.queryId(), READ_NATIVELY)).as(sql).isEqualTo(trino.count(result.queryId(), SPLITS_READ)).isPositive();
        assertSame(BY_RANGES, sql);
        assertThat(explain(BY_MYSQL, sql)).as(sql).doesNotContain("natively");
        assertSame(BY_MYSQL, sql);
    }

    private void assertByMysql(String sql)
    {
        assertThat(explain(BY_RANGES, sql)).as(sql).contains(READ_BY_RANGES).doesNotContain("natively").doesNotContain("Aggregate");
        assertThat(rangesPlanned(sql)).as(sql).isGreaterThan(3);
        assertSame(BY_RANGES, sql);
    }

    private void assertSame(Map<String, String> properties, String sql)
    {
        List<String> groups = run(properties, sql);
        assertThat(groups).as("not empty: " + sql).isNotEmpty();
        assertEqualsIgnoreOrder(groups, run(AS_ONE_STATEMENT, sql), "as one statement: " + sql);
        assertEqualsIgnoreOrder(groups, run(IN_TRINO, sql), "in Trino: " + sql);
    }

    private List<String> run(Map<String, String> properties, String sql)
    {
        return texts(trino.execute(trino.session(properties), sql));
    }

    private static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(MaterializedRow::toString).collect(toImmutableList());
    }

    private String explain(Map<String, String> properties, String sql)
    {
        return (String) trino.execute(trino.session(properties), "EXPLAIN " + sql).getOnlyValue();
    }

    private long rangesPlanned(String sql)
    {
        return trino.count(trino.executeWithPlan(trino.session(BY_RANGES), sql).queryId(), RANGES_PLANNED);
    }
}
