package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableTable;
import com.google.common.collect.Table;
import io.mysqlpq.testing.MysqlServer;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static io.mysqlpq.trino.metrics.PlanningMetrics.SCANS_AS_ONE_SPLIT;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_STOPPED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Compares what the extension and the connector compute of rows with what Trino computes. */
@TestInstance(PER_CLASS)
class TestNativeExpressions
{
    private static final Map<String, String> NATIVE = ImmutableMap.of();
    private static final Map<String, String> BY_TRINO = ImmutableMap.of("native_aggregation_enabled", "false");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE SCHEMA test",
                """
                CREATE TABLE test.line (
                    n INT PRIMARY KEY,
                    price DECIMAL(12, 2) NOT NULL,
                    discount DECIMAL(4, 2),
                    tax DECIMAL(4, 2),
                    flag CHAR(1) NOT NULL,
                    code VARCHAR(20),
                    day DATE,
                    moment DATETIME(3),
                    small SMALLINT,
                    big BIGINT)""",
                "SET SESSION cte_max_recursion_depth = 100000",
                """
                INSERT INTO test.line
                WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < 8000)
                SELECT n, n * 17 % 10007 / 100 * 991, n % 11 / 100, IF(n % 13 = 0, NULL, n % 9 / 100), ELT(1 + n % 3, 'A', 'N', 'R'),
                    IF(n % 29 = 0, NULL, CONCAT(ELT(1 + n % 4, 'ab', 'Äb', 'zebra', ''), n % 10)), IF(n % 31 = 0, NULL, DATE '1992-01-01' + INTERVAL n DAY),
                    TIMESTAMP '1995-06-17 12:34:56.789' + INTERVAL n * 97 MINUTE, n % 200 - 100, n * 1000003
                FROM numbers""",
                "ANALYZE TABLE test.line");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
            throws Exception
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testAggregations()
    {
        for (String sql : List.of(
                "SELECT sum(price * (1 - discount)) FROM line",
                "SELECT flag, sum(price), sum(price * (1 - discount)), sum(price * (1 - discount) * (1 + tax)), avg(price), avg(discount), count(*) FROM line WHERE day <= DATE '2005-09-02' GROUP BY flag",
                "SELECT year(day), count(*) FROM line GROUP BY year(day)",
                "SELECT date_trunc('month', day), count(*), sum(price) FROM line GROUP BY 1",
                "SELECT date_trunc('month', moment), count(*), sum(small) FROM line GROUP BY 1",
                "SELECT quarter(moment), hour(moment), count(*) FROM line GROUP BY 1, 2",
                "SELECT day_of_week(day), min(price), max(day), max(moment), min(price * tax) FROM line GROUP BY 1",
                "SELECT substr(code, 1, 2), count(*), count(code) FROM line GROUP BY 1",
                "SELECT coalesce(code, 'none'), length(code), count(*) FROM line GROUP BY 1, 2",
                "SELECT flag, code = 'zebra3', count(*) FROM line GROUP BY 1, 2",
                "SELECT CAST(code AS VARCHAR(40)), sum(small), count(*) FROM line GROUP BY 1",
                "SELECT code, CAST(code AS VARCHAR(40)), count(CAST(code AS VARCHAR(50))) FROM line GROUP BY 1, 2",
                "SELECT count(*) FROM line WHERE price * discount > 100",
                "SELECT max(price * discount) FROM line WHERE length(code) = 3",
                "SELECT flag, count(*), sum(price) FROM line WHERE code LIKE '%b_' GROUP BY flag",
                "SELECT count(*), max(code) FROM line WHERE NOT (code LIKE 'Äb%' OR n < 100 AND code LIKE 'a__')",
                "SELECT sum(price) FROM line WHERE month(day) IN (1, 2) AND discount < 0.05",
                "SELECT avg(big), sum(big * 2), avg(small + 1) FROM line",
                "SELECT nullif(small, 7) % 5, count(*) FROM line GROUP BY 1",
                "SELECT n % 1000 * 1000 + small, count(*) FROM line WHERE n > 10 GROUP BY 1",
                "SELECT day + INTERVAL '1' MONTH, count(*) FROM line WHERE day < DATE '1993-01-01' AND n + small < 5000 GROUP BY 1",
                "SELECT flag, sum(price * tax) AS s FROM line GROUP BY flag HAVING sum(price * tax) > 0 ORDER BY s DESC LIMIT 2",
                "SELECT count(DISTINCT year(day)) FROM line",
                "SELECT sum(price * tax) FROM line WHERE price * tax > 100000000")) {
            assertSame(sql, "aggregated natively in ranges of index PRIMARY from EXTENSION");
        }
    }

    /** The connector filters rows too, so that only counts tell where they stay. */
    @Test
    void testRowsThatDoNotPassStayInMysql()
    {
        for (String filter : List.of("price * discount > 5000", "month(day) = 7", "length(code) = 3 AND n > 100", "length(code) = 3 AND month(day) < 4", "code LIKE '_b%'", "code NOT LIKE '%b_'", "code LIKE '%ebra_' OR n < 100", "code LIKE '%ebra_' AND n > 100")) {
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(NATIVE), "SELECT n, price FROM line WHERE " + filter);
            assertThat(result.result().getRowCount()).as(filter).isBetween(10, 4000);
            assertThat(trino.count(result.queryId(), ROWS_READ)).as(filter).isEqualTo(result.result().getRowCount());
            assertThat(trino.count(result.queryId(), READ_NATIVELY)).as(filter).isGreaterThan(5);
        }
    }

    /** The extension would leave the rest of a range to MySQL, at a row for which the filter fails. */
    @Test
    void testFiltersThatCanFailStayInTrino()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(NATIVE), "SELECT n FROM line WHERE small <> 0 AND 1000 / small > 100");
        assertThat(result.result().getRowCount()).isBetween(100, 1000);
        assertThat(trino.count(result.queryId(), READ_NATIVELY)).isGreaterThan(5);
        assertThat(trino.count(result.queryId(), NATIVE_STOPPED)).isZero();
    }

    // MySQL is not asked for these functions by SQL.
    @Test
    void testFunctionsWithoutSql()
    {
        for (String sql : List.of(
                "SELECT bool_and(price > 100), bool_or(price < 0), every(discount >= 0) FROM line",
                "SELECT flag, bool_and(tax >= 0), bool_or(code LIKE 'z%'), every(day IS NULL), count(*) FROM line GROUP BY flag",
                "SELECT small % 31, bool_and(code = 'ab1'), bool_or(code = 'ab1'), bool_or(NOT day > DATE '2000-01-01'), min(discount > tax), max(discount > tax) FROM line GROUP BY 1",
                "SELECT count_if(price > 5000), count_if(discount > tax), count_if(tax IS NULL), count(*) FROM line",
                "SELECT flag, count_if(code LIKE 'z%' OR tax > 0.05), count_if(NOT tax > 0.05), count_if(n < 0) FROM line GROUP BY flag",
                "SELECT year(day), arbitrary(year(day)), any_value(date_trunc('year', day)), bool_or(small > 90) FROM line GROUP BY 1",
                "SELECT small, arbitrary(small), any_value(small * DECIMAL '10000000000000000000000000') FROM line GROUP BY 1",
                "SELECT flag, any_value(nullif(n, n)), bool_and(nullif(n, n) > 0), bool_or(nullif(n, n) > 0), count_if(nullif(n, n) > 0) FROM line GROUP BY 1",
                "SELECT bool_and(price > 1), bool_or(price > 1), count_if(price > 1), any_value(n + 1) FROM line WHERE n + small < -1000",
                "SELECT flag, bool_and(price > 1), bool_or(price > 1), count_if(price > 1), any_value(n + 1) FROM line WHERE n + small < -1000 GROUP BY flag",
                "SELECT flag, sum(price), bool_or(price > 1) AS b, count_if(tax > 0) AS c FROM line GROUP BY flag HAVING bool_or(price > 1) AND count_if(tax > 0) > 5 ORDER BY c DESC LIMIT 2",
                // Without expressions.
                "SELECT small, arbitrary(small), count(*) FROM line GROUP BY small",
                "SELECT code, arbitrary(length(code)), sum(price) FROM line WHERE n > 7 GROUP BY code",
                "SELECT code, any_value(code), min(code), max(code) FROM line GROUP BY code",
                "SELECT flag, min(code), max(substring(code, 2)), min(coalesce(code, 'y')) FROM line GROUP BY flag",
                "SELECT min(code), max(code), max(nullif(code, code)) FROM line WHERE n + small < 50",
                "SELECT n / 1000, any_value(n / 1000) FROM line GROUP BY 1")) {
            assertSame(sql, "aggregated natively in ranges of index PRIMARY from EXTENSION");
        }
        for (String sql : List.of(
                "SELECT flag, arbitrary(flag) FROM line GROUP BY flag",
                "SELECT flag, bool_or(price > 1) FILTER (WHERE n > 5) FROM line GROUP BY flag",
                "SELECT flag, any_value(flag ORDER BY n) FROM line GROUP BY flag")) {
            assertSame(sql, "ranges of index PRIMARY from EXTENSION, natively");
        }
        for (String sql : List.of("SELECT flag, bool_or(price > 1) FROM line GROUP BY flag", "SELECT small, any_value(small) FROM line GROUP BY small")) {
            assertThat(trino.execute(trino.session(ImmutableMap.of("aggregation_pushdown_enabled", "false")), "EXPLAIN " + sql).getOnlyValue().toString()).doesNotContain("aggregated natively");
        }
    }

    // Each answer is determined: no two rows of a group have the same extreme, or their values are the same.
    @Test
    void testValuesOfTheRowOfAnExtreme()
    {
        List<String> queries = List.of(
                "SELECT min_by(code, n), max_by(code, n), min_by(n, price * 10000 + n), max_by(day, n), min_by(moment, -n) FROM line",
                "SELECT small, min_by(code, n), max_by(flag, n), max_by(price, n), max_by(discount, n), count(*) FROM line GROUP BY small",
                "SELECT small, max_by(price * (1 - discount), n), min_by(tax, big), max_by(day, moment), min_by(code LIKE 'z%', moment), min_by(n, day) FROM line GROUP BY small",
                "SELECT n % 700, min_by(price * DECIMAL '100000000000000000000', n), max_by(n, n * DECIMAL '100000000000000000000'), max_by(substring(code, 2), n) FROM line GROUP BY 1",
                "SELECT code, min_by(code, price), max_by(length(code), small), min_by(year(day), n), min_by(code, code), max_by(code, coalesce(code, 'x')) FROM line GROUP BY code",
                // Rows without a day are left out, and groups without one have no answer.
                "SELECT flag, min_by(n, day), max_by(n, day), min_by(n, nullif(n, n)), max_by(nullif(n, n), n), min_by(nullif(n, n + small), n) FROM line WHERE n % 31 < 3 GROUP BY flag",
                "SELECT n % 31, min_by(n, day), max_by(code, day) FROM line GROUP BY 1",
                "SELECT min_by(code, n), max_by(price, day) FROM line WHERE n + small < -1000",
                "SELECT flag, min_by(code, n), max_by(price, day) FROM line WHERE n + small < -1000 GROUP BY flag",
                "SELECT min_by(day > DATE '2000-01-01', n), max_by(n, n = 4000), max_by(length(code), code), min_by(code, substring(code, 1, 20)) FROM line",
                "SELECT flag, max_by(n, price * 10000 + n) AS m FROM line GROUP BY flag HAVING max_by(code, n) IS NOT NULL ORDER BY m DESC LIMIT 2");
        for (String sql : queries) {
            assertSame(sql, "aggregated natively in ranges of index PRIMARY from EXTENSION");
        }
        // What the extension leaves, the connector computes of rows.
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            for (String sql : queries) {
                assertThat(trino.count(assertSame(sql, "aggregated natively"), NATIVE_REFUSED + "memory_limit")).as(sql).isPositive();
            }
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
        for (String sql : List.of(
                "SELECT n % 7, min_by(n, price * 10000 + n, 3) FROM line GROUP BY 1",
                "SELECT n % 7, max_by(n, flag) > 0 FROM line GROUP BY 1",
                "SELECT n % 7, min_by(n, n) FILTER (WHERE n > 5) FROM line GROUP BY 1")) {
            assertSame(sql, "ranges of index PRIMARY from EXTENSION, natively");
        }
    }

    // Trino may give the value of any of the rows. Here it is the first one of the key's order, whichever range comes first, and whoever computes it.
    @Test
    void testFirstRowOfEqualExtremes()
    {
        String sql = "SELECT n % 3, min_by(n, small), max_by(n, small), min_by(n, discount), max_by(code, tax) FROM line GROUP BY 1";
        List<String> first = texts(trino.execute(
                trino.session(BY_TRINO),
                """
                SELECT n % 3, min_by(n, small * 10000 + n), max_by(n, small * 10000 - n), min_by(n, discount * 1000000 + n), max_by(code, tax * 1000000 - n)
                FROM line GROUP BY 1"""));
        for (int i = 0; i < 5; i++) {
            assertThat(texts(trino.execute(trino.session(NATIVE), sql))).isEqualTo(first);
        }
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            assertThat(texts(trino.execute(trino.session(NATIVE), sql))).isEqualTo(first);
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
    }

    // Trino makes ranges of values of them, and ranges of values of the key's first column are ranges of the index.
    @Test
    void testFunctionsOfTheKey()
            throws Exception
    {
        mysql.execute(
                "CREATE TABLE test.days_in_order (day DATE, moment DATETIME(3) NOT NULL, n INT, PRIMARY KEY (day, n))",
                "INSERT INTO test.days_in_order SELECT day, moment, n FROM test.line WHERE day IS NOT NULL",
                "CREATE TABLE test.moments_in_order (moment DATETIME(3), n INT, PRIMARY KEY (moment, n))",
                "INSERT INTO test.moments_in_order SELECT moment, n FROM test.line",
                "ANALYZE TABLE test.days_in_order, test.moments_in_order");
        ExaminedRows.startCounting(mysql);
        Table<String, String, String> cases = ImmutableTable.<String, String, String>builder()
                .put("days_in_order", "year(day) = 1995", "day BETWEEN DATE '1995-01-01' AND DATE '1995-12-31'")
                .put("days_in_order", "date_trunc('month', day) = DATE '1995-02-01'", "day BETWEEN DATE '1995-02-01' AND DATE '1995-02-28'")
                .put("days_in_order", "year(day) < 1993 AND month(day) = 7", "day < DATE '1993-01-01'")
                .put("moments_in_order", "year(moment) = 1996", "moment >= TIMESTAMP '1996-01-01 00:00:00' AND moment < TIMESTAMP '1997-01-01 00:00:00'")
                .put("moments_in_order", "date_trunc('day', moment) = TIMESTAMP '1996-03-03 00:00:00'", "moment >= TIMESTAMP '1996-03-03 00:00:00' AND moment < TIMESTAMP '1996-03-04 00:00:00'")
                .put("moments_in_order", "CAST(moment AS date) = DATE '1996-03-03'", "moment >= TIMESTAMP '1996-03-03 00:00:00' AND moment < TIMESTAMP '1996-03-04 00:00:00'")
                .buildOrThrow();
        for (Table.Cell<String, String, String> sample : cases.cellSet()) {
            long inRange = (long) trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM %s WHERE %s".formatted(sample.getRowKey(), sample.getValue())).getOnlyValue();
            assertThat(inRange).isPositive();
            MaterializedResultWithPlan result = trino.executeWithPlan(
                    trino.session(Map.of("native_scan_enabled", "false", "aggregation_pushdown_enabled", "false")),
                    "SELECT count(*), sum(n) FROM %s WHERE %s".formatted(sample.getRowKey(), sample.getColumnKey()));
            assertThat(ExaminedRows.of(mysql, result.queryId(), sample.getRowKey())).as(sample.toString()).isEqualTo(inRange);
        }
    }

    // No aggregation follows that the extension computes.
    @Test
    void testRows()
    {
        for (String sql : List.of(
                "SELECT n, price * (1 - discount) FROM line",
                "SELECT n FROM line WHERE price * discount > 100",
                "SELECT * FROM line WHERE price * discount > 100",
                "SELECT n, year(day) FROM line WHERE month(day) = 7 AND price * discount > 10",
                "SELECT n, price * tax, price FROM line WHERE length(code) = 7 ORDER BY price * tax, n LIMIT 10",
                "SELECT a.n, b.price * b.tax FROM line a JOIN line b ON a.n = b.small AND b.price * b.tax > 1",
                "SELECT count(*) FROM line a JOIN line b ON a.n = b.n + 1 WHERE a.price * a.tax > b.price * b.tax",
                "SELECT flag, y, sum(p) FROM (SELECT flag, year(day) AS y, price * tax AS p FROM line) GROUP BY ROLLUP (flag, y)",
                "SELECT n, price FROM line WHERE code LIKE '%b_' ORDER BY price, n LIMIT 10",
                "SELECT count(*), count(DISTINCT c) FROM (SELECT n, substr(code, 1, 5) AS c FROM line WHERE code LIKE 'zebr_%' LIMIT 50)",
                "SELECT a.n, b.code FROM line a JOIN line b ON a.n = b.small WHERE b.code LIKE 'Äb_' AND a.code NOT LIKE '%a%'",
                "SELECT checksum(price * tax) FROM line",
                "SELECT flag, array_agg(price * tax ORDER BY n) FROM line WHERE price * tax > 9 GROUP BY flag",
                "SELECT sum(price * tax) OVER (PARTITION BY flag ORDER BY n) FROM line WHERE n + small < 500")) {
            assertSame(sql, "ranges of index PRIMARY from EXTENSION, natively");
        }
        assertSame("SELECT count(*) FROM (SELECT n, price * tax AS t FROM line LIMIT 50) WHERE t > 0 OR t <= 0 OR t IS NULL", "one split: limit");
    }

    @Test
    void testErrors()
    {
        for (String sql : List.of(
                "SELECT sum(1000 / (n - 4000)) FROM line",
                "SELECT count(*) FROM line WHERE 1000 % (n - 4000) = 1",
                "SELECT max(big * 9000000000) FROM line",
                "SELECT n, big * 9000000000 FROM line",
                "SELECT CAST(small AS TINYINT) * TINYINT '2', count(*) FROM line GROUP BY 1",
                "SELECT max(price * 100000 * 100000 * 100000 * 1000000000000 * 1000000000000) FROM line")) {
            String expected = failure(BY_TRINO, sql);
            assertThat(failure(NATIVE, sql)).as(sql).isEqualTo(expected);
        }
    }

    private String failure(Map<String, String> properties, String sql)
    {
        try {
            trino.execute(trino.session(properties), sql);
        }
        catch (QueryFailedException e) {
            // The rest names the row that was met first.
            return e.getMessage().split(": ", 2)[0];
        }
        throw new AssertionError("Does not fail: " + sql + properties);
    }

    // Rows are changed by their keys: nobody may lose a filter on the way.
    @Test
    void testChanges()
    {
        mysql.execute("CREATE TABLE test.changed AS SELECT * FROM test.line", "ALTER TABLE test.changed ADD PRIMARY KEY (n)", "ANALYZE TABLE test.changed");
        trino.execute(trino.session(NATIVE), "DELETE FROM changed WHERE price * discount > 100 AND month(day) = 7");
        assertThat(trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM changed").getOnlyValue())
                .isEqualTo(trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM line WHERE NOT coalesce(price * discount > 100 AND month(day) = 7, false)").getOnlyValue());
        trino.execute(trino.session(NATIVE), "UPDATE changed SET small = 7777 WHERE price * discount < 10 AND year(day) = 1993");
        assertThat(trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM changed WHERE small = 7777").getOnlyValue())
                .isEqualTo(trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM changed WHERE price * discount < 10 AND year(day) = 1993").getOnlyValue());
        // MySQL deletes by what it can filter itself.
        String delete = "DELETE FROM changed WHERE code LIKE '%b_' OR n < 10";
        assertThat(trino.execute(trino.session(NATIVE), "EXPLAIN " + delete).getOnlyValue().toString()).contains("TableDelete");
        trino.execute(trino.session(NATIVE), delete);
        assertThat(trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM changed WHERE code LIKE '%b_' OR n < 10").getOnlyValue()).isEqualTo(0L);
        assertThat((long) trino.execute(trino.session(BY_TRINO), "SELECT count(*) FROM changed").getOnlyValue()).isPositive();
        mysql.execute("DROP TABLE test.changed");
    }

    // What the extension leaves, the connector computes of rows.
    @Test
    void testWayBack()
    {
        List<String> queries = List.of(
                "SELECT flag, sum(price * (1 - discount)), avg(price), min(price * tax), max(day), count(code) FROM line WHERE length(code) > 3 GROUP BY flag",
                "SELECT date_trunc('month', moment), count(*), sum(big * 3) FROM line GROUP BY 1",
                "SELECT count(*), sum(price * price * price) FROM line",
                "SELECT flag, bool_and(tax >= 0), bool_or(code LIKE 'z%'), count_if(discount > tax), min(price > 1), bool_or(nullif(n, n) > 0) FROM line GROUP BY flag",
                "SELECT bool_and(price > 100), bool_or(n < 0), count_if(n < 0), any_value(nullif(n, n)), bool_and(n > 0) FROM line WHERE n + small < -1000",
                "SELECT small, any_value(small), count(*) FROM line GROUP BY small");
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            for (String sql : queries) {
                assertThat(trino.count(assertSame(sql, "aggregated natively"), NATIVE_REFUSED + "memory_limit")).isPositive();
            }
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
        // The extension stops before an invalid date.
        mysql.execute(
                "CREATE TABLE test.days AS SELECT n, day, price FROM test.line",
                "ALTER TABLE test.days ADD PRIMARY KEY (n)",
                "SET SESSION sql_mode = ''",
                "UPDATE test.days SET day = '2024-02-00' WHERE n = 3001",
                "ANALYZE TABLE test.days");
        String sql = "SELECT year(day), sum(price * 2) FROM days GROUP BY 1";
        assertThat(failure(NATIVE, sql)).isEqualTo(failure(BY_TRINO, sql)).contains("Column day");
        assertSame("SELECT n % 3, sum(price * 2) FROM days GROUP BY 1", "aggregated natively");
        // To who reads NULL in its place the extension is not asked for dates.
        Map<String, String> nulls = ImmutableMap.of("invalid_date_handling", "NULL");
        assertThat(texts(trino.execute(trino.session(nulls), sql))).isEqualTo(texts(trino.execute(trino.session(ImmutableMap.of("native_aggregation_enabled", "false", "invalid_date_handling", "NULL")), sql)));
    }

    // When its splits are made, a filter of the join leaves too few rows for ranges.
    @Test
    void testOneSplitWithoutSql()
    {
        mysql.execute("CREATE TABLE test.pairs (n INT PRIMARY KEY, pair INT, price INT, KEY (pair))", "INSERT INTO test.pairs SELECT n, n % 4000, price FROM test.line", "ANALYZE TABLE test.pairs");
        String sql = "SELECT g.pair, g.a, g.s FROM (SELECT pair, any_value(pair) AS a, sum(price) AS s FROM pairs GROUP BY pair) g JOIN (SELECT max(n) - 7993 AS pair FROM line) v ON g.pair = v.pair";
        QueryId query = assertSame(sql, "aggregated natively");
        assertThat(trino.count(query, SCANS_AS_ONE_SPLIT + "SELECTIVE_INDEX")).isEqualTo(1);
    }

    // Groups of values that no expression has, which are as the extension or MySQL's SQL gives them.
    @Test
    void testKeysOfAllTypes()
    {
        Table<String, String, String> values = ImmutableTable.<String, String, String>builder()
                .put("t0", "TIME", "SEC_TO_TIME(n)")
                .put("t6", "TIME(6)", "SEC_TO_TIME(n + 0.000001)")
                .put("ts", "TIMESTAMP(3)", "TIMESTAMP '2001-02-03 04:05:06.789' + INTERVAL n SECOND")
                .put("ts6", "TIMESTAMP(6)", "TIMESTAMP '2001-02-03 04:05:06.789' + INTERVAL n SECOND")
                .put("y", "YEAR", "2000 + n")
                .put("truth", "TINYINT(1)", "n % 2")
                .put("bits", "BIT(1)", "n % 2")
                .put("bytes", "VARBINARY(10)", "CONCAT('a', n)")
                .put("fixed", "BINARY(4)", "CONCAT('a', n)")
                .put("choice", "ENUM('x', 'y', 'z')", "1 + n % 3")
                .put("doc", "JSON", "JSON_OBJECT('a', n)")
                .put("f", "FLOAT", "n / 4")
                .put("dbl", "DOUBLE", "n / 4")
                .put("ub", "BIGINT UNSIGNED", "18446744073709551615 - n")
                .put("wide", "DECIMAL(38, 5)", "n * 100000000000000000000")
                .put("gbk", "VARCHAR(10) CHARACTER SET gbk", "CONCAT('a', n)")
                .put("spaces", "CHAR(5)", "CONCAT('a', n)")
                .put("long_text", "TEXT", "CONCAT('a', n)")
                .buildOrThrow();
        mysql.execute(
                "SET SESSION cte_max_recursion_depth = 100000",
                "CREATE TABLE test.keyed (n INT PRIMARY KEY, never_null INT AS (n + 1) VIRTUAL, %s)".formatted(values.cellSet().stream().map(cell -> cell.getRowKey() + " " + cell.getColumnKey()).collect(joining(", "))),
                """
                INSERT INTO test.keyed (n, %s)
                WITH RECURSIVE numbers AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM numbers WHERE i < 3999)
                SELECT i, %s FROM (SELECT i, i %% 7 AS n FROM numbers) AS numbers""".formatted(
                        String.join(", ", values.rowKeySet()),
                        values.values().stream().map(value -> "IF(i % 11 = 0, NULL, " + value + ")").collect(joining(", "))),
                "ANALYZE TABLE test.keyed");
        for (String name : values.rowKeySet()) {
            String plan = Set.of("ts6", "bytes", "fixed", "doc", "long_text").contains(name) ? "" : "aggregated natively";
            // The extension does not read virtual columns.
            for (String sql : Draw.some(
                    1,
                    "SELECT %1$s, count(*), sum(n) FROM keyed WHERE n %% 50 <> 49 GROUP BY 1",
                    "SELECT %1$s, count(*), sum(n) FROM keyed WHERE n %% 50 <> 49 AND never_null > 3 GROUP BY 1",
                    "SELECT n %% 10, min_by(%1$s, n), max_by(%1$s, n) FROM keyed GROUP BY 1")) {
                assertSame(sql.formatted(name), plan);
            }
        }
        // No expression has bits.
        assertSame("SELECT n, bool_and(bits), bool_or(bits), count_if(bits), max(bits) FROM keyed GROUP BY n", "ranges of index PRIMARY from EXTENSION, natively");
        mysql.execute("DROP TABLE test.keyed");
    }

    // All sums of these doubles are exact, whatever the order.
    @Test
    void testFloatingNumbers()
    {
        mysql.execute(
                "CREATE TABLE test.floating (n INT PRIMARY KEY, g INT, d DOUBLE, f FLOAT, zero DOUBLE, real_zero FLOAT, zeros DOUBLE, large DOUBLE, tenths DOUBLE)",
                """
                INSERT INTO test.floating
                SELECT n, n % 5, IF(n % 7 = 0, NULL, (n - 4000) / 8), IF(n % 7 = 0, NULL, ELT(1 + n % 4, 0.1, 123456.7, -1e-38, 16777217)), IF(n % 3 = 0, NULL, -0e0), IF(n % 3 = 0, NULL, -0e0),
                    IF(n % 2 = 0, -0e0, 0e0), IF(n % 2000 = 77, 1.7e308, 1), n / 10
                FROM test.line""",
                "ANALYZE TABLE test.floating");
        for (String sql : List.of(
                "SELECT sum(d), avg(d), min(d), max(d), count(d), any_value(zero), min(f), max(f), count(f) FROM floating WHERE n <> 7",
                "SELECT g, sum(d), avg(d), min(d), max(d), count(d), min(f), max(f), count(f) FROM floating GROUP BY g",
                "SELECT n % 3, sum(d), avg(d), sum(zero), avg(zero), min(zero), max(real_zero) FROM floating GROUP BY 1",
                "SELECT sum(d), avg(d), min(d), max(f) FROM floating WHERE n + g < 1",
                "SELECT g, sum(d), avg(d), min(d), max(f) FROM floating WHERE n + g < 1 GROUP BY g",
                "SELECT f, count(*), sum(d) FROM floating GROUP BY f",
                "SELECT zero, count(*), sum(n) FROM floating GROUP BY zero",
                "SELECT real_zero, zero, count(*), sum(n) FROM floating GROUP BY real_zero, zero",
                "SELECT large, count(*), sum(d) FROM floating GROUP BY large",
                // More than the largest double.
                "SELECT sum(large), avg(large), max(large) FROM floating WHERE n <> 7",
                "SELECT sum(-n), sum(large) FROM floating WHERE n <> 7")) {
            assertSame(sql, "aggregated natively");
        }
        for (String sql : List.of(
                "SELECT g, min_by(d, n), max_by(f, n), min_by(zero, n), min_by(real_zero, n), max_by(n, tenths), min_by(n, d), max_by(d, d) FROM floating GROUP BY g",
                "SELECT min_by(n, d), max_by(f, tenths), min_by(f, f) FROM floating WHERE n <> 7 AND n > 1",
                "SELECT f, min_by(n, d), max_by(f, d), min_by(d, n) FROM floating GROUP BY f")) {
            assertSame(sql, "aggregated natively");
        }
        // Which of the zeros a group has, or is the least, depends on who comes first.
        assertSame("SELECT g, abs(a), abs(b) FROM (SELECT g, min(zeros) AS a, max(zeros) AS b FROM floating GROUP BY g)", "aggregated natively");
        assertSame("SELECT abs(zeros), c, s FROM (SELECT zeros, count(*) AS c, sum(n) AS s FROM floating GROUP BY zeros)", "aggregated natively");
        // Both are equal for Trino's operators.
        for (String having : List.of("min(zeros) >= 0", "min(zeros) = 0", "max(zeros) < 0", "min(real_zero) = REAL '0'")) {
            assertSame("SELECT g FROM floating GROUP BY g HAVING " + having, "aggregated natively");
        }
        // Trino has the six digits of a FLOAT that MySQL shows.
        assertSame("SELECT g, sum(f), avg(f) FROM floating WHERE f = REAL '0.1' GROUP BY g", "ranges of index PRIMARY from EXTENSION, natively");
        // Ranges are added in their order, whoever is first.
        String sql = "SELECT n % 3, sum(tenths), avg(tenths) FROM floating GROUP BY 1";
        List<String> sums = texts(trino.execute(trino.session(NATIVE), sql));
        for (int i = 0; i < 10; i++) {
            assertThat(texts(trino.execute(trino.session(NATIVE), sql))).isEqualTo(sums);
        }
        // The connector computes the same.
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            String refused = "SELECT g, sum(d), avg(d), min(d), max(d), min(f), max(f), sum(large), min_by(d, n), max_by(f, d), min_by(n, tenths) FROM floating GROUP BY g";
            assertThat(trino.count(assertSame(refused, "aggregated natively"), NATIVE_REFUSED + "memory_limit")).isPositive();
            assertSame("SELECT f, zero, count(*) FROM floating GROUP BY f, zero", "aggregated natively");
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
        mysql.execute("DROP TABLE test.floating");
    }

    private QueryId assertSame(String sql, String plan)
    {
        assertThat(trino.execute(trino.session(NATIVE), "EXPLAIN " + sql).getOnlyValue().toString()).as(sql).contains(plan);
        MaterializedResultWithPlan natively = trino.executeWithPlan(trino.session(NATIVE), sql);
        assertThat(texts(natively.result())).as(sql).isEqualTo(texts(trino.execute(trino.session(BY_TRINO), sql)));
        return natively.queryId();
    }

    private static List<String> texts(MaterializedResult result)
    {
        return result.getMaterializedRows().stream().map(Object::toString).sorted().toList();
    }
}
