package io.mysqlpq.trino;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static io.mysqlpq.trino.metrics.ReadMetrics.RESTS_READ_AHEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Has a query whose rows wait for Trino give its connections to another one. Alone on the machine: it has to be slower than the other. */
@TestInstance(PER_CLASS)
@Tag("stress")
class TestConnectionsGivenBack
{
    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).start();

    /** As those of a join's probe side do. No row is lost. */
    @Test
    @Timeout(180)
    void testReaderThatNobodyReadsFrom()
            throws Exception
    {
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.wide (n BIGINT PRIMARY KEY, filler VARCHAR(500) NOT NULL)",
                "INSERT INTO test.wide WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 120000) SELECT n, REPEAT('x', 500) FROM s",
                "CREATE TABLE test.few LIKE test.wide",
                "INSERT INTO test.few SELECT * FROM test.wide WHERE n <= 4000");
        // One reader for each of two nodes, and two snapshots.
        try (TestingTrino trino = new TestingTrino(mysql, "root", Map.of(
                "connection-password", "",
                "range-source", "EXTENSION",
                "max-connections-per-server", "5",
                "target-rows-per-split", "1000000"))) {
            // A native scan would be over once it had filled a batch or two.
            CompletableFuture<MaterializedResultWithPlan> slow = Background.supply(() -> trino.executeWithPlan(
                    trino.session(Map.of("native_scan_enabled", "false")),
                    "SELECT count(*), sum(length(filler)) FROM wide CROSS JOIN UNNEST(sequence(1, 10000)) AS u (x) CROSS JOIN UNNEST(sequence(1, 2)) AS w (y) WHERE n <= 8000 AND length(filler) * x + y >= 0"));
            Await.until("it has rows", Duration.ofMinutes(2), () -> trino.runner().getCoordinator().getQueryManager().getQueries().stream().anyMatch(query -> query.getQueryStats().getProcessedInputPositions() > 0));
            // Some of its ranges are on the same node.
            assertThat(trino.execute(trino.session(Map.of("target_rows_per_split", "500")), "SELECT sum(length(filler)) FROM few WHERE length(filler) % 7 = 3").getOnlyValue()).isEqualTo(2_000_000L);
            assertThat(slow).isNotDone();
            MaterializedResultWithPlan result = slow.join();
            assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(8000L * 20_000, 8000L * 20_000 * 500);
            assertThat(trino.count(result.queryId(), RESTS_READ_AHEAD)).isEqualTo(1);
        }
    }
}
