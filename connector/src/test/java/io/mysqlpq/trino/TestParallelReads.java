package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.spi.metrics.Distribution;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.mysqlpq.trino.metrics.ReadMetrics.BYTES_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_PER_RANGE;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads tables by many ranges and compares with what MySQL itself says. */
@TestInstance(PER_CLASS)
class TestParallelReads
{
    private static final int ROWS = 20_000;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET GLOBAL cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY)");
        mysql.execute("INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s".formatted(ROWS));
        trino = new TestingTrino(mysql, ImmutableMap.of(
                "native-aggregation-enabled", "false",
                "range-source", "EXTENSION",
                // What MySQL does as a whole is one split.
                "aggregation-pushdown.enabled", "false",
                "target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testTpchTable()
    {
        mysql.execute("""
                CREATE TABLE test.lineitem (
                    l_orderkey bigint NOT NULL, l_partkey bigint NOT NULL, l_suppkey bigint NOT NULL, l_linenumber int NOT NULL,
                    l_quantity decimal(12, 2) NOT NULL, l_extendedprice decimal(12, 2) NOT NULL, l_discount decimal(12, 2) NOT NULL,
                    l_tax decimal(12, 2) NOT NULL, l_returnflag char(1) NOT NULL, l_linestatus char(1) NOT NULL,
                    l_shipdate date NOT NULL, l_commitdate date NOT NULL, l_receiptdate date NOT NULL,
                    l_shipinstruct varchar(25) NOT NULL, l_shipmode varchar(10) NOT NULL, l_comment varchar(44) NOT NULL,
                    PRIMARY KEY (l_orderkey, l_linenumber))""");
        trino.execute("INSERT INTO lineitem SELECT * FROM tpch.tiny.lineitem");
        assertThat(trino.execute("SELECT * FROM lineitem").getRowCount()).isEqualTo(60_175);
        assertThat(trino.execute("SELECT * FROM lineitem EXCEPT SELECT * FROM tpch.tiny.lineitem").getRowCount()).isZero();
        QueryId query = execute("SELECT sum(l_extendedprice * l_discount) FROM lineitem").queryId();
        assertThat(trino.count(query, SPLITS_READ)).isBetween(20L, 128L);
        assertThat(trino.count(query, ROWS_READ)).isEqualTo(60_175);
        Distribution<?> rows = (Distribution<?>) trino.readMetrics(query).get(ROWS_PER_RANGE);
        assertThat(rows.getTotal()).isEqualTo(trino.count(query, SPLITS_READ));
        assertThat(rows.getMax()).isLessThan(2.0 * 60_175 / rows.getTotal());
    }

    @Test
    void testAllNodesRead()
    {
        QueryId query = execute("SELECT sum(n) FROM numbers").queryId();
        Map<String, Long> splitsByNode = trino.readMetrics(query).keySet().stream()
                .filter(metric -> metric.startsWith(ReadMetrics.SPLITS_READ_BY_NODE))
                .collect(toImmutableMap(metric -> metric, metric -> trino.count(query, metric)));
        assertThat(splitsByNode).hasSize(2);
        assertThat(splitsByNode.values()).allMatch(splits -> splits > 1);
    }

    // One row in a hundred has a megabyte beside the index, in which these rows lie on two leaves.
    @Test
    void testValuesOffPageAreSharedOut()
    {
        mysql.execute(
                "CREATE TABLE test.giants (k BIGINT PRIMARY KEY, v INT NOT NULL, payload LONGBLOB)",
                "INSERT INTO test.giants SELECT n, n, IF(n > 1980, REPEAT('x', 1000000), 'x') FROM test.numbers WHERE n <= 2000",
                "ANALYZE TABLE test.giants");
        Session session = trino.session(ImmutableMap.of("target_rows_per_split", "20000"));
        MaterializedResultWithPlan read = trino.executeWithPlan(session, "SELECT sum(length(payload)), count(DISTINCT k), sum(v) FROM giants");
        assertThat(read.result().getMaterializedRows().getFirst().getFields()).containsExactly(20_001_980L, 2_000L, 2_001_000L);
        // 20 MB are eight times 20,000 rows of 128 bytes.
        assertThat(trino.count(read.queryId(), SPLITS_READ)).isBetween(7L, 9L);
        Distribution<?> rows = (Distribution<?>) trino.readMetrics(read.queryId()).get(ROWS_PER_RANGE);
        assertThat(rows.getMax()).isBetween(1_980.0, 1_984.0);
        assertThat(rows.getMin()).isBetween(1.0, 4.0);
        // Nobody reads them.
        assertThat(trino.count(trino.executeWithPlan(session, "SELECT sum(v) FROM giants WHERE v + 0 > 0").queryId(), SPLITS_READ)).isEqualTo(1);
    }

    @Test
    void testUnsignedKey()
    {
        createFromNumbers("unsigned_key", "k BIGINT UNSIGNED NOT NULL, v INT NOT NULL, PRIMARY KEY (k)", "CAST(n AS UNSIGNED) * 922337203685477, n");
        assertEachRowOnce("unsigned_key");
        assertThat(trino.execute("SELECT count(*) FROM unsigned_key WHERE k >= DECIMAL '9223372036854775808'").getOnlyValue())
                .isEqualTo((long) ROWS - 10_000);
    }

    @Test
    void testNegativeAndDescendingKey()
    {
        createFromNumbers("descending_key", "k INT NOT NULL, v INT NOT NULL, PRIMARY KEY (k DESC)", "n - 10000, n");
        assertEachRowOnce("descending_key");
        assertThat(trino.execute("SELECT count(*) FROM descending_key WHERE k BETWEEN -500 AND 499").getOnlyValue()).isEqualTo(1000L);
    }

    @Test
    void testTextKeys()
    {
        for (String collation : new String[] {"utf8mb4_0900_ai_ci", "utf8mb4_bin"}) {
            String table = "text_" + collation;
            createFromNumbers(
                    table,
                    "k VARCHAR(80) COLLATE %s NOT NULL, v INT NOT NULL, PRIMARY KEY (k)".formatted(collation),
                    "CONCAT(CASE n %% 4 WHEN 0 THEN 'Ä''\\\\' WHEN 1 THEN 'z' WHEN 2 THEN '😀' ELSE '' END, SHA2(n, 256)), n");
            assertEachRowOnce(table);
        }
    }

    @Test
    void testCompositeKeyWithSkewAndDescendingPart()
    {
        createFromNumbers(
                "composite_key",
                "tenant VARCHAR(20) NOT NULL, moment INT NOT NULL, k BIGINT NOT NULL, v INT NOT NULL, PRIMARY KEY (tenant, moment DESC, k)",
                "IF(n %% 10 < 8, 'big', CONCAT('tenant', n %% 100)), n DIV 50, n, n");
        assertEachRowOnce("composite_key");
    }

    @Test
    void testFilterOnKeyNarrowsThePlan()
    {
        QueryId query = execute("SELECT sum(n) FROM numbers WHERE n BETWEEN 5001 AND 9000").queryId();
        assertThat(trino.count(query, ROWS_READ)).isEqualTo(4000);
        // Ranges over the whole table would leave most splits without a row.
        assertThat(((Distribution<?>) trino.readMetrics(query).get(ROWS_PER_RANGE)).getPercentiles(25)[0]).isPositive();
        assertThat(trino.count(query, SPLITS_READ)).isBetween(2L, 8L);
    }

    // As the planner writes them, with all digits of the column, the extension takes bounds of these types too.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "dates|DATE|DATE'1990-01-01' + INTERVAL n DAY|DATE '2000-01-01'|DATE '2010-01-01'",
            "datetimes|DATETIME(3)|DATE'1990-01-01' + INTERVAL n DAY + INTERVAL 123000 MICROSECOND|TIMESTAMP '2000-01-01 00:00:00'|TIMESTAMP '2010-01-01 00:00:00'",
            "timestamps|TIMESTAMP|DATE'1990-01-01' + INTERVAL n MOD 17000 DAY|TIMESTAMP '2000-01-01 00:00:00 UTC'|TIMESTAMP '2010-01-01 00:00:00 UTC'",
            "long_timestamps|TIMESTAMP(6)|DATE'1990-01-01' + INTERVAL n MOD 17000 DAY|TIMESTAMP '2000-01-01 00:00:00 UTC'|TIMESTAMP '2010-01-01 00:00:00 UTC'",
            "decimals|DECIMAL(10,3)|n / 8|DECIMAL '500.000'|DECIMAL '1000.125'",
            "long_decimals|DECIMAL(38,5)|n / 8|DECIMAL '500.000'|DECIMAL '1000.125'"})
    void testFilterOnOtherKeysNarrowsThePlan(String table, String type, String value, String from, String to)
    {
        for (String order : new String[] {"", " DESC"}) {
            mysql.execute("DROP TABLE IF EXISTS test." + table);
            createFromNumbers(table, "k %s NOT NULL, v INT NOT NULL, PRIMARY KEY (k%s, v)".formatted(type, order), value + ", n");
            String filter = " FROM %s WHERE k BETWEEN %s AND %s".formatted(table, from, to);
            MaterializedResultWithPlan result = execute("SELECT count(*)" + filter);
            assertThat(result.result().getOnlyValue()).isEqualTo(execute("SELECT count_if(k BETWEEN %s AND %s) FROM %s".formatted(from, to, table)).result().getOnlyValue());
            QueryId query = execute("SELECT sum(v)" + filter).queryId();
            assertThat((Long) result.result().getOnlyValue()).isGreaterThan(3_000);
            assertThat(((Distribution<?>) trino.readMetrics(query).get(ROWS_PER_RANGE)).getPercentiles(25)[0]).isPositive();
            assertThat(trino.count(query, SPLITS_READ)).isBetween(2L, 10L);
        }
    }

    @Test
    void testFilterThatNoKeyMeets()
    {
        assertThat(trino.execute("SELECT count(*) FROM numbers WHERE n > 77 AND n < 78").getOnlyValue()).isEqualTo(0L);
        assertThat(trino.execute("SELECT count(*) FROM numbers WHERE n > %d".formatted(ROWS)).getOnlyValue()).isEqualTo(0L);
        assertThat(trino.execute("SELECT count(*) FROM numbers WHERE n < -%d".formatted(ROWS)).getOnlyValue()).isEqualTo(0L);
    }

    // Trino's type for an unsigned column holds more values than the column.
    @Test
    void testFilterBeyondTheColumnsType()
    {
        createFromNumbers("narrow_key", "k SMALLINT UNSIGNED NOT NULL, v INT NOT NULL, PRIMARY KEY (k, v)", "n MOD 65536, n");
        assertThat(trino.execute("SELECT count(*) FROM narrow_key WHERE k BETWEEN -1 AND 70000").getOnlyValue()).isEqualTo((long) ROWS);
        assertThat(trino.execute("SELECT count(*) FROM narrow_key WHERE k <= 65535").getOnlyValue()).isEqualTo((long) ROWS);
        assertThat(trino.execute("SELECT count(*) FROM narrow_key WHERE k < -70000").getOnlyValue()).isEqualTo(0L);
        assertThat(trino.execute("SELECT count(*) FROM narrow_key WHERE k > 70000").getOnlyValue()).isEqualTo(0L);
    }

    @Test
    void testPointLookupIsOneSplit()
    {
        MaterializedResultWithPlan result = execute("SELECT n FROM numbers WHERE n = 77");
        assertThat(result.result().getOnlyValue()).isEqualTo(77L);
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
    }

    @Test
    void testLimitIsExact()
    {
        MaterializedResultWithPlan result = execute("SELECT n FROM numbers LIMIT 123");
        assertThat(result.result().getRowCount()).isEqualTo(123);
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
        assertThat(execute("SELECT n FROM numbers WHERE n % 3 = 0 LIMIT 5").result().getRowCount()).isEqualTo(5);
    }

    @Test
    void testTopNIsExact()
    {
        MaterializedResult result = trino.execute("SELECT n FROM numbers ORDER BY n DESC LIMIT 3");
        assertThat(result.getOnlyColumnAsSet()).containsExactlyInAnyOrder((long) ROWS, ROWS - 1L, ROWS - 2L);
    }

    @Test
    void testJoinIsExact()
    {
        assertThat(trino.execute("SELECT count(*) FROM numbers a JOIN numbers b ON a.n = b.n + 1").getOnlyValue()).isEqualTo(ROWS - 1L);
    }

    // The dictionary is read to plan, and at most once more to describe the table to EXPLAIN or to a tracer.
    @Test
    void testStatementsThatAQuerySends()
            throws Exception
    {
        mysql.execute("SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = ON");
        String query = trino.executeWithPlan(trino.session(ImmutableMap.of("native_scan_enabled", "false")), "SELECT sum(n) FROM numbers WHERE n >= 0").queryId().toString();
        mysql.execute("SET GLOBAL general_log = OFF");
        List<String> sent = mysql.values("SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE command_type = 'Query'");
        assertThat(sent).filteredOn(sql -> sql.contains("information_schema.tables t") && sql.contains(query)).hasSizeBetween(1, 2);
        // By no other index than the one that was cut: an index on a prefix gives MySQL wrong rows (TestUnionOfSplits).
        assertThat(sent).filteredOn(sql -> sql.matches("(?s)/\\*mysql_pq [^*]*\\*/ SELECT (/\\*\\+ [^*]*\\*/ )?`n`.*") && sql.contains(query)).hasSizeGreaterThan(4)
                .allMatch(sql -> sql.contains(" FORCE INDEX (`PRIMARY`) WHERE "));
        assertThat(sent).filteredOn(sql -> sql.matches("(?s)SET .*net_write_timeout=600.*")).isEmpty();
    }

    @Test
    void testUnneededColumnsAreNotRead()
            throws Exception
    {
        mysql.execute("CREATE TABLE test.filled (n BIGINT PRIMARY KEY, filler VARCHAR(9) NOT NULL) SELECT n, 'xxxxxxxxx' AS filler FROM test.numbers");
        assertThat(bytesRead("SELECT sum(n + length(filler)) FROM filled")).isGreaterThan(2 * bytesRead("SELECT sum(n + 1) FROM filled"));
        assertThat(bytesRead("SELECT count(*) FROM filled WHERE n + rand() > 0")).isEqualTo(bytesRead("SELECT sum(n + 1) FROM filled"));
    }

    private long bytesRead(String sql)
    {
        return trino.count(execute(sql).queryId(), BYTES_READ);
    }

    @Test
    void testOneSplitWithoutParallelReads()
    {
        Session session = trino.session(ImmutableMap.of("parallel_reads_enabled", "false"));
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT sum(n) FROM numbers");
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
    }

    // InnoDB numbers its rows itself.
    @Test
    void testTableWithoutKey()
    {
        createFromNumbers("keyless", "k INT, v INT", "n * 3, n");
        assertEachRowOnce("keyless");
    }

    @Test
    void testTablesThatHaveNoRanges()
    {
        mysql.execute(
                "CREATE TABLE test.small (k INT PRIMARY KEY)",
                "INSERT INTO test.small VALUES (1), (2)",
                "CREATE VIEW test.number_view AS SELECT n FROM test.numbers",
                "CREATE TABLE test.other_engine (n BIGINT PRIMARY KEY) ENGINE = MyISAM SELECT n FROM test.numbers",
                "CREATE TABLE test.small_partitions (n BIGINT PRIMARY KEY) PARTITION BY HASH (n) PARTITIONS 3",
                "INSERT INTO test.small_partitions VALUES (1), (2)");
        assertOneSplit("small", 2);
        assertOneSplit("number_view", ROWS);
        assertOneSplit("other_engine", ROWS);
        assertOneSplit("small_partitions", 2);
    }

    // 1,000 rows a split: the large partition is cut, and of the others several make one split.
    @Test
    void testPartitions()
    {
        mysql.execute(
                """
                CREATE TABLE test.partitioned (k INT NOT NULL, v INT NOT NULL, PRIMARY KEY (k, v)) PARTITION BY RANGE (k) (
                PARTITION `first p``art` VALUES LESS THAN (0), PARTITION large VALUES LESS THAN (15000), PARTITION a VALUES LESS THAN (15300),
                PARTITION b VALUES LESS THAN (15600), PARTITION c VALUES LESS THAN (18000), PARTITION d VALUES LESS THAN MAXVALUE)""",
                "INSERT INTO test.partitioned SELECT n - 1, n FROM test.numbers",
                "ANALYZE TABLE test.partitioned");
        assertEachRowOnce("partitioned");
        QueryId query = execute("SELECT sum(v) FROM partitioned").queryId();
        assertThat(trino.count(query, SPLITS_READ)).isBetween(14L, 24L);
        assertThat(trino.execute("SELECT count(*), min(v) FROM partitioned WHERE k >= 17990").getMaterializedRows().getFirst().getFields())
                .containsExactly(2010L, 17_991);
    }

    @Test
    void testManyPartitionsAreJoined()
    {
        mysql.execute(
                "CREATE TABLE test.many_partitions (k INT NOT NULL, v INT NOT NULL, PRIMARY KEY (k)) PARTITION BY HASH (k) PARTITIONS 300",
                "INSERT INTO test.many_partitions SELECT n, n FROM test.numbers",
                "ANALYZE TABLE test.many_partitions");
        Session session = trino.session(ImmutableMap.of("max_ranges_per_scan", "8"));
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT count(*), sum(v) FROM many_partitions");
        assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, ROWS * (ROWS + 1L) / 2);
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isBetween(3L, 8L);
    }

    private void assertOneSplit(String table, long rows)
    {
        MaterializedResultWithPlan result = execute("SELECT count(*) FROM " + table);
        assertThat(result.result().getOnlyValue()).isEqualTo(rows);
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
    }

    private void createFromNumbers(String table, String columns, String values)
    {
        mysql.execute(
                "CREATE TABLE test.%s (%s)".formatted(table, columns),
                "INSERT INTO test.%s SELECT %s FROM test.numbers".formatted(table, values.replace("%%", "%")));
    }

    // v counts the rows from 1, so a row that is lost, doubled or changed changes the sums.
    private void assertEachRowOnce(String table)
    {
        MaterializedResultWithPlan result = execute("SELECT count(*), count(DISTINCT v), sum(v), count(k), count(DISTINCT k) FROM " + table);
        assertThat(result.result().getMaterializedRows().getFirst().getFields())
                .containsExactly((long) ROWS, (long) ROWS, ROWS * (ROWS + 1L) / 2, (long) ROWS, (long) ROWS);
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isGreaterThan(5);
    }

    private MaterializedResultWithPlan execute(String sql)
    {
        return trino.executeWithPlan(trino.runner().getDefaultSession(), sql);
    }
}
