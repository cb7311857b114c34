package io.mysqlpq.trino;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.sql.planner.plan.AggregationNode;
import io.trino.sql.planner.plan.FilterNode;
import io.trino.sql.planner.plan.JoinNode;
import io.trino.testing.MaterializedResult;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.mysqlpq.trino.TestingTrino.has;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Compares what MySQL computes with what Trino computes of the same rows. */
@TestInstance(PER_CLASS)
class TestPushdownExactness
{
    private static final int ROWS = 2_000;
    private static final int ROWS_PER_INSERT = 500;
    private static final Map<String, String> ALL_IN_TRINO = ImmutableMap.of("aggregation_pushdown_enabled", "false", "join_pushdown_enabled", "false", "complex_expression_pushdown", "false");
    private static final Map<String, String> ALL_IN_MYSQL = ImmutableMap.of("join_pushdown_strategy", "EAGER", "native_scan_enabled", "false", "aggregation_parallelism", "1");
    private static final List<String> NUMBERS = ImmutableList.of("b", "iu", "d0", "d2", "d9", "d18", "bu", "d38");
    // Trino adds and averages these as BIGINT.
    private static final List<String> SMALL_INTEGERS = ImmutableList.of("tiny", "small", "i");
    private static final List<String> ORDERED = ImmutableList.<String>builder()
            .addAll(NUMBERS)
            .add("tiny", "tinyu", "small", "i", "x", "day", "moment", "instant", "clock", "bytes", "text", "bin_text", "choice")
            .build();
    // Which Trino counts and compares by itself: see TestInvalidDates.
    private static final Set<String> DATES = ImmutableSet.of("day", "moment", "instant");
    // The lesser one first.
    private static final Map<String, List<String>> COMPARED = ImmutableMap.<String, List<String>>builder()
            .put("b", List.of("-1", "2"))
            .put("iu", List.of("1", "3"))
            .put("tiny", List.of("-1", "1"))
            .put("tinyu", List.of("1", "2"))
            .put("small", List.of("-1", "1"))
            .put("i", List.of("-1", "1"))
            .put("d0", List.of("-1", "1"))
            .put("d2", List.of("-1.05", "1.05"))
            .put("d38", List.of("-1.0", "1.0"))
            .put("bu", List.of("DECIMAL '1844674407370955100'", "DECIMAL '18446744073709551000'"))
            .put("x", List.of("DOUBLE '0.25'", "DOUBLE '0.75'"))
            .put("day", List.of("DATE '2000-01-01'", "DATE '4000-01-01'"))
            .put("moment", List.of("TIMESTAMP '2024-03-05 06:00:00.000001'", "TIMESTAMP '2024-03-15 06:00:00.000001'"))
            .put("instant", List.of("TIMESTAMP '2024-10-27 01:30:00.000001 UTC'", "TIMESTAMP '2024-10-27 02:30:00.000001 UTC'"))
            .put("clock", List.of("TIME '05:00:00.000001'", "TIME '07:00:00.000001'"))
            .put("bytes", List.of("X'41'", "X'8000'"))
            .buildOrThrow();
    private static final List<String> OTHERS = ImmutableList.of("f", "y", "flag", "blob_bytes");

    private final Random random = Seed.random();
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute("CREATE DATABASE test", """
                CREATE TABLE test.p (
                    n INT PRIMARY KEY, g SMALLINT,
                    b BIGINT, iu INT UNSIGNED, d0 DECIMAL(18,0), d2 DECIMAL(12,2), d9 DECIMAL(10,9), d18 DECIMAL(18,18), bu BIGINT UNSIGNED, d38 DECIMAL(38,10), d38_coarse DECIMAL(38,2), d38_fine DECIMAL(38,30),
                    tiny TINYINT, tinyu TINYINT UNSIGNED, small SMALLINT, i INT, day DATE, moment DATETIME(6), instant TIMESTAMP(6) NULL, clock TIME(6), bytes VARBINARY(20),
                    x DOUBLE, f FLOAT, y YEAR, text VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, bin_text VARCHAR(20) COLLATE utf8mb4_bin, flag BIT(1), blob_bytes BLOB, choice ENUM('z', 'b', 'A'))""");
        for (int first = 0; first < ROWS; first += ROWS_PER_INSERT) {
            mysql.execute("INSERT INTO test.p VALUES " + IntStream.range(first, first + ROWS_PER_INSERT).mapToObj(this::row).collect(joining(", ")));
        }
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "500"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    // Few and small values, so that groups and averages meet at halves; and the greatest ones.
    private String row(int n)
    {
        List<String> values = new ArrayList<>(List.of(
                integer(100_000_000_000_000L), integer(7).replace("-", ""), integer(9_999_999_999_999_999L), decimal(2), decimal(9), "0.%018d".formatted(random.nextInt(4)), "1844674407370955%d".formatted(random.nextInt(1616)), integer(99_999) + "." + random.nextInt(3), integer(99), decimal(30),
                integer(3), "" + random.nextInt(4), integer(3), integer(2_000_000_000),
                "'%04d-%02d-%02d'".formatted(1 + random.nextInt(9999), 1 + random.nextInt(12), 1 + random.nextInt(28)),
                "'2024-03-%02d %02d:00:00.%06d'".formatted(1 + random.nextInt(28), random.nextInt(24), random.nextInt(3)),
                "'2024-10-27 %02d:30:00.%06d'".formatted(random.nextInt(4), random.nextInt(3)),
                "'%02d:00:00.00000%d'".formatted(random.nextInt(24), random.nextInt(3)),
                "X'%02x%s'".formatted(random.nextInt(256), random.nextBoolean() ? "00" : ""),
                random.nextInt(10) == 0 ? "-0e0" : "" + random.nextInt(5) / 4.0, "0.1", "" + (2000 + random.nextInt(5)),
                text(), text(), "" + random.nextInt(2), "CONCAT(REPEAT('x', 2000), '%s')".formatted(random.nextInt(9)), "" + (1 + random.nextInt(3))));
        return Stream.concat(
                Stream.of("" + n, nullOr("" + random.nextInt(12))),
                values.stream().map(this::nullOr)).collect(joining(", ", "(", ")"));
    }

    private String nullOr(String value)
    {
        return random.nextInt(8) == 0 ? "NULL" : value;
    }

    private String integer(long greatest)
    {
        return "" + (random.nextInt(5) == 0 ? random.nextLong(-greatest, greatest + 1) : random.nextInt(-3, 4));
    }

    // The last digits, so that averages end near the half of one.
    private String decimal(int scale)
    {
        return "%s%d.%s".formatted(random.nextBoolean() ? "-" : "", random.nextInt(3), ("%0" + scale + "d").formatted(random.nextInt(20)));
    }

    private String text()
    {
        return "'%s'".formatted(List.of("a", "A", "á", "a ", "b", "").get(random.nextInt(6)));
    }

    @Test
    void testAggregatesOfOrderedColumns()
    {
        ORDERED.parallelStream().forEach(column -> {
            assertPushed("SELECT g, count(%1$s), count(DISTINCT %1$s), min(%1$s), max(%1$s) FROM p GROUP BY g".formatted(column), !DATES.contains(column));
            assertPushed("SELECT count(%1$s), count(DISTINCT %1$s), min(%1$s), max(%1$s) FROM p".formatted(column), !DATES.contains(column));
            assertPushed("SELECT %1$s, count(*), min(n) FROM p GROUP BY %1$s".formatted(column));
            assertPushed("SELECT DISTINCT %s FROM p".formatted(column));
        });
    }

    @Test
    void testSumsAndAverages()
    {
        Stream.concat(NUMBERS.stream(), SMALL_INTEGERS.stream()).parallel().forEach(column -> {
            assertPushed("SELECT g, sum(%1$s) FROM p GROUP BY g".formatted(column));
            assertPushed("SELECT sum(%1$s) FROM p WHERE n < 0".formatted(column));
        });
        Stream.concat(Stream.of("b", "iu", "d0", "d2", "d9", "d18"), SMALL_INTEGERS.stream()).parallel().forEach(column -> {
            assertPushed("SELECT g, avg(%1$s) FROM p GROUP BY g".formatted(column));
            assertPushed("SELECT avg(%1$s) FROM p".formatted(column));
            assertPushed("SELECT avg(%1$s) FROM p WHERE n < 0".formatted(column));
            assertPushed("SELECT bu, avg(%1$s) FROM p GROUP BY bu".formatted(column));
        });
        assertPushed("SELECT g, sum(DISTINCT d2), sum(DISTINCT b) FROM p GROUP BY g");
    }

    @Test
    void testWiderIntegersOfAFilteredScan()
    {
        for (String sql : List.of(
                "SELECT g, sum(i), sum(tiny) FROM p WHERE i > 1 AND tiny IN (0, 1, 2) GROUP BY g",
                "SELECT sum(i) FROM p WHERE i IS NULL OR i < 0",
                "SELECT count(CAST(i AS BIGINT)), max(CAST(small AS INTEGER)) FROM p WHERE CAST(i AS BIGINT) < 5000000000")) {
            assertPushed(sql);
        }
        for (String sql : List.of(
                "SELECT n, CAST(i AS BIGINT) FROM p WHERE i > 1",
                "SELECT i, CAST(i AS BIGINT) FROM p",
                "SELECT CAST(n AS BIGINT), n + small FROM p WHERE n BETWEEN 10 AND 1500",
                "SELECT a.n, c.n FROM p a JOIN p c ON a.i = c.b WHERE a.n < 300",
                "SELECT CAST(x AS BIGINT) FROM (SELECT n AS x FROM p) WHERE CAST(x AS BIGINT) > 1990")) {
            assertSame(sql);
            assertThat((String) trino.execute(session(ALL_IN_TRINO), "EXPLAIN " + sql).getOnlyValue()).contains("read=[ranges of index PRIMARY");
        }
    }

    @Test
    void testDoubles()
    {
        for (String function : List.of("sum", "avg", "min", "max", "stddev", "stddev_pop", "stddev_samp", "variance", "var_pop", "var_samp")) {
            String sql = "SELECT %s(x) FROM p".formatted(function);
            MaterializedResultWithPlan inMysql = trino.executeWithPlan(session(ALL_IN_MYSQL), sql);
            assertThat((double) inMysql.result().getOnlyValue()).as(sql)
                    .isCloseTo((double) trino.execute(session(ALL_IN_TRINO), sql).getOnlyValue(), offset(1e-9));
            assertThat(has(inMysql, AggregationNode.class)).as(sql).isFalse();
            assertThat(trino.execute(session(ALL_IN_MYSQL), sql + " WHERE n < 0").getOnlyValue()).as(sql).isNull();
        }
    }

    @Test
    void testAveragesThatStayInTrino()
    {
        for (String column : List.of("f", "d38", "d38_coarse", "d38_fine")) {
            assertPushed("SELECT g, avg(%s) FROM p GROUP BY g".formatted(column), false);
        }
    }

    // In the sessions of readers MySQL must divide as in any other.
    @Test
    void testViewsAndGeneratedColumnsDivideAsEver()
    {
        mysql.execute(
                "CREATE TABLE test.thirds (n INT PRIMARY KEY, d DECIMAL(10,2), third DECIMAL(30,20) AS (d / 3))",
                "INSERT INTO test.thirds (n, d) VALUES (1, 1.00), (2, 2.00)",
                "CREATE VIEW test.thirds_view AS SELECT n, d / 3 AS third, d DIV 3 AS whole FROM test.thirds");
        for (String table : List.of("thirds", "thirds_view")) {
            assertThat(sorted(ALL_IN_MYSQL, "SELECT n, CAST(third AS VARCHAR) FROM " + table)).hasSize(2).isEqualTo(sorted(ALL_IN_MYSQL, "SELECT n, CAST(third AS VARCHAR) FROM TABLE(mysql_pq.system.query(query => 'SELECT n, third FROM test.%s'))".formatted(table)));
        }
    }

    @Test
    void testColumnsThatStayInTrino()
    {
        for (String column : OTHERS) {
            assertPushed("SELECT g, count(%s) FROM p GROUP BY g".formatted(column));
            assertPushed("SELECT %1$s, count(*) FROM p GROUP BY %1$s".formatted(column), false);
            assertPushed("SELECT count(DISTINCT %s) FROM p".formatted(column), false);
            assertPushed("SELECT DISTINCT %s FROM p".formatted(column), false);
            if (!column.equals("flag")) {
                assertPushed("SELECT g, min(%1$s), max(%1$s) FROM p GROUP BY g".formatted(column), false);
            }
        }
        assertPushed("SELECT g, i, count(*) FROM p GROUP BY GROUPING SETS ((g), (i))", false);
        assertPushed("SELECT g, count(*) FILTER (WHERE b > 0) FROM p GROUP BY g", false);
    }

    @Test
    void testComparisons()
    {
        for (String comparison : List.of("tinyu = small", "b <> d0", "b < i", "d2 <= d9", "iu > b", "moment >= moment", "small IS DISTINCT FROM tinyu", "small IS NOT DISTINCT FROM tinyu", "NOT (small = tinyu OR tiny IS NULL)", "text = bin_text", "bin_text <> text", "bytes < bytes", "f < x", "f = 0.1", "small = 1 OR text = 'a'", "x = -0.0 OR n = 3", "y < day")) {
            assertSame("SELECT n FROM p WHERE " + comparison);
        }
        assertThat(explain("SELECT n FROM p WHERE tinyu = small OR small IS NULL")).doesNotContain("Filter");
    }

    /** Trino's memory connector says what the answers are. Ours has to leave Trino no filter. */
    @Test
    void testComparisonsAreDecidedInMysql()
    {
        trino.addMemory();
        trino.execute("CREATE TABLE memory.default.p AS SELECT * FROM p");
        COMPARED.entrySet().parallelStream().forEach(compared -> {
            String column = compared.getKey();
            List<String> values = compared.getValue();
            for (String filter : List.of("%1$s = %2$s", "%1$s <> %2$s", "%1$s < %2$s", "%1$s >= %3$s", "%1$s BETWEEN %2$s AND %3$s", "%1$s IN (%2$s, %3$s)", "%1$s NOT IN (%2$s, %3$s)", "%1$s IS NULL", "%1$s IS NULL OR %1$s = %3$s")) {
                // Trino hands over no range of DOUBLE that NaN would be outside of.
                if (column.equals("x") && (filter.contains("<>") || filter.contains("NOT IN"))) {
                    continue;
                }
                String sql = "SELECT n FROM %s WHERE " + filter.formatted(column, values.getFirst(), values.getLast());
                MaterializedResultWithPlan filtered = trino.executeWithPlan(session(ALL_IN_MYSQL), sql.formatted("p"));
                assertThat(has(filtered, FilterNode.class)).as(sql).isFalse();
                assertThat(sorted(filtered.result())).as(sql).isEqualTo(sorted(ALL_IN_MYSQL, sql.formatted("memory.default.p")));
            }
            // Rows on both sides, or the comparison proves nothing.
            assertThat((long) trino.execute("SELECT count(*) FROM p WHERE %s BETWEEN %s AND %s".formatted(column, values.getFirst(), values.getLast())).getOnlyValue()).as(column).isBetween(1L, ROWS - 1L);
        });
    }

    @Test
    void testJoins()
    {
        String few = "(SELECT * FROM p WHERE n < 60)";
        ORDERED.parallelStream().forEach(column -> {
            for (String join : List.of("JOIN", "LEFT JOIN", "RIGHT JOIN")) {
                String sql = "SELECT a.n, c.n FROM %s a %s %s c ON a.%s = c.%s".formatted(few, join, few, column, column);
                assertThat(has(assertSame(sql), JoinNode.class)).as(sql).isFalse();
            }
            assertSame("SELECT a.n, c.n FROM %s a JOIN %s c ON a.%s < c.%s".formatted(few, few, column, column));
        });
        for (String sql : List.of(
                "SELECT a.n, c.n FROM %s a FULL JOIN %s c ON a.b = c.b",
                "SELECT a.n, c.n FROM %s a JOIN %s c ON a.text = c.text",
                "SELECT a.n, c.n FROM %s a JOIN %s c ON a.text <> c.bin_text AND a.n = c.n",
                "SELECT a.n, c.n FROM %s a JOIN %s c ON a.f = c.f",
                "SELECT a.n, c.n FROM %s a JOIN %s c ON a.g = c.g AND a.n < c.n",
                "SELECT a.n, c.n FROM %s a JOIN %s c ON a.g IS NOT DISTINCT FROM c.g",
                "SELECT c.g, count(*), sum(a.d2) FROM %s a JOIN %s c ON a.g = c.g GROUP BY c.g")) {
            assertSame(sql.formatted(few, few));
        }
    }

    @Test
    void testTopN()
    {
        Stream.concat(ORDERED.stream(), OTHERS.stream()).parallel().forEach(column -> {
            for (String order : List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST")) {
                String sql = "SELECT %1$s FROM p ORDER BY %1$s %2$s LIMIT 700".formatted(column, order);
                assertThat(trino.execute(session(ALL_IN_MYSQL), sql).getMaterializedRows()).as(sql)
                        .isEqualTo(trino.execute(session(Map.of("topn_pushdown_enabled", "false")), sql).getMaterializedRows());
            }
        });
    }

    private void assertPushed(String sql)
    {
        assertPushed(sql, true);
    }

    private void assertPushed(String sql, boolean pushed)
    {
        assertThat(has(assertSame(sql), AggregationNode.class)).as(sql).isEqualTo(!pushed);
    }

    private String explain(String sql)
    {
        return (String) trino.execute(session(ALL_IN_MYSQL), "EXPLAIN " + sql).getOnlyValue();
    }

    private MaterializedResultWithPlan assertSame(String sql)
    {
        MaterializedResultWithPlan inMysql = trino.executeWithPlan(session(ALL_IN_MYSQL), sql);
        assertThat(sorted(inMysql.result())).as(sql).isEqualTo(sorted(ALL_IN_TRINO, sql));
        return inMysql;
    }

    private List<String> sorted(Map<String, String> properties, String sql)
    {
        return sorted(trino.execute(session(properties), sql));
    }

    private static List<String> sorted(MaterializedResult result)
    {
        // Which of the two equal zeros stands for both depends on the order of the rows, in Trino too.
        return result.getMaterializedRows().stream().map(MaterializedRow::toString).map(row -> row.replace("-0.0,", "0.0,").replace("-0.0]", "0.0]")).sorted().toList();
    }

    private Session session(Map<String, String> properties)
    {
        return trino.session(properties);
    }
}
