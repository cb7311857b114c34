package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.key.KeyEncoding;
import io.mysqlpq.trino.key.KeyRange;
import io.mysqlpq.trino.key.RangeHint;
import io.mysqlpq.trino.key.RangePredicate;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.metrics.PlanningMetrics.RANGES_PLANNED;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads ranges whose conditions MySQL no longer evaluates for each row. Which rows they give, {@code TestKeyCaseLaws} tests too. */
@TestInstance(PER_CLASS)
@NeedsMysql97
class TestHypergraphOptimizer
{
    private static final String HINT = "SELECT /*+ SET_VAR(optimizer_switch = 'hypergraph_optimizer=on') */";

    private static final String[] STALE_STATISTICS = {
            "UPDATE mysql.innodb_table_stats SET n_rows = 40, clustered_index_size = 1 WHERE table_name = 'stale'",
            "UPDATE mysql.innodb_index_stats SET stat_value = 1 WHERE table_name = 'stale'",
            "FLUSH TABLES test.stale"};

    private final Random random = Seed.random();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'",
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.one (k BIGINT PRIMARY KEY, v INT, t VARCHAR(20))",
                "INSERT INTO test.one WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n % 1000, n % 7 FROM s",
                "CREATE TABLE test.two (a INT, b SMALLINT UNSIGNED, v INT, t VARCHAR(20), PRIMARY KEY (a, b))",
                "INSERT INTO test.two SELECT k DIV 5000, k % 5000, v, t FROM test.one",
                "CREATE TABLE test.secondary (k BIGINT PRIMARY KEY, v INT, t VARCHAR(20), KEY by_v (v))",
                "INSERT INTO test.secondary SELECT * FROM test.one",
                "INSERT INTO test.secondary SELECT k + 100000, NULL, t FROM test.one WHERE k <= 2000",
                "CREATE TABLE test.runs (k BIGINT PRIMARY KEY, few INT, t VARCHAR(20), KEY by_few (few))",
                "INSERT INTO test.runs SELECT k, k DIV 7000, t FROM test.one",
                "CREATE TABLE test.text (k VARCHAR(20) PRIMARY KEY, v INT, t VARCHAR(20))",
                "INSERT INTO test.text SELECT k, v, t FROM test.one",
                "CREATE TABLE test.three (a INT, b SMALLINT UNSIGNED, c BIGINT, v INT, w INT, PRIMARY KEY (a, b, c))",
                "INSERT INTO test.three SELECT k DIV 4000 - 2, k DIV 40 % 100, k % 40, v, k % 17 FROM test.one",
                "CREATE TABLE test.alike (k BIGINT PRIMARY KEY, v INT, `x``k``y` INT)",
                "INSERT INTO test.alike SELECT k, v, k % 13 FROM test.one",
                "CREATE TABLE test.down (a INT, b BIGINT UNSIGNED, c SMALLINT, PRIMARY KEY (a DESC, b, c DESC))",
                "INSERT INTO test.down SELECT a, b, c FROM test.three",
                "CREATE TABLE test.stale (k BIGINT PRIMARY KEY, v INT, t VARCHAR(20)) STATS_AUTO_RECALC = 0",
                "INSERT INTO test.stale SELECT * FROM test.one",
                STALE_STATISTICS[0],
                STALE_STATISTICS[1],
                STALE_STATISTICS[2],
                "ANALYZE TABLE test.alike, test.one, test.two, test.three, test.secondary, test.runs, test.text");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000", "native-scan-enabled", "false"));
        trino.addMemory();
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT t, v FROM %s",
            "SELECT t, v FROM %s WHERE v < 300 AND t <> '3'",
            "SELECT count(*) FROM %s WHERE v + rand() > -1"})
    void testSameRows(String sql)
    {
        for (String table : List.of("one", "two", "text")) {
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted(table));
            assertEqualsIgnoreOrder(result.result(), copied(table, sql));
            long splits = trino.count(result.queryId(), SPLITS_READ);
            assertThat(splits).isGreaterThan(5);
            List<String> hinted = hintedRanges(result);
            assertThat(hinted).as(table).hasSize(table.equals("text") ? 0 : (int) splits);
            for (String statement : hinted) {
                String plan = mysql.values("EXPLAIN FORMAT = TREE " + statement).getFirst();
                assertThat(plan).as(statement).contains("Index range scan on " + table);
                assertThat(plan).as(statement).doesNotContain(".a ", ".k ");
                assertThat(plan.contains("Filter")).as(statement).isEqualTo(statement.contains("COLLATE"));
            }
        }
    }

    // Each of which names one column, so that Trino hands them over as domains.
    @RepeatedTest(15)
    void testSameRowsUnderRandomDomains()
    {
        String sql = "SELECT a, b, c FROM %s WHERE " + Stream.of("a", "b", "c").map(this::drawCondition).collect(joining(" AND "));
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted("three"));
        assertEqualsIgnoreOrder(result.result(), copied("three", sql), sql);
        if (trino.count(result.queryId(), RANGES_PLANNED) > 1) {
            assertThat(hintedRanges(result)).as(sql).hasSize((int) trino.count(result.queryId(), SPLITS_READ));
        }
    }

    private String drawCondition(String column)
    {
        int first = random.nextInt(-2, 60);
        int second = random.nextInt(-2, 60);
        return switch (random.nextInt(7)) {
            case 0 -> "%s <= %d".formatted(column, max(first, second));
            case 1 -> "%s >= %d".formatted(column, min(first, second));
            case 2 -> "%s <> %d".formatted(column, first);
            case 3 -> "%s NOT IN (%d, %d, 1, 2)".formatted(column, first, second);
            case 4 -> "(%1$s < %2$d OR %1$s > %3$d)".formatted(column, min(first, second), max(first, second));
            case 5 -> "%s IN (1, 3, %d)".formatted(column, first);
            default -> column + (random.nextInt(4) == 0 ? " IS NULL" : " IS NOT NULL");
        };
    }

    // MySQL would estimate their rows by averages, and might take the whole index for cheaper.
    @Test
    void testNotOfManyLookups()
    {
        // No two neighbours, which Trino would join to an interval.
        String lookups = IntStream.rangeClosed(1, 40).map(value -> value * 2).mapToObj(Integer::toString).collect(joining(", "));
        for (String conditions : List.of("a IN (-2, 0, 2) AND b IN (%s)".formatted(lookups), "a <> 0 AND b IN (%s)".formatted(lookups))) {
            String sql = "SELECT a, b, c FROM %s WHERE " + conditions;
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted("three"));
            assertThat(result.result().getMaterializedRows()).isNotEmpty();
            assertEqualsIgnoreOrder(result.result(), copied("three", sql));
            // Behind an interval MySQL reads all values.
            assertThat(hintedRanges(result)).hasSize(conditions.contains("<>") ? (int) trino.count(result.queryId(), SPLITS_READ) : 0);
        }
    }

    // Without Trino, many more of them: each range, as the connector writes it, with one condition for each of some columns.
    @ParameterizedTest
    @EnumSource
    void testSameRowsOfRandomRanges(Shape shape)
            throws SQLException
    {
        RangePredicate predicate = new RangePredicate(new IndexKey(shape.index, shape.index.equals("PRIMARY"), shape.columns), "`%s`"::formatted);
        int rows = 0;
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            for (int i = 0; i < 500; i++) {
                String conditions = Stream.concat(
                        predicate.toSql(drawRange(shape)).stream(),
                        shape.columns.stream().map(KeyColumn::name).filter(_ -> random.nextBoolean()).map(this::drawCondition)).collect(joining(" AND "));
                String sql = "SELECT count(*), sum(crc32(concat_ws(',', %s))) FROM test.%s FORCE INDEX (`%s`) WHERE %s"
                        .formatted(shape.columns.stream().map(KeyColumn::name).collect(joining(", ")), shape.table, shape.index, conditions);
                List<String> seen = row(statement, sql);
                assertThat(row(statement, RangeHint.hinted(sql))).as(sql).isEqualTo(seen);
                rows += Integer.parseInt(seen.getFirst());
            }
        }
        assertThat(rows).isGreaterThan(5_000);
    }

    private KeyRange drawRange(Shape shape)
    {
        Comparator<List<Integer>> order = Comparator.comparing(List::getFirst);
        List<List<Integer>> bounds = Stream.of(drawBound(shape), drawBound(shape)).sorted(shape.columns.getFirst().descending() ? order.reversed() : order).toList();
        return switch (random.nextInt(6)) {
            case 0 -> new KeyRange(Optional.empty(), Optional.of(bound(bounds.getFirst())));
            case 1 -> new KeyRange(Optional.of(bound(bounds.getFirst())), Optional.empty());
            default -> new KeyRange(Optional.of(bound(bounds.getFirst())), Optional.of(bound(bounds.getLast())));
        };
    }

    private List<Integer> drawBound(Shape shape)
    {
        if (shape == Shape.SECONDARY) {
            return List.of(random.nextInt(-1, 1001));
        }
        return Stream.of(random.nextInt(-3, 5), random.nextInt(-1, 101), random.nextInt(-1, 41)).limit(random.nextInt(1, 4)).toList();
    }

    private static KeyBound bound(List<Integer> values)
    {
        return new KeyBound(values.stream().map(value -> new IntegerKeyValue(value.toString())).collect(toImmutableList()));
    }

    enum Shape
    {
        ASCENDING("three", "PRIMARY", column("a", false, false), column("b", false, false), column("c", false, false)),
        DESCENDING("down", "PRIMARY", column("a", false, true), column("b", false, false), column("c", false, true)),
        SECONDARY("secondary", "by_v", column("v", true, false), column("k", false, false));

        private final String table;
        private final String index;
        private final List<KeyColumn> columns;

        Shape(String table, String index, KeyColumn... columns)
        {
            this.table = table;
            this.index = index;
            this.columns = ImmutableList.copyOf(columns);
        }

        private static KeyColumn column(String name, boolean nullable, boolean descending)
        {
            return new KeyColumn(name, KeyEncoding.INTEGER, nullable, descending, Optional.empty(), Optional.empty(), OptionalInt.empty(), Optional.empty());
        }
    }

    private static List<String> row(Statement statement, String sql)
            throws SQLException
    {
        try (ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return Arrays.asList(rows.getString(1), rows.getString(2));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "(a = 0 AND b = 2) OR (a >= 1 AND a <= 3 AND (a < 2 OR b = 3))",
            "(a = -2 AND (b = 2 OR c = 3)) OR (a = 1 AND b = 6 AND c = 7)",
            "a < b",
            "(a = -1 AND b = 2) OR (a = -1 AND c = 3)"})
    void testNotOfConditionsOnSeveralKeyColumns(String condition)
    {
        String sql = "SELECT a, b, c FROM %s WHERE v >= 0 AND (" + condition + ")";
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted("three"));
        assertThat(result.result().getMaterializedRows()).isNotEmpty();
        assertEqualsIgnoreOrder(result.result(), copied("three", sql));
        assertThat((String) trino.execute("EXPLAIN " + sql.formatted("three")).getOnlyValue()).contains("ranges of index PRIMARY").doesNotContain("Filter");
        assertThat(hintedRanges(result)).isEmpty();
    }

    @Test
    void testOfConditionsOnOtherColumns()
    {
        String sql = "SELECT a, b, v, w FROM %s WHERE v < w OR (v = 3 AND w = 2)";
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted("three"));
        assertThat(result.result().getMaterializedRows()).isNotEmpty();
        assertEqualsIgnoreOrder(result.result(), copied("three", sql));
        assertThat((String) trino.execute("EXPLAIN " + sql.formatted("three")).getOnlyValue()).doesNotContain("Filter");
        assertThat(hintedRanges(result)).hasSizeGreaterThan(5);
    }

    // A name of a key's column may be part of another one.
    @Test
    void testOfConditionsOnColumnsNamedAlike()
    {
        String sql = "SELECT k, v FROM %s WHERE \"x`k`y\" < v OR (v = 3 AND \"x`k`y\" = 4)";
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted("alike"));
        assertThat(result.result().getMaterializedRows()).isNotEmpty();
        assertEqualsIgnoreOrder(result.result(), copied("alike", sql));
        assertThat(hintedRanges(result)).hasSizeGreaterThan(5);
    }

    // The copy is made without the hint.
    private List<MaterializedRow> copied(String table, String sql)
    {
        trino.execute(trino.session(ImmutableMap.of("hypergraph_optimizer_enabled", "false")), "CREATE TABLE IF NOT EXISTS memory.default.%1$s AS SELECT * FROM %1$s".formatted(table));
        assertThat(trino.execute("SELECT count(*) FROM memory.default." + table).getOnlyValue()).hasToString(mysql.values("SELECT count(*) FROM test." + table).getFirst());
        return trino.execute(sql.formatted("memory.default." + table)).getMaterializedRows();
    }

    // It chooses by cost alone, and FORCE INDEX leaves it a scan of the whole index: N ranges would read the table N times.
    @Test
    void testNotWhereItWouldReadTheWholeIndex()
    {
        String range = HINT + " v FROM test.stale FORCE INDEX (`PRIMARY`) WHERE k BETWEEN 5000 AND 6000";
        assertThat(mysql.values("EXPLAIN FORMAT = TREE " + range).getFirst()).contains("Index scan on stale");
        assertThat(hintedRangesOfStale()).isEmpty();
        mysql.execute("ANALYZE TABLE test.stale");
        try {
            assertThat(mysql.values("EXPLAIN FORMAT = TREE " + range).getFirst()).contains("Index range scan on stale");
            assertThat(hintedRangesOfStale()).hasSizeGreaterThan(5);
        }
        finally {
            mysql.execute(STALE_STATISTICS);
        }
    }

    private List<String> hintedRangesOfStale()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of("target_rows_per_split", "1", "max_ranges_per_scan", "16")), "SELECT k, v, t FROM stale");
        assertThat(trino.count(result.queryId(), RANGES_PLANNED)).isGreaterThan(5);
        return hintedRanges(result);
    }

    @Test
    void testNotOfAggregations()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), "SELECT count(*), max(v) FROM one");
        assertThat(statements("/*mysql_pq %s %%*/ SELECT %%_partial_%%".formatted(result.queryId()))).hasSizeGreaterThan(5).noneMatch(statement -> statement.contains(HINT));
    }

    @Test
    void testOfASecondaryIndexByItsOwnColumnsOnly()
    {
        String sql = "SELECT v, k FROM %s WHERE v IS NULL OR v > 3";
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of("target_rows_per_split", "4000")), sql.formatted("secondary"));
        assertEqualsIgnoreOrder(result.result(), copied("secondary", sql));
        assertThat(ranges(result)).hasSizeGreaterThan(3).allMatch(statement -> statement.contains(HINT) && statement.contains("FORCE INDEX (`by_v`)"));
        // Runs of equal values longer than a range are cut within, by the primary key.
        result = trino.executeWithPlan(trino.session(ImmutableMap.of("target_rows_per_split", "500")), "SELECT few, k FROM runs");
        assertThat(ranges(result)).hasSizeGreaterThan(5).allMatch(statement -> !statement.contains(HINT) && statement.contains("FORCE INDEX (`by_few`)"));
    }

    private List<String> hintedRanges(MaterializedResultWithPlan result)
    {
        return ranges(result).stream().filter(sql -> sql.contains(HINT)).toList();
    }

    // MySQL records a statement a little after it has sent the last row.
    private List<String> ranges(MaterializedResultWithPlan result)
    {
        String pattern = "/*mysql_pq %s %%*/ SELECT %%FORCE INDEX%%".formatted(result.queryId());
        long splits = trino.count(result.queryId(), SPLITS_READ);
        Await.until("the statements of all ranges are recorded", () -> statements(pattern).size() == splits);
        return statements(pattern);
    }

    private List<String> statements(String pattern)
    {
        return mysql.values("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%s'".formatted(pattern));
    }
}
