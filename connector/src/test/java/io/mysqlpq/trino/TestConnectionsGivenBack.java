package io.mysqlpq.trino;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.trino.metadata.InternalFunctionBundle;
import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import static io.mysqlpq.trino.metrics.ReadMetrics.RESTS_READ_AHEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Has a query whose rows wait for Trino give its connections to another one. */
@TestInstance(PER_CLASS)
class TestConnectionsGivenBack
{
    private static final CountDownLatch ROWS_WAIT = new CountDownLatch(1);
    private static final CountDownLatch ROWS_GO_ON = new CountDownLatch(1);

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
            trino.runner().addFunctions(InternalFunctionBundle.builder().scalars(Held.class).build());
            // A native scan would be over once it had filled a batch or two.
            CompletableFuture<MaterializedResultWithPlan> held = Background.supply(() -> trino.executeWithPlan(
                    trino.session(Map.of("native_scan_enabled", "false")),
                    "SELECT count(*), sum(n), sum(length(filler)) FROM wide WHERE n <= 8000 AND held(n) > 0"));
            try {
                Await.until("it has rows", Duration.ofMinutes(2), () -> ROWS_WAIT.getCount() == 0);
                // Some of its ranges are on the same node.
                assertThat(trino.execute(trino.session(Map.of("target_rows_per_split", "500", "native_aggregation_enabled", "false")), "SELECT sum(length(filler)) FROM few WHERE length(filler) % 7 = 3").getOnlyValue()).isEqualTo(2_000_000L);
                assertThat(held).isNotDone();
            }
            finally {
                ROWS_GO_ON.countDown();
            }
            MaterializedResultWithPlan result = held.join();
            assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(8000L, 8000L * 8001 / 2, 8000L * 500);
            assertThat(trino.count(result.queryId(), RESTS_READ_AHEAD)).isEqualTo(1);
        }
    }

    /** Keeps the thread that asks for its first value from the rows behind it. */
    public static final class Held
    {
        private Held()
        {}

        @ScalarFunction(deterministic = false)
        @SqlType(StandardTypes.BIGINT)
        public static long held(@SqlType(StandardTypes.BIGINT) long n)
                throws InterruptedException
        {
            ROWS_WAIT.countDown();
            ROWS_GO_ON.await();
            return n;
        }
    }
}
