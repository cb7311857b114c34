package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.spi.QueryId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** Filters the same rows in the extension and by SQL. */
class TestFiltersOfNativeScans
        extends BaseNativeScanTest
{
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
            // These compare columns with each other, or join comparisons of several columns.
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
}
