package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_STOPPED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Reads the same rows by the extension's column batches and by SQL. */
class TestNativeScans
        extends BaseNativeScanTest
{
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

    /** The page of a row is held while its versions are gone through, so their number has a limit. SQL would hold it as long. */
    @Test
    void testRowOfManyVersions()
    {
        mysql.execute("CREATE TABLE test.hot (k INT PRIMARY KEY, v INT)", "INSERT INTO test.hot SELECT n, 0 FROM test.t", "ANALYZE TABLE test.hot", "SET GLOBAL mysql_pq_max_row_versions = 100");
        Session old = trino.session(ImmutableMap.of("snapshot_group", "old", "snapshot_group_age", "5m"));
        String sql = "SELECT k, v FROM hot";
        try {
            // It makes the snapshot, and reads something else, since queries of a group share what they read.
            assertThat(trino.count(trino.executeWithPlan(old, "SELECT k FROM hot").queryId(), READ_NATIVELY)).isGreaterThan(1);
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

    // Halves of characters, of which the driver makes something else.
    @Test
    void testTextThatMayHoldHalves()
    {
        mysql.execute("CREATE TABLE test.halves (n INT PRIMARY KEY, s VARCHAR(9) CHARACTER SET ucs2)", "INSERT INTO test.halves SELECT n, 'a' FROM test.t", "UPDATE test.halves SET s = _ucs2 X'D800' WHERE n = 5", "ANALYZE TABLE test.halves");
        assertThat(trino.count(assertSame("SELECT n, s FROM halves"), READ_NATIVELY)).isZero();
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

    private static Map<String, String> with(Map<String, String> properties, String name, String value)
    {
        return ImmutableMap.<String, String>builder().putAll(properties).put(name, value).buildOrThrow();
    }
}
