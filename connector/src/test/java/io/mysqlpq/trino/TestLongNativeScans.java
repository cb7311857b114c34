package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Sql;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_STOPPED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Takes the server's memory away from scans of ranges that are too long for one statement. */
@TestInstance(PER_CLASS)
class TestLongNativeScans
{
    // A statement sends 128 batches of a MB.
    private static final int ROWS_OF_RANGE = 42_000;
    // Its time gives the test time.
    private static final String READ = "SELECT count(*), min(n), max(n), max(to_hex(sha512(to_utf8(v)))) FROM ";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.keyed (n INT PRIMARY KEY, v VARCHAR(4000) CHARACTER SET latin1 NOT NULL)",
                "INSERT INTO test.keyed WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, REPEAT(CHAR(97 + i %% 26), 4000) FROM s".formatted(ROWS_OF_RANGE),
                "CREATE TABLE test.keyless (n INT, v VARCHAR(4000) CHARACTER SET latin1 NOT NULL)",
                // Two or three ranges, by InnoDB's estimate, each of which is long enough.
                "INSERT INTO test.keyless SELECT n, v FROM test.keyed UNION ALL SELECT n + %1$s, v FROM test.keyed UNION ALL SELECT n + 2 * %1$s, v FROM test.keyed".formatted(ROWS_OF_RANGE),
                // Batches have 8192 rows at most.
                "CREATE TABLE test.grouped (g INT, n INT, PRIMARY KEY (g DESC, n))",
                "INSERT INTO test.grouped WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 59) SELECT -(n * 60 + i) DIV 50, n * 60 + i FROM test.keyed STRAIGHT_JOIN s",
                "ANALYZE TABLE test.keyed, test.keyless, test.grouped");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "70000", "connection-wait-timeout", "30s"));
    }

    @AfterEach
    void giveMemoryBack()
    {
        mysql.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    @Test
    void testGoesOnBySql()
            throws Exception
    {
        CompletableFuture<MaterializedResultWithPlan> query = startAndTakeMemory("keyed");
        MaterializedResultWithPlan result = query.get();
        assertThat(result.result()).isEqualTo(trino.execute(trino.session(ImmutableMap.of("native_scan_enabled", "false")), READ + "keyed"));
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(1);
        assertThat(trino.count(result.queryId(), READ_NATIVELY)).isEqualTo(1);
        assertThat(trino.count(result.queryId(), NATIVE_REFUSED + "memory_limit")).isEqualTo(1);
        assertThat(trino.count(result.queryId(), NATIVE_STOPPED)).isEqualTo(1);
    }

    // No SQL can say where to go on.
    @Test
    void testWaitsWithoutKey()
            throws Exception
    {
        long refused = refused();
        CompletableFuture<MaterializedResultWithPlan> query = startAndTakeMemory("keyless");
        Await.until("a scan may not go on", () -> refused() > refused + 1);
        assertThat(query).isNotDone();
        giveMemoryBack();
        MaterializedResultWithPlan result = query.get();
        assertThat(result.result()).isEqualTo(trino.execute(trino.session(ImmutableMap.of("native_scan_enabled", "false")), READ + "keyless"));
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(trino.count(result.queryId(), READ_NATIVELY)).isGreaterThan(1);
        assertThat(trino.count(result.queryId(), NATIVE_STOPPED)).isZero();
    }

    // A group may have rows on both sides.
    @Test
    void testGroupsGoOnBySql()
            throws Exception
    {
        String sql = "SELECT g, count(*), sum(n) FROM grouped GROUP BY g HAVING sum(n) > 100000";
        Map<String, String> many = ImmutableMap.of("aggregation_max_groups", "100", "target_rows_per_split", "1600000");
        assertThat((String) trino.execute(trino.session(many), "EXPLAIN " + sql).getOnlyValue()).contains("whole groups of ranges of index PRIMARY from EXTENSION, natively");
        MaterializedResultWithPlan result = startAndTakeMemory(many, sql).get();
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isEqualTo(2);
        // The other may find no memory from the start.
        assertThat(trino.count(result.queryId(), READ_NATIVELY)).isPositive();
        assertThat(trino.count(result.queryId(), NATIVE_STOPPED)).isPositive();
        assertEqualsIgnoreOrder(result.result(), trino.execute(trino.session(ImmutableMap.of("aggregation_pushdown_enabled", "false")), sql));
    }

    // The connector groups the rows behind the last one that the extension has grouped. Its groups do not fit into one statement.
    @Test
    void testNativeGroupsGoOnByRows()
            throws Exception
    {
        String sql = "SELECT g, n % 7, count(*), sum(n) FROM grouped GROUP BY 1, 2 HAVING sum(n) % 100 < 5";
        Map<String, String> many = ImmutableMap.of("aggregation_max_groups", "1000000", "target_rows_per_split", "1600000");
        assertThat((String) trino.execute(trino.session(many), "EXPLAIN " + sql).getOnlyValue()).contains("aggregated natively in ranges of index PRIMARY from EXTENSION");
        MaterializedResultWithPlan result = startAndTakeMemory(many, sql).get();
        assertThat(trino.count(result.queryId(), NATIVE_STOPPED)).isPositive();
        assertThat(result.result().getRowCount()).isGreaterThan(100);
        assertEqualsIgnoreOrder(result.result(), trino.execute(trino.session(ImmutableMap.of("aggregation_pushdown_enabled", "false", "complex_expression_pushdown", "false")), sql));
    }

    private CompletableFuture<MaterializedResultWithPlan> startAndTakeMemory(String table)
            throws SQLException
    {
        return startAndTakeMemory(ImmutableMap.of(), READ + table);
    }

    private CompletableFuture<MaterializedResultWithPlan> startAndTakeMemory(Map<String, String> properties, String sql)
            throws SQLException
    {
        CompletableFuture<MaterializedResultWithPlan> query = Background.supply(() -> trino.executeWithPlan(trino.session(properties), sql));
        // A first statement takes some hundredths of a second.
        try (Connection connection = mysql.connect()) {
            long start = System.nanoTime();
            while (Sql.value(connection, "SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'mysql_pq_scan_memory_used'").equals("0")) {
                assertThat(query).isNotDone();
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
            }
            Sql.execute(connection, "SET GLOBAL mysql_pq_memory_limit = 1000");
        }
        return query;
    }

    private long refused()
    {
        return mysql.status("mysql_pq_refused");
    }
}
