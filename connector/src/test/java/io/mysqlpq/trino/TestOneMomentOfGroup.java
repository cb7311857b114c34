package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.ReplicationGroup;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static io.mysqlpq.testing.TestedServer.NEEDS_GROUP_REPLICATION;
import static io.mysqlpq.trino.metrics.PlanningMetrics.SERVERS_READ;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** Tests that one query reads from two secondaries of a replication group at one moment. */
@EnabledIf(value = "io.mysqlpq.testing.TestedServer#hasGroupReplication", disabledReason = NEEDS_GROUP_REPLICATION)
class TestOneMomentOfGroup
{
    private static final int ROWS = 20_000;

    /** Each transaction adds the next row, so that each moment has all rows up to one. */
    @Test
    void testWhileRowsAreWritten()
            throws Exception
    {
        try (ReplicationGroup group = new ReplicationGroup(2)) {
            group.primary().execute(
                    "SET GLOBAL cte_max_recursion_depth = 1000000",
                    "CREATE SCHEMA test",
                    "CREATE TABLE test.t (k INT PRIMARY KEY, v VARCHAR(100))",
                    "INSERT INTO test.t WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < %d) SELECT n, REPEAT(n, 10) FROM r".formatted(ROWS));
            try (TestingTrino trino = new TestingTrino(group.primary(), ImmutableMap.<String, String>builder()
                    .put("replica-hosts", group.secondaries().stream().map(member -> "127.0.0.1:" + member.port()).collect(joining(",")))
                    .put("throttle-poll-interval", "10ms")
                    .put("target-rows-per-split", "1000")
                    .put("parallel-min-rows", "1000")
                    .buildOrThrow())) {
                Await.until("a query reads from both", () -> trino.count(read(trino).queryId(), SERVERS_READ) == 2);
                AtomicBoolean stopped = new AtomicBoolean();
                CompletableFuture<Void> writer = Background.run(() -> count(group.primary(), stopped));
                try {
                    long spread = trino.counter("RoutedQueries", "Spread");
                    Await.until("six queries read from both while rows are written", () -> {
                        assertRowsOfOneMoment(read(trino));
                        return trino.counter("RoutedQueries", "Spread") - spread >= 6;
                    });
                    // It applies nothing any more, so that it never again shows what the other one does.
                    group.secondaries().getLast().execute("STOP GROUP_REPLICATION");
                    for (int query = 0; query < 6; query++) {
                        assertRowsOfOneMoment(read(trino));
                    }
                }
                finally {
                    stopped.set(true);
                    writer.join();
                }
            }
        }
    }

    private static MaterializedResultWithPlan read(TestingTrino trino)
    {
        return trino.executeWithPlan(trino.session(ImmutableMap.of("replicas_per_query", "2")), "SELECT k FROM test.t");
    }

    private static void assertRowsOfOneMoment(MaterializedResultWithPlan result)
    {
        List<Integer> keys = result.result().getMaterializedRows().stream().map(row -> (int) row.getField(0)).sorted().toList();
        assertThat(keys).isEqualTo(IntStream.rangeClosed(1, keys.size()).boxed().toList());
        assertThat(keys.size()).isGreaterThanOrEqualTo(ROWS);
    }

    private static void count(MysqlServer primary, AtomicBoolean stopped)
    {
        try (Connection connection = primary.connect(); Statement statement = connection.createStatement()) {
            for (int next = ROWS + 1; !stopped.get(); next++) {
                statement.execute("INSERT INTO test.t VALUES (%d, 'new')".formatted(next));
                Thread.sleep(5);
            }
        }
        catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
