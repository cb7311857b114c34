package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

import static java.lang.Math.sqrt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that a sample is a random share of the table's ranges, and that nothing else is computed of the whole table. */
@TestInstance(PER_CLASS)
class TestTableSample
{
    private static final int ROWS = 100_000;
    // Parts of the table by key, each of several ranges.
    private static final int PARTS = 20;
    private static final int SAMPLES = 40;
    // One value of a million is farther from the mean of a normal distribution.
    private static final double SIGMAS = 5;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        String numbers = "WITH RECURSIVE s (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n, REPEAT('x', 20) FROM s".formatted(ROWS - 1);
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY, filler VARCHAR(20))",
                "CREATE TABLE test.parts (n BIGINT PRIMARY KEY, filler VARCHAR(20)) PARTITION BY HASH (n) PARTITIONS 3",
                "CREATE TABLE test.keyless (n BIGINT, filler VARCHAR(20))",
                "CREATE VIEW test.seen AS SELECT * FROM test.numbers",
                "INSERT INTO test.numbers " + numbers,
                "INSERT INTO test.parts " + numbers,
                "INSERT INTO test.keyless " + numbers,
                "ANALYZE TABLE test.numbers, test.parts, test.keyless");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("join-pushdown.strategy", "EAGER", "native-scan-enabled", "false"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    // Each part of the table is read with the same probability, and a sample's size varies by no more than its ranges explain.
    @ParameterizedTest
    @CsvSource({"numbers, 10", "numbers, 50", "parts, 20"})
    void testEachRowHasTheSameProbability(String table, int percent)
    {
        double ratio = percent / 100.0;
        long[][] rows = IntStream.range(0, SAMPLES).mapToObj(_ -> sample(table, percent)).toArray(long[][]::new);
        double[] sizes = Arrays.stream(rows).mapToDouble(parts -> Arrays.stream(parts).sum()).toArray();
        double spread = spread(sizes);
        assertThat(mean(sizes)).isCloseTo(ROWS * ratio, within(SIGMAS * spread / sqrt(SAMPLES)));
        // One range holds at most a hundredth of the table, so a hundred of them are drawn at least.
        assertThat(spread).isLessThan(2 * ROWS * sqrt(ratio * (1 - ratio) / 100));
        // All parts are alike. By its own spread alone a part that was seldom drawn would look as if it varied little.
        double spreadOfPart = sqrt(IntStream.range(0, PARTS).mapToDouble(part -> spread(part(rows, part))).map(one -> one * one).average().orElseThrow());
        for (int i = 0; i < PARTS; i++) {
            assertThat(mean(part(rows, i))).as("part %s", i).isCloseTo(ROWS * ratio / PARTS, within(SIGMAS * spreadOfPart / sqrt(SAMPLES)));
        }
    }

    private static double[] part(long[][] rows, int part)
    {
        return Arrays.stream(rows).mapToDouble(parts -> parts[part]).toArray();
    }

    private long[] sample(String table, int percent)
    {
        long[] parts = new long[PARTS];
        for (MaterializedRow row : trino.execute("SELECT n / %s, count(*) FROM %s TABLESAMPLE SYSTEM (%s) GROUP BY 1".formatted(ROWS / PARTS, table, percent)).getMaterializedRows()) {
            parts[((Long) row.getField(0)).intValue()] = (long) row.getField(1);
        }
        return parts;
    }

    private static double mean(double[] values)
    {
        return DoubleStream.of(values).average().orElseThrow();
    }

    private static double spread(double[] values)
    {
        double mean = mean(values);
        return sqrt(DoubleStream.of(values).map(value -> (value - mean) * (value - mean)).sum() / (values.length - 1));
    }

    @Test
    void testEnds()
    {
        assertThat(count("numbers TABLESAMPLE SYSTEM (100)")).isEqualTo(ROWS);
        assertThat(count("numbers TABLESAMPLE SYSTEM (0)")).isZero();
    }

    // MySQL would compute them of the whole table.
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "SELECT count(*), min(n) FROM numbers TABLESAMPLE SYSTEM (50); Aggregate",
            "SELECT n FROM numbers TABLESAMPLE SYSTEM (50) ORDER BY n LIMIT 5; TopN",
            "SELECT n FROM numbers TABLESAMPLE SYSTEM (50) LIMIT 5; Limit",
            "SELECT * FROM numbers TABLESAMPLE SYSTEM (50) JOIN parts ON numbers.n = parts.n; InnerJoin",
            "SELECT * FROM parts JOIN numbers TABLESAMPLE SYSTEM (50) ON numbers.n = parts.n; InnerJoin"})
    void testWhatIsNotPushedIntoASample(String sql, String operation)
    {
        assertThat(explain(sql)).contains("read=[sample 0.5 of ranges of index PRIMARY from EXTENSION]").contains(operation);
        assertThat(explain(sql.replace(" TABLESAMPLE SYSTEM (50)", ""))).doesNotContain(operation);
    }

    @Test
    void testAnswersAreOfTheSample()
    {
        assertThat(IntStream.range(0, 20).mapToObj(_ -> trino.execute("SELECT n FROM numbers TABLESAMPLE SYSTEM (5) ORDER BY n LIMIT 1").getMaterializedRows()))
                .anyMatch(rows -> rows.size() == 1 && (long) rows.getFirst().getField(0) > 0);
        assertThat(count("numbers TABLESAMPLE SYSTEM (20)")).isBetween(ROWS / 20L, ROWS / 2L);
        assertThat(count("numbers TABLESAMPLE SYSTEM (20) JOIN parts USING (n)")).isBetween(ROWS / 20L, ROWS / 2L);
        assertThat(trino.execute("SELECT n FROM numbers TABLESAMPLE SYSTEM (50) LIMIT 5").getRowCount()).isEqualTo(5);
    }

    @Test
    void testFiltersAndColumnsArePushedIntoASample()
    {
        String sampled = "numbers TABLESAMPLE SYSTEM (50) WHERE n < %s".formatted(ROWS / 2);
        assertThat(explain("SELECT n FROM " + sampled)).contains("sample 0.5 of").contains("constraint on [n]").doesNotContain("Filter");
        assertThat(count(sampled)).isBetween(ROWS / 8L, ROWS * 3L / 8);
        assertThat(count("(SELECT n FROM numbers WHERE n < %s) TABLESAMPLE SYSTEM (50)".formatted(ROWS / 2))).isBetween(ROWS / 8L, ROWS * 3L / 8);
        assertThat(trino.execute("SELECT max(n) FROM " + sampled).getOnlyValue()).isNotNull().isNotEqualTo((long) ROWS - 1);
    }

    // If a table is one split, all or nothing of it is read, as with Trino's own connector.
    @ParameterizedTest
    @ValueSource(strings = {"keyless", "seen", "(SELECT n FROM numbers LIMIT 100)"})
    void testOneSplitIsAllOrNothing(String relation)
    {
        long all = count(relation);
        long[] counts = IntStream.range(0, SAMPLES).mapToLong(_ -> count(relation + " TABLESAMPLE SYSTEM (50)")).distinct().sorted().toArray();
        assertThat(counts).containsExactly(0, all);
    }

    @Test
    void testLimitIsNoSampleOfTheTable()
    {
        assertThat(explain("SELECT n FROM (SELECT n FROM numbers LIMIT 100) TABLESAMPLE SYSTEM (50)")).contains("read=[one split: limit]");
    }

    // A second sample is one of the first's splits.
    @Test
    void testSampleOfASample()
    {
        assertThat(count("(SELECT n FROM numbers TABLESAMPLE SYSTEM (50)) TABLESAMPLE SYSTEM (50)")).isBetween(ROWS / 20L, ROWS / 2L);
    }

    // Trino takes the rows.
    @Test
    void testBernoulliStaysWithTrino()
    {
        assertThat(explain("SELECT n FROM numbers TABLESAMPLE BERNOULLI (50)")).contains("read=[ranges of index PRIMARY from EXTENSION]").contains("random() < ");
        assertThat(count("numbers TABLESAMPLE BERNOULLI (50)")).isBetween(ROWS * 48L / 100, ROWS * 52L / 100);
    }

    @Test
    void testRangesBySql()
    {
        Session session = trino.session(ImmutableMap.of("range_source", "SQL", "snapshot_mode", "NONE"));
        assertThat((long) trino.execute(session, "SELECT count(*) FROM numbers TABLESAMPLE SYSTEM (50)").getOnlyValue()).isBetween(ROWS / 5L, ROWS * 4L / 5);
    }

    @Test
    void testStatistics()
    {
        double all = rowCount("numbers");
        assertThat(rowCount("(SELECT * FROM numbers TABLESAMPLE SYSTEM (10))")).isCloseTo(all / 10, within(all / 1000));
    }

    // The last row of SHOW STATS is the table's.
    private double rowCount(String relation)
    {
        return (double) trino.execute("SHOW STATS FOR " + relation).getMaterializedRows().getLast().getField(4);
    }

    private long count(String relation)
    {
        return (long) trino.execute("SELECT count(*) FROM " + relation).getOnlyValue();
    }

    private String explain(String sql)
    {
        return (String) trino.execute("EXPLAIN " + sql).getOnlyValue();
    }
}
