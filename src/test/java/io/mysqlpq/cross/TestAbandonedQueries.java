package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.execution.QueryManager;
import io.trino.server.BasicQueryInfo;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.concurrent.CompletableFuture;

import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a query that is cancelled, fails or has enough rows leaves nothing running in MySQL.
 */
@TestInstance(PER_CLASS)
class TestAbandonedQueries
{
    // No function of MySQL's, so the column is read.
    private static final String SLOW = "SELECT count(*) FROM mysql_pq.s.t WHERE slow + rand() > 0";

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start());

    @BeforeAll
    void createTable()
    {
        cluster.mysql().execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v VARCHAR(1000))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 100000) SELECT i, REPEAT(LEFT(SHA2(i, 256), 32), 20) FROM s",
                // Computed anew for each row that is read: minutes of work in ranges.
                "ALTER TABLE s.t ADD COLUMN slow BIGINT AS (CRC32(REPEAT(v, 1000)))",
                // Hours of work before MySQL sends a row, so that no write to a closed connection could end it.
                "CREATE VIEW s.silent AS SELECT k, SLEEP(0.2) AS s FROM s.t");
    }

    @AfterEach
    void assertNothingRuns()
    {
        // This also cancels the query of a test that failed.
        cancelAll();
        Leftovers.assertNone(cluster.mysql());
        // The pools must still give connections.
        assertThat(cluster.query("SELECT count(*) FROM mysql_pq.s.t WHERE v LIKE '_%'").getOnlyValue()).isEqualTo(100_000L);
        Leftovers.assertNone(cluster.mysql());
    }

    @Test
    void testCancelWhileRangesAreRead()
    {
        cancelWhenMysqlRuns(SLOW, "`slow`");
    }

    @Test
    void testCancelWhileAggregationsOfRangesAreRead()
    {
        cancelWhenMysqlRuns("WITH SESSION mysql_pq.native_scan_enabled = false SELECT sum(slow) FROM mysql_pq.s.t", "sum(`slow`)");
    }

    @Test
    void testCancelWhileMysqlComputes()
    {
        cancelWhenMysqlRuns("SELECT sum(k), sum(s) FROM mysql_pq.s.silent", "`silent`");
    }

    @Test
    void testEarlyLimit()
    {
        for (int i = 0; i < 5; i++) {
            MaterializedResultWithPlan result = cluster.queryWithId("SELECT k FROM mysql_pq.s.t WHERE length(v) + rand() > 0 LIMIT 5");
            assertThat(result.result().getRowCount()).isEqualTo(5);
            assertThat(cluster.scanCount(result.queryId(), ROWS_READ)).isLessThan(100_000);
        }
    }

    @Test
    void testFailure()
    {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> cluster.query("SELECT sum(length(v) / (k - 50000)) FROM mysql_pq.s.t")).hasMessageContaining("Division by zero");
        }
    }

    @Test
    void testPushedLimit()
    {
        assertThat(cluster.query("SELECT * FROM mysql_pq.s.t LIMIT 10").getRowCount()).isEqualTo(10);
    }

    private void cancelWhenMysqlRuns(String sql, String inStatement)
    {
        CompletableFuture<Object> query = Background.supply(() -> cluster.query(sql));
        Await.until("MySQL runs a statement on " + inStatement, () -> {
            assertThat(query).isNotDone();
            return Leftovers.of(cluster.mysql()).stream().anyMatch(statement -> statement.contains(inStatement));
        });
        cancelAll();
        assertThatThrownBy(query::join).hasMessageContaining("canceled");
    }

    private void cancelAll()
    {
        QueryManager queries = cluster.trino().getCoordinator().getQueryManager();
        queries.getQueries().stream()
                .filter(query -> !query.getState().isDone())
                .map(BasicQueryInfo::getQueryId)
                .forEach(queries::cancelQuery);
    }
}
