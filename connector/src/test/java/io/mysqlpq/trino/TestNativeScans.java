package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_STOPPED;
import static io.mysqlpq.trino.metrics.ReadMetrics.RANGES_MERGED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads the same rows by the extension's column batches and by SQL. */
@TestInstance(PER_CLASS)
class TestNativeScans
{
    private static final int ROWS = 4_000;
    private static final Map<String, String> NATIVE = ImmutableMap.of("native_aggregation_enabled", "false");
    private static final Map<String, String> NATIVE_AGGREGATION = ImmutableMap.of();
    private static final Map<String, String> BY_SQL = ImmutableMap.of("native_scan_enabled", "false");
    // Each with some of the values that it begins, ends and is unusual with.
    private static final Map<String, List<String>> COLUMNS = ImmutableMap.<String, List<String>>builder()
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
    private MysqlServer mysql;
    private TestingTrino trino;

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
        trino = new TestingTrino(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000"));
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

    @Test
    void testEveryType()
    {
        for (String definition : COLUMNS.keySet()) {
            assertSame("SELECT n, %s FROM t".formatted(definition.substring(0, definition.indexOf(' '))), ROWS);
        }
        assertSame("SELECT * FROM t", ROWS);
        // Without columns.
        assertSame("SELECT 1 FROM t WHERE rand() < 2", ROWS);
    }

    /** A filter on the key says where to begin and to end, also one that is known only when the range is read. */
    @Test
    void testPartsOfTheKey()
            throws SQLException
    {
        mysql.execute(
                "CREATE TABLE test.keyed (a INT, b DATE, v VARCHAR(300), PRIMARY KEY (a, b))",
                "CREATE TABLE test.falling (a BIGINT UNSIGNED, b INT, v VARCHAR(300), PRIMARY KEY (a DESC, b))",
                "CREATE TABLE test.dated (a DATE PRIMARY KEY, v VARCHAR(300))",
                "CREATE TABLE test.few (n INT)",
                "INSERT INTO test.keyed SELECT n DIV 7, DATE'2024-01-01' + INTERVAL n % 7 DAY, REPEAT('x', 200) FROM test.t",
                "INSERT INTO test.falling SELECT n DIV 7, n, REPEAT('x', 200) FROM test.t",
                "INSERT INTO test.dated SELECT DATE'2000-01-01' + INTERVAL n DAY, REPEAT('x', 200) FROM test.t",
                "INSERT INTO test.few SELECT DISTINCT n DIV 7 FROM test.t WHERE n DIV 7 BETWEEN 200 AND 400 AND n DIV 7 <> 300",
                "ANALYZE TABLE test.keyed, test.falling, test.dated, test.few");
        long all = pagesOf("SELECT sum(length(v)) FROM keyed");
        assertThat(all).isGreaterThan(50);
        for (String sql : List.of(
                "SELECT a, b, v FROM keyed WHERE a BETWEEN 200 AND 400",
                "SELECT a, b, v FROM keyed WHERE a BETWEEN 200 AND 300 OR a BETWEEN 310 AND 400",
                "SELECT a, b, v FROM keyed WHERE a > 360",
                "SELECT a, b, v FROM keyed WHERE a < 212 AND b > DATE '2024-01-02'",
                "SELECT a, b, v FROM falling WHERE a BETWEEN 200 AND 400",
                "SELECT a, b, v FROM falling WHERE a > 360",
                "SELECT a, b, v FROM falling WHERE a < 212",
                "SELECT a, v FROM dated WHERE a BETWEEN DATE '2004-01-01' AND DATE '2008-01-01'",
                "SELECT a, b, v FROM keyed JOIN few ON a = n")) {
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).as(sql).isGreaterThan(1);
            assertThat(pagesOf(sql)).as(sql).isBetween(1L, all / 2);
        }
    }

    /** MySQL may hold days between two of the calendar, which a filter lets through that does not name them. */
    @Test
    void testFiltersBesideDatesOfNoCalendar()
    {
        mysql.execute("SET GLOBAL sql_mode = 'ALLOW_INVALID_DATES'");
        mysql.execute(
                "CREATE TABLE test.leap (d DATE, n INT, PRIMARY KEY (d, n))",
                "CREATE TABLE test.leapback (d DATE, n INT, PRIMARY KEY (d DESC, n))",
                "CREATE TABLE test.leaptime (d DATETIME, n INT, PRIMARY KEY (d, n))");
        for (String table : List.of("leap", "leapback", "leaptime")) {
            mysql.execute(
                    "INSERT INTO test.%s SELECT IF(n < 2000, '2020-02-29', '2020-03-01'), n FROM test.t".formatted(table),
                    "INSERT INTO test.%s VALUES ('2020-02-30', 1), ('2020-03-00', 2)".formatted(table),
                    "ANALYZE TABLE test." + table);
        }
        for (String sql : List.of(
                "SELECT n FROM leap WHERE d > DATE '2020-02-29'",
                "SELECT n FROM leap WHERE d < DATE '2020-03-01'",
                "SELECT n FROM leapback WHERE d > DATE '2020-02-29'",
                "SELECT n FROM leapback WHERE d < DATE '2020-03-01'",
                "SELECT n FROM leaptime WHERE d > TIMESTAMP '2020-02-29 00:00:00'",
                "SELECT n FROM leaptime WHERE d < TIMESTAMP '2020-03-01 00:00:00'")) {
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).as(sql).isGreaterThan(1);
        }
        mysql.execute("SET GLOBAL sql_mode = DEFAULT");
    }

    /** The page of a row is held while its versions are gone through, so their number has a limit. SQL would hold it as long. */
    @Test
    void testRowOfManyVersions()
    {
        mysql.execute("CREATE TABLE test.hot (k INT PRIMARY KEY, v INT)", "INSERT INTO test.hot SELECT n, 0 FROM test.t", "ANALYZE TABLE test.hot", "SET GLOBAL mysql_pq_max_row_versions = 100");
        Session old = trino.session(ImmutableMap.of("snapshot_group", "old", "snapshot_group_age", "5m"));
        String sql = "SELECT k, v FROM hot";
        try {
            assertThat(trino.count(trino.executeWithPlan(old, sql).queryId(), READ_NATIVELY)).isGreaterThan(1);
            mysql.execute(IntStream.range(0, 200).mapToObj(_ -> "UPDATE test.hot SET v = v + 1 WHERE k = 7").toArray(String[]::new));
            assertThatThrownBy(() -> trino.execute(old, sql))
                    .hasMessageContaining("Failed to read table test.hot: ")
                    .hasMessageContaining("mysql_pq_max_row_versions = 100")
                    .hasMessageContaining("Run the query again: it gets a newer snapshot");
            // A newer snapshot has nothing to go back, and a raised limit lets the old one go on.
            assertThat(sumOf(trino.execute(sql))).isEqualTo(200);
            mysql.execute("SET GLOBAL mysql_pq_max_row_versions = 1000");
            assertThat(sumOf(trino.execute(old, sql))).isZero();
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_max_row_versions = DEFAULT");
        }
    }

    private static int sumOf(MaterializedResult keysAndNumbers)
    {
        return keysAndNumbers.getMaterializedRows().stream().mapToInt(row -> (int) row.getField(1)).sum();
    }

    private long pagesOf(String sql)
            throws SQLException
    {
        long before = pagesScanned();
        trino.execute(sql);
        return pagesScanned() - before;
    }

    private long pagesScanned()
            throws SQLException
    {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW GLOBAL STATUS LIKE 'mysql_pq_scan_pages_read'")) {
            row.next();
            return row.getLong(2);
        }
    }

    /** Ranges by SQL are cut by the columns before the prefix, and the extension's cursor has all of them. */
    @Test
    void testKeyThatIsCutShort()
    {
        mysql.execute(
                "CREATE TABLE test.cut_short (a INT, name VARCHAR(20), txt LONGTEXT, PRIMARY KEY (a, name(10)))",
                "INSERT INTO test.cut_short SELECT n, CONCAT('name ', n), IF(n MOD 1000 = 500, REPEAT('x', 2000000), 'y') FROM test.t",
                "ANALYZE TABLE test.cut_short");
        assertThat(trino.execute(trino.session(ImmutableMap.of("range_source", "SQL")), "SELECT a, length(txt) FROM cut_short").getMaterializedRows().stream().mapToLong(row -> (long) row.getField(1)).sum())
                .isEqualTo(2_000_000L * (ROWS / 1000) + ROWS - ROWS / 1000);
    }

    /** After a row whose key MySQL takes from no statement, only the extension could go on. */
    @Test
    void testKeyThatSqlCannotName()
    {
        mysql.execute(
                "CREATE TABLE test.no_day (d DATE, n INT, txt LONGTEXT, PRIMARY KEY (d, n))",
                "SET SESSION sql_mode = 'ALLOW_INVALID_DATES'",
                // Ranges are cut at such a value, but not where SQL could not say so.
                "INSERT INTO test.no_day SELECT IF(n < 1000, '2026-02-31', '2026-03-01'), n, IF(n = 500, REPEAT('x', 2000000), 'y') FROM test.t",
                "ANALYZE TABLE test.no_day");
        assertThatThrownBy(() -> trino.execute("SELECT n, txt FROM no_day")).hasMessageContaining("native_scan_enabled").hasMessageContaining("2026-02-31");
        assertThat(trino.execute(trino.session(BY_SQL), "SELECT n, txt FROM no_day").getRowCount()).isEqualTo(ROWS);
    }

    @Test
    void testNumbersOfBits()
    {
        mysql.execute(
                "CREATE TABLE test.bits (n INT PRIMARY KEY, b5 BIT(5), b56 BIT(56), b60 BIT(60), b64 BIT(64))",
                "INSERT INTO test.bits SELECT n, n % 32, (1 << 56) - 1 - n, (1 << 60) - 1 - n, IF(n % 5 = 0, NULL, ~0 - n) FROM test.t",
                "ANALYZE TABLE test.bits");
        Map<String, String> extended = ImmutableMap.of("extended_types", "true");
        Map<String, String> extendedBySql = ImmutableMap.of("extended_types", "true", "native_scan_enabled", "false");
        for (String sql : List.of("SELECT n, b5, b56, b64 FROM bits", "SELECT n, b64 FROM bits WHERE b5 > 7 AND b56 < 72057594037925000", "SELECT n, b60 FROM bits", "SELECT n FROM bits WHERE b60 IS NULL OR n < 100", "SELECT n FROM t WHERE e3 IS NULL OR t7 = n")) {
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(extended), sql);
            assertThat(texts(result.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(extendedBySql), sql))).isNotEmpty();
            assertThat(trino.count(result.queryId(), READ_NATIVELY)).as(sql).isEqualTo(sql.contains("b60 FROM") ? 0 : trino.count(result.queryId(), SPLITS_READ));
        }
    }

    /** They are one range, unless they are so small that SQL sends them as soon. */
    @Test
    void testSmallTables()
    {
        mysql.execute(
                "CREATE TABLE test.medium (n INT PRIMARY KEY, v INT) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 8000) SELECT i n, i v FROM s",
                "CREATE TABLE test.tiny (n INT PRIMARY KEY, v INT) SELECT * FROM test.medium WHERE n < 1000",
                "ANALYZE TABLE test.medium, test.tiny");
        Map<String, String> defaults = ImmutableMap.of("target_rows_per_split", "500000", "range_source", "AUTO");
        // If a query reads all columns, Trino asks for no projection.
        for (String columns : List.of("n", "v", "*")) {
            for (String table : List.of("medium", "tiny")) {
                String sql = "SELECT %s FROM %s WHERE v > 5".formatted(columns, table);
                MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(defaults), sql);
                assertThat(result.result().getMaterializedRows()).hasSize((table.equals("tiny") ? 999 : 8000) - 5);
                assertThat(trino.count(result.queryId(), READ_NATIVELY)).as(sql).isEqualTo(table.equals("tiny") ? 0 : 1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "t7 > 0", "t7 <> -1 OR t7 IS NULL", "t7 IN (-1, 2147483647)", "t10 > DECIMAL '18446744073709551614'", "d1 BETWEEN DECIMAL '0.00' AND DECIMAL '0.05'", "d3 < DECIMAL '0'",
            "b1", "NOT b1", "b1 IS NULL OR t1 = 0", "c1 < DATE '1970-01-01'", "c1 IS NULL", "c1 IN (DATE '2000-02-29', DATE '9999-12-31') AND t1 = 0", "t9 IS NOT NULL AND n BETWEEN 100 AND 3500", "t1 = 5",
            "c2 = TIMESTAMP '9999-12-31 23:59:59'", "c3 < TIMESTAMP '1970-01-01 00:00:00.000'", "c4 > TIMESTAMP '2024-02-29 01:02:03.000003'", "c5 <= TIMESTAMP '1970-01-01 00:00:01 UTC'",
            "c6 = TIMESTAMP '2024-02-29 01:02:03.004 UTC'", "c7 > TIMESTAMP '1970-01-01 00:00:01.999998 UTC'",
            // Text is compared by code points, and by characters of Unicode.
            "s1 = 'a'", "s1 <> 'a'", "s2 = 'a  '", "s2 = 'a'", "s2 IN ('', 'é漢😀')", "s2 >= 'a'", "s2 NOT IN ('', 'A')", "s3 = ''", "s4 = 'é'", "s4 IN ('ÿ ', 'É')", "s4 < 'é'", "s5 = '😀'",
            "x2 = X'0000'", "x1 > X'FF'", "x3 = X'00FF'",
            "h1 = TIME '23:59:59'", "h2 < TIME '12:34:56.789'", "h3 >= TIME '00:00:00.000002'", "e1 = 'a'", "e1 = 'b'", "e1 <> 'B'", "e1 IN ('a', '')", "e2 = 'ÿ'", "e1 > 'a'",
            // Not of one column each.
            "t7 < n", "n >= t7", "n = t7 OR t7 = -1", "NOT (t7 = -1 AND t9 > 0)", "c2 <> c2b", "s2 > s2b", "s1 = s1b", "s4 <= s4b", "d1 = d1b", "(t7 < 0 AND s2 = '') OR (c1 IS NULL AND s2b = 'a') OR NOT (d1 > DECIMAL '0')",
            "(t1 = 0 OR t1 IS NULL) AND (s2 = s2b OR NOT (t7 <> -1))", "x2 < x2b", "0 > t7 OR n = t7", "d1b < d1 OR t1 <> 127", "t7 <= -1 OR n = t7", "t7 >= 0 OR n = t7", "t7 <> -1 OR n = t7", "s2b >= s2 OR s3 IS NULL",
            "NOT (t7 < n OR s1 > s1b OR d1 <= d1b OR NOT (n <> t7))", "NOT (t7 <= n AND (t1 = 0 OR NOT (t1 IS NULL OR s2 <> '')))", "d3 > DECIMAL '0' OR d1 = DECIMAL '0.01'", "t10 = DECIMAL '18446744073709551615' OR t8 = 4294967295", "s4 <> 'ÿ ' OR s2 = s2b",
            "s2 = 'é漢😀' OR s2 > s2b", "f2 < f2b OR f2 = f2b", "c5 IS NULL OR c2 <> c2b", "(t1 = 0 OR (t3 < 0 AND (t7 = -1 OR t9 IS NULL)))", "e3 = 'b,A' OR e3 IS NULL", "e4 = 'x,ÿ'", "n > 5 AND (s4 = 'é' OR s3 = '')"})
    void testFilters(String condition)
    {
        String sql = "SELECT n, t7, c1, s2 FROM t WHERE " + condition;
        QueryId query = assertSame(sql);
        assertThat(trino.count(query, READ_NATIVELY)).as(condition).isPositive();
        // The extension kept the others.
        assertThat(trino.count(query, ROWS_READ)).as(condition).isEqualTo(trino.execute(sql).getRowCount());
    }

    // Trino filters what the extension reads: MySQL pads CHAR, and a cast may fail.
    @Test
    void testFiltersOfTrino()
    {
        for (String condition : List.of("s1 > 'a'", "s5 > 'z'", "t7 < t3", "t1 = t3 OR t7 = -1", "e3 > 'b'", "n > 5 AND (s4 = 'é' OR s5 = 'z')", "c6 <> c7 OR t1 = 0", "c1 = DATE '2000-02-29' OR t1 = 0")) {
            String sql = "SELECT n FROM t WHERE " + condition;
            QueryId query = assertSame(sql);
            assertThat(trino.count(query, READ_NATIVELY)).as(condition).isPositive();
            assertThat(trino.count(query, ROWS_READ)).as(condition).isGreaterThan(trino.execute(sql).getRowCount());
        }
    }

    // What the extension cannot filter is read by SQL.
    @Test
    void testOtherFiltersAndTypes()
    {
        mysql.execute("CREATE TABLE test.other (n INT PRIMARY KEY, f FLOAT(9, 3), e SET ('a ', 'b') CHARACTER SET binary, j JSON, v INT AS (n + 1) VIRTUAL)", "INSERT INTO test.other (n, f, e, j) SELECT n, n / 3, 'b', '[1]' FROM test.t");
        for (String sql : List.of("SELECT f FROM other", "SELECT e FROM other", "SELECT j FROM other", "SELECT v FROM other", "SELECT n FROM other WHERE e = 'a' OR n = 5", "SELECT n FROM t WHERE s2 LIKE 'a%'", "SELECT n FROM t WHERE s2 LIKE 'a%' OR n = 5", "SELECT n FROM t WHERE t7 IS NOT DISTINCT FROM n", "SELECT n FROM t WHERE n > 5 AND (s2 LIKE 'a%' OR t7 < n)")) {
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).as(sql).isZero();
        }
    }

    // The extension takes 64 alternatives.
    @Test
    void testFiltersThatAreTooLong()
    {
        for (int alternatives : new int[] {64, 65}) {
            String sql = "SELECT n FROM t WHERE " + IntStream.range(0, alternatives).mapToObj(i -> "(n > %d AND t7 <> %d)".formatted(50 * i, i)).collect(joining(" OR "));
            boolean taken = alternatives <= 64;
            assertThat(plan(NATIVE, sql).contains("natively")).isEqualTo(taken);
            assertThat(trino.count(assertSame(sql), READ_NATIVELY) > 0).isEqualTo(taken);
        }
    }

    // The extension computes the groups of ranges. MySQL, and Trino from rows, compute the same.
    @Test
    void testNativeAggregations()
    {
        List<String> nativeGroups = new ArrayList<>();
        for (String definition : COLUMNS.keySet()) {
            String column = definition.substring(0, definition.indexOf(' '));
            String sql = "SELECT %1$s, count(*) FROM t WHERE n <> 7 GROUP BY %1$s".formatted(column);
            // Which of its zeros a group has depends on who comes first, and f1 has both.
            if (!column.equals("f1") && plan(NATIVE_AGGREGATION, sql).contains("aggregated natively")) {
                assertSameGroups(sql);
                nativeGroups.add(column);
            }
        }
        // Nobody knows how many groups BIT and large values have. Moments of more than three digits are objects.
        assertThat(nativeGroups).contains("t1", "t10", "d1", "d3", "c1", "c4", "c6", "h3", "e1", "e3", "s1", "s2", "f2", "f2b");
        for (String column : List.of("t1", "t3", "t5", "t7", "t9", "d1", "d2", "t2", "t8", "f2", "f2b")) {
            assertSameGroups("SELECT count(*), count(%1$s), min(%1$s), max(%1$s) FROM t".formatted(column));
            assertSameGroups("SELECT e1, count(%1$s), min(%1$s), max(%1$s) FROM t GROUP BY e1".formatted(column));
        }
        for (String column : List.of("s2", "s4", "e1")) {
            assertSameGroups("SELECT count(%1$s), min(%1$s), max(%1$s), min(s2b) FROM t WHERE n <> 7".formatted(column));
            assertSameGroups("SELECT t2, count(%1$s), min(%1$s), max(%1$s) FROM t WHERE t7 <> 0 GROUP BY t2".formatted(column));
        }
        for (String column : List.of("t1", "t7", "d1", "d2")) {
            assertSameGroups("SELECT t2, sum(%1$s) FROM t WHERE t9 IS NULL GROUP BY t2".formatted(column));
        }
        for (String sql : List.of(
                "SELECT avg(d1), avg(d2) FROM t",
                "SELECT t2, t1, avg(d1), count(*) FROM t GROUP BY t2, t1",
                "SELECT count(*) FROM t WHERE s2 = ''",
                "SELECT t1, sum(t7) AS s FROM t GROUP BY t1 HAVING sum(t7) > 0 ORDER BY s DESC LIMIT 2",
                "SELECT DISTINCT s1 FROM t",
                "SELECT count(*) FROM t WHERE t7 = n OR d1 = d1b")) {
            assertSameGroups(sql);
        }
        for (String order : List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST")) {
            String sql = "SELECT t1, t2, count(*) AS c FROM t GROUP BY t1, t2 ORDER BY t1 %1$s, c, t2 %1$s LIMIT 7".formatted(order);
            assertSameGroups(sql);
            assertThat(trino.execute(trino.session(NATIVE_AGGREGATION), sql).getMaterializedRows()).as(sql).isEqualTo(trino.execute(trino.session(NATIVE), sql).getMaterializedRows());
        }
        // Ranges add up to more than a BIGINT, and only the whole sum must be one.
        for (Map<String, String> properties : List.of(NATIVE_AGGREGATION, BY_SQL)) {
            assertThatThrownBy(() -> trino.execute(trino.session(properties), "SELECT sum(t9) FROM t WHERE t9 > 1")).as("%s", properties).hasMessageContaining("does not fit into BIGINT");
        }
    }

    // What the extension does not compute the connector computes of rows, in the same snapshot.
    @Test
    void testNativeAggregationThatIsRefused()
    {
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            String sql = "SELECT t1, count(*), sum(d1) FROM t GROUP BY t1";
            MaterializedResultWithPlan refused = trino.executeWithPlan(trino.session(NATIVE_AGGREGATION), sql);
            assertThat(trino.count(refused.queryId(), NATIVE_REFUSED + "memory_limit")).isPositive();
            assertThat(texts(refused.result())).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
        // From a text that is too long for a group of the extension's the connector goes on.
        mysql.execute(
                "CREATE TABLE test.texts (n INT PRIMARY KEY, s VARCHAR(5000) COLLATE utf8mb4_bin)",
                "INSERT INTO test.texts SELECT n, CONCAT(REPEAT(IF(n MOD 2 = 0, 'é', 'z'), IF(n MOD 1000 = 900, 3000, 20)), n) FROM test.t",
                "ANALYZE TABLE test.texts");
        for (String sql : List.of("SELECT min(s), max(s), count(*) FROM texts WHERE n <> 7", "SELECT n % 3, min(s), max(s), count(*) FROM texts GROUP BY 1", "SELECT n % 3, min(substring(s, 1, 25)), max(substring(s, 3)) FROM texts GROUP BY 1", "SELECT n % 3, max_by(s, n), min_by(n, s), count(*) FROM texts GROUP BY 1", "SELECT max_by(s, n % 1000 * 1000 + n) FROM texts")) {
            MaterializedResultWithPlan stopped = trino.executeWithPlan(trino.session(NATIVE_AGGREGATION), sql);
            assertThat(trino.count(stopped.queryId(), NATIVE_STOPPED)).as(sql).isPositive();
            assertThat(texts(stopped.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        }
        // An invalid date is no group of Trino's, whoever meets it.
        mysql.execute(
                "CREATE TABLE test.days (n INT PRIMARY KEY, d DATE)",
                "SET SESSION sql_mode = ''",
                "INSERT INTO test.days SELECT n, IF(n = 1500, '0000-00-00', '2024-02-29') FROM test.t",
                "ANALYZE TABLE test.days");
        for (Map<String, String> properties : List.of(NATIVE_AGGREGATION, NATIVE, BY_SQL)) {
            assertThatThrownBy(() -> trino.execute(trino.session(properties), "SELECT d, count(*) FROM days GROUP BY d")).as("%s", properties).hasMessageContaining("Column d");
        }
    }

    private void assertSameGroups(String sql)
    {
        assertThat(plan(NATIVE_AGGREGATION, sql)).as(sql).contains("aggregated natively in ranges of index PRIMARY from EXTENSION");
        MaterializedResultWithPlan natively = trino.executeWithPlan(trino.session(NATIVE_AGGREGATION), sql);
        List<String> groups = texts(natively.result());
        assertThat(trino.count(natively.queryId(), READ_NATIVELY)).as(sql).isEqualTo(trino.count(natively.queryId(), RANGES_MERGED)).isPositive();
        assertThat(plan(NATIVE, sql)).as(sql).doesNotContain("aggregated natively");
        assertThat(groups).as(sql).isEqualTo(texts(trino.execute(trino.session(NATIVE), sql)));
        assertThat(groups).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
    }

    // Trino groups what the extension reads.
    @Test
    void testAggregations()
    {
        for (String sql : List.of("SELECT count(*), sum(t7), min(s2), max(t3), count(DISTINCT t1) FROM t", "SELECT t1, count(*), avg(d1) FROM t GROUP BY t1", "SELECT count(*) FROM t WHERE s2 = ''", "SELECT DISTINCT s1 FROM t")) {
            assertThat(plan(NATIVE, sql)).as(sql).contains("ranges of index PRIMARY from EXTENSION, natively").doesNotContain("aggregation merged");
            assertThat(plan(BY_SQL, sql)).as(sql).doesNotContain("natively");
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).as(sql).isPositive();
        }
        // By the end of the index; by a type that comes by SQL only.
        assertThat(plan(NATIVE, "SELECT max(n) FROM t")).contains("one split: pushed query");
        mysql.execute("CREATE TABLE test.documents (n INT PRIMARY KEY, f JSON)", "INSERT INTO test.documents SELECT n, '[1]' FROM test.t", "ANALYZE TABLE test.documents");
        assertThat(plan(NATIVE, "SELECT count(f) FROM documents")).contains("aggregation merged from ranges of index PRIMARY from EXTENSION").doesNotContain("natively");
    }

    // From such a row on MySQL itself reads the range.
    @Test
    void testLargeValuesAndInvalidDates()
    {
        mysql.execute(
                "CREATE TABLE test.large (a VARCHAR(10), b INT, x LONGTEXT, PRIMARY KEY (a, b DESC))",
                "INSERT INTO test.large SELECT CHAR(97 + n MOD 26), n, REPEAT('x', IF(n MOD 900 = 7, 2000000, IF(n MOD 90 = 5, 30000, 10))) FROM test.t",
                "CREATE TABLE test.zero (n INT PRIMARY KEY, d DATE, t DATETIME(6), i TIMESTAMP NULL, y YEAR, h TIME)",
                "SET SESSION sql_mode = ''",
                "INSERT INTO test.zero SELECT n, IF(n = 1500, '0000-00-00', '2024-02-29'), IF(n = 2500, '2024-00-00', '2024-02-29'), IF(n = 3999, '0000-00-00', '2024-02-29'), IF(n = 3000, 0, 2024), IF(n = 200, '-01:00:00', IF(n = 201, '24:00:00', '23:59:59')) FROM test.t");
        assertThat(trino.count(assertSame("SELECT a, b, x FROM large", ROWS), NATIVE_STOPPED)).isPositive();
        assertThat(trino.count(assertSame("SELECT a, b FROM large", ROWS), NATIVE_STOPPED)).isZero();
        assertThat(trino.count(assertSame("SELECT a, b, x FROM large WHERE b NOT IN (7, 907, 1807, 2707, 3607)", ROWS - 5), NATIVE_STOPPED)).isZero();
        mysql.execute("CREATE TABLE test.larger AS SELECT a, b, x FROM test.large WHERE LENGTH(x) < 100000", "ALTER TABLE test.larger ADD PRIMARY KEY (a, b)");
        assertThat(trino.count(assertSame("SELECT a, b, x FROM larger", ROWS - 5), NATIVE_STOPPED)).isZero();
        // A year that Trino knows, and a time that is none of a day.
        assertThat(trino.count(assertSame("SELECT n, y FROM zero", ROWS), NATIVE_STOPPED)).isEqualTo(1);
        for (Map<String, String> properties : List.of(NATIVE, BY_SQL)) {
            assertThatThrownBy(() -> trino.execute(trino.session(properties), "SELECT n, h FROM zero")).hasMessageContaining("-01:00:00");
        }
        for (String column : List.of("d", "t", "i")) {
            Map<String, String> nulls = ImmutableMap.of("invalid_date_handling", "NULL");
            Session session = trino.session(nulls);
            MaterializedResultWithPlan read = trino.executeWithPlan(session, "SELECT n, %s FROM zero".formatted(column));
            assertThat(texts(read.result())).isEqualTo(texts(trino.execute(trino.session(ImmutableMap.<String, String>builder().putAll(BY_SQL).putAll(nulls).buildOrThrow()), "SELECT n, %s FROM zero".formatted(column)))).hasSize(ROWS);
            assertThat(trino.count(read.queryId(), NATIVE_STOPPED)).isEqualTo(1);
            assertThatThrownBy(() -> trino.execute(trino.session(NATIVE), "SELECT n, %s FROM zero".formatted(column))).hasMessageContaining("Column " + column);
        }
    }

    // Trino takes such a date for NULL, and MySQL for less than others.
    @Test
    void testDynamicFilterThatLetsNullThrough()
    {
        mysql.execute(
                "CREATE TABLE test.nullish (n INT PRIMARY KEY, d DATE)",
                "SET SESSION sql_mode = ''",
                "INSERT INTO test.nullish SELECT n, IF(n MOD 1000 = 7, '0000-00-00', DATE'2024-02-29' + INTERVAL n DAY) FROM test.t",
                "ANALYZE TABLE test.nullish");
        String sql = "SELECT n FROM nullish JOIN (VALUES DATE '2024-03-01', NULL) days(day) ON d IS NOT DISTINCT FROM day";
        for (String natively : List.of("false", "true")) {
            Session session = trino.session(ImmutableMap.of("invalid_date_handling", "NULL", "native_scan_enabled", natively));
            assertThat(trino.execute(session, sql).getMaterializedRows().stream().map(row -> row.getField(0))).as(natively).containsExactlyInAnyOrder(1, 7, 1007, 2007, 3007);
        }
    }

    // No value of the column; the scan is narrowed by what can be.
    @Test
    void testDynamicFilterBeyondTheColumn()
    {
        for (String values : List.of("CAST(r_regionkey * 300 - 300 AS SMALLINT)", "CAST(r_regionkey * 300 + 300 AS SMALLINT)")) {
            String sql = "SELECT n, t2 FROM t JOIN (SELECT %s AS v FROM tpch.tiny.region) ON t2 = v".formatted(values);
            QueryId query = assertSame(sql);
            assertThat(trino.count(query, READ_NATIVELY)).as(sql).isPositive();
            // NULLs at most besides.
            assertThat(trino.count(query, ROWS_READ)).as(sql).isLessThan(ROWS / 2);
        }
    }

    // Halves of characters, of which the driver makes something else.
    @Test
    void testTextThatMayHoldHalves()
    {
        mysql.execute("CREATE TABLE test.halves (n INT PRIMARY KEY, s VARCHAR(9) CHARACTER SET ucs2)", "INSERT INTO test.halves SELECT n, 'a' FROM test.t", "UPDATE test.halves SET s = _ucs2 X'D800' WHERE n = 5", "ANALYZE TABLE test.halves");
        assertThat(trino.count(assertSame("SELECT n, s FROM halves"), READ_NATIVELY)).isZero();
    }

    // MySQL computes them sooner than it sends the rows.
    @Test
    void testAggregationsOfFewRowsAndLargeTexts()
    {
        mysql.execute("CREATE TABLE test.bodies (n INT PRIMARY KEY, body LONGTEXT)", "INSERT INTO test.bodies SELECT n, 'a' FROM test.t", "ANALYZE TABLE test.bodies");
        assertThat(plan(NATIVE, "SELECT count(body) FROM bodies")).contains("aggregation merged");
        assertThat(plan(NATIVE, "SELECT count(*), sum(t9) FROM t WHERE n BETWEEN 100 AND 300")).contains("count(*)").doesNotContain("natively");
        assertThat(plan(NATIVE, "SELECT count(*), sum(t9) FROM t WHERE n BETWEEN 100 AND 3900")).contains("natively");
    }

    @Test
    void testPartitions()
    {
        mysql.execute("CREATE TABLE test.parts (n INT PRIMARY KEY, v INT) PARTITION BY RANGE (n) (PARTITION low VALUES LESS THAN (2000), PARTITION `hi gh` VALUES LESS THAN MAXVALUE)", "INSERT INTO test.parts SELECT n, -n FROM test.t");
        assertSame("SELECT n, v FROM parts", ROWS);
    }

    // The clustered index, read natively, costs less than another by SQL.
    @Test
    void testIndexChoice()
    {
        mysql.execute(
                "CREATE TABLE test.indexed (n INT PRIMARY KEY, a INT NOT NULL, b INT NOT NULL, s VARCHAR(9) DEFAULT 'a', f JSON, KEY by_a (a))",
                "INSERT INTO test.indexed (n, a, b, f) SELECT 10 * n + d, n MOD 1000, n, '1' FROM test.t JOIN JSON_TABLE('[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]', '$[*]' COLUMNS (d INT PATH '$')) digits",
                "ANALYZE TABLE test.indexed");
        for (String sql : List.of("SELECT n, a FROM indexed", "SELECT b FROM indexed WHERE a < 100")) {
            assertThat(plan(BY_SQL, sql)).contains("index by_a");
            assertThat(plan(NATIVE, sql)).contains("index PRIMARY");
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).isPositive();
        }
        // Few enough for one split, and yet more than all the others natively.
        String few = "SELECT b FROM indexed WHERE a < 100";
        assertThat(plan(with(BY_SQL, "target_rows_per_split", "10000"), few)).contains("one split: selective index by_a");
        assertThat(plan(with(NATIVE, "target_rows_per_split", "10000"), few)).contains("index PRIMARY");
        // Few rows, a type that comes by SQL only, and a filter that MySQL alone evaluates.
        for (String sql : List.of("SELECT b FROM indexed WHERE a = 3", "SELECT f FROM indexed WHERE a < 100", "SELECT b FROM indexed WHERE a < 100 AND s LIKE 'a%'")) {
            assertThat(plan(NATIVE, sql)).as(sql).contains("by_a");
            assertThat(trino.count(assertSame(sql), READ_NATIVELY)).as(sql).isZero();
        }
    }

    private static Map<String, String> with(Map<String, String> properties, String name, String value)
    {
        return ImmutableMap.<String, String>builder().putAll(properties).put(name, value).buildOrThrow();
    }

    private String plan(Map<String, String> properties, String sql)
    {
        return (String) trino.execute(trino.session(properties), "EXPLAIN " + sql).getOnlyValue();
    }

    // Batches are larger than the memory that the server allows.
    @Test
    void testRefusedMemory()
    {
        mysql.execute("SET GLOBAL mysql_pq_memory_limit = 1000");
        try {
            QueryId query = assertSame("SELECT n, t7 FROM t");
            assertThat(trino.count(query, READ_NATIVELY)).isZero();
            assertThat(trino.count(query, NATIVE_REFUSED + "memory_limit")).isEqualTo(trino.count(query, SPLITS_READ)).isPositive();
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
        }
    }

    // All of it natively.
    private QueryId assertSame(String sql, int rows)
    {
        QueryId query = assertSame(sql);
        assertThat(trino.count(query, READ_NATIVELY)).as(sql).isEqualTo(trino.count(query, SPLITS_READ)).isPositive();
        assertThat(trino.count(query, ROWS_READ)).as(sql).isEqualTo(rows);
        return query;
    }

    private QueryId assertSame(String sql)
    {
        MaterializedResultWithPlan batches = trino.executeWithPlan(trino.session(NATIVE), sql);
        assertThat(texts(batches.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_SQL), sql)));
        return batches.queryId();
    }

    private static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(row -> Arrays.deepToString(row.getFields().toArray())).sorted().toList();
    }
}
