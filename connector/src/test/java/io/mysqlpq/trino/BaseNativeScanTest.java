package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Holds a table of all types that the extension reads, and compares what is read of it by column batches and by SQL. */
@TestInstance(PER_CLASS)
abstract class BaseNativeScanTest
{
    static final int ROWS = 4_000;
    static final Map<String, String> NATIVE = ImmutableMap.of("native_aggregation_enabled", "false");
    static final Map<String, String> NATIVE_AGGREGATION = ImmutableMap.of();
    static final Map<String, String> BY_SQL = ImmutableMap.of("native_scan_enabled", "false");
    // Each with some of the values that it begins, ends and is unusual with.
    static final Map<String, List<String>> COLUMNS = ImmutableMap.<String, List<String>>builder()
            .put("t1 TINYINT", List.of("-128", "0", "127"))
            .put("t2 TINYINT UNSIGNED", List.of("0", "255"))
            .put("t3 SMALLINT", List.of("-32768", "32767"))
            .put("t4 SMALLINT UNSIGNED", List.of("0", "65535"))
            .put("t5 MEDIUMINT", List.of("-8388608", "8388607"))
            .put("t6 MEDIUMINT UNSIGNED", List.of("0", "16777215"))
            .put("t7 INT", List.of("-2147483648", "-1", "2147483647"))
            .put("t8 INT UNSIGNED", List.of("0", "4294967295"))
            .put("t9 BIGINT", List.of("-9223372036854775808", "9223372036854775807"))
            .put("t10 BIGINT UNSIGNED", List.of("0", "18446744073709551615"))
            .put("b1 BIT(1)", List.of("b'0'", "b'1'"))
            .put("d1 DECIMAL(12, 2)", List.of("-9999999999.99", "0", "0.01", "9999999999.99"))
            .put("d2 DECIMAL(18, 18)", List.of("0.000000000000000001", "-0.5"))
            .put("d3 DECIMAL(38, 10)", List.of("-9999999999999999999999999999.9999999999", "1e-10", "9999999999999999999999999999.9999999999"))
            .put("f1 FLOAT", List.of("0", "-3.4028234e38", "1e-38", "0.1", "-0e0", "100000.5", "100001.5", "1000003", "16777217", "123456.7", "-0.000123456789"))
            .put("f2 DOUBLE", List.of("-1.7976931348623157e308", "5e-324", "0.1", "-0e0"))
            .put("c1 DATE", List.of("'0001-01-01'", "'1969-12-31'", "'2000-02-29'", "'9999-12-31'"))
            .put("c2 DATETIME", List.of("'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'"))
            .put("c3 DATETIME(3)", List.of("'1969-12-31 23:59:59.999'", "'2024-02-29 01:02:03.004'"))
            .put("c4 DATETIME(6)", List.of("'2024-02-29 01:02:03.000004'"))
            .put("c5 TIMESTAMP NULL", List.of("'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'"))
            .put("c6 TIMESTAMP(3) NULL", List.of("'2024-02-29 01:02:03.004'"))
            .put("c7 TIMESTAMP(6) NULL", List.of("'2024-02-29 01:02:03.000004'", "'1970-01-01 00:00:01.999999'"))
            .put("y YEAR", List.of("1901", "1970", "2155"))
            .put("h1 TIME", List.of("'00:00:00'", "'23:59:59'"))
            .put("h2 TIME(3)", List.of("'00:00:00.001'", "'12:34:56.789'"))
            .put("h3 TIME(6)", List.of("'00:00:00.000001'", "'23:59:59.999999'"))
            .put("e1 ENUM ('a', 'B', 'é漢', '') COLLATE utf8mb4_0900_ai_ci", List.of("'a'", "'B'", "'é漢'", "''"))
            .put("e2 ENUM ('x', 'ÿ') CHARACTER SET latin1", List.of("'x'", "'ÿ'"))
            .put("e3 SET ('b', 'A', 'é漢') COLLATE utf8mb4_0900_ai_ci", List.of("''", "'b'", "'b,A'", "'b,A,é漢'"))
            .put("e4 SET ('', 'x', 'ÿ', '4', '5', '6', '7', '8', '9', '10', '11') CHARACTER SET latin1", List.of("0", "3", "'x,ÿ'", "2047"))
            .put("s1 CHAR(10)", List.of("''", "'a  '", "'é漢😀'"))
            .put("s2 VARCHAR(300)", List.of("''", "'a  '", "'é漢😀'", "REPEAT('x', 300)"))
            .put("s3 TEXT", List.of("''", "REPEAT('y', 100)"))
            .put("s4 VARCHAR(20) CHARACTER SET latin1", List.of("'é'", "'ÿ '"))
            .put("s5 CHAR(20) CHARACTER SET utf16", List.of("'😀 '", "'z'"))
            .put("x1 BINARY(5)", List.of("X'00'", "X'FF0000'"))
            .put("x2 VARBINARY(300)", List.of("''", "X'0000'"))
            .put("x3 LONGBLOB", List.of("X'00FF'"))
            // To be compared with those above.
            .put("d1b DECIMAL(12, 2)", List.of("0", "0.01"))
            .put("c2b DATETIME", List.of("'1000-01-01 00:00:00'"))
            .put("s1b CHAR(10)", List.of("'a'", "'é漢😀'"))
            .put("s2b VARCHAR(300)", List.of("''", "'a'"))
            .put("s4b VARCHAR(20) CHARACTER SET latin1", List.of("'é'", "'ÿ'"))
            .put("x2b VARBINARY(300)", List.of("X'00'"))
            .put("f2b DOUBLE", List.of("0e0", "0.1"))
            .buildOrThrow();

    private final Random random = Seed.random();
    MysqlServer mysql;
    TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "10000").start();
        mysql.execute("CREATE DATABASE test", "CREATE TABLE test.t (n INT PRIMARY KEY, %s)".formatted(String.join(", ", COLUMNS.keySet())));
        for (int first = 0; first < ROWS; first += 500) {
            mysql.execute("INSERT INTO test.t VALUES " + IntStream.range(first, first + 500).mapToObj(this::row).collect(joining(", ")));
        }
        mysql.execute("ANALYZE TABLE test.t");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    private String row(int n)
    {
        return COLUMNS.values().stream().map(values -> random.nextInt(5) == 0 ? "NULL" : values.get(random.nextInt(values.size()))).collect(joining(", ", "(%d, ".formatted(n), ")"));
    }

    /** All of it natively. */
    QueryId assertSame(String sql, int rows)
    {
        QueryId query = assertSame(sql);
        assertThat(trino.count(query, READ_NATIVELY)).as(sql).isEqualTo(trino.count(query, SPLITS_READ)).isPositive();
        assertThat(trino.count(query, ROWS_READ)).as(sql).isEqualTo(rows);
        return query;
    }

    QueryId assertSame(String sql)
    {
        MaterializedResultWithPlan batches = trino.executeWithPlan(trino.session(NATIVE), sql);
        assertThat(texts(batches.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        return batches.queryId();
    }

    String plan(Map<String, String> properties, String sql)
    {
        return (String) trino.execute(trino.session(properties), "EXPLAIN " + sql).getOnlyValue();
    }

    static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(row -> Arrays.deepToString(row.getFields().toArray())).sorted().toList();
    }
}
