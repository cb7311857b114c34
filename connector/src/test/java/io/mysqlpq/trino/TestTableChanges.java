package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryFailedException;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Replaces a table's rows while a query reads it by ranges. */
class TestTableChanges
{
    private static final int ROWS = 20_000;

    @Test
    void testTruncateBetweenRangesFailsTheQuery()
            throws Exception
    {
        try (MysqlServer mysql = MysqlServer.builder().extension(true).start();
                TestingTrino trino = new TestingTrino(mysql, ImmutableMap.of(
                        "parallel-reads-enabled", "true",
                        "range-source", "EXTENSION",
                        "target-rows-per-split", "500",
                        "max-connections-per-node", "1"))) {
            mysql.execute(
                    "CREATE DATABASE test",
                    "SET SESSION cte_max_recursion_depth = 1000000",
                    "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY)",
                    "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) SELECT n FROM s".formatted(ROWS));
            // Trino takes long over each range, so that most ranges are not yet open when the table changes.
            CompletableFuture<Object> query = supplyAsync(() -> trino.execute(
                    "SELECT count(*) FROM (SELECT n FROM numbers CROSS JOIN UNNEST(sequence(1, 3000)) AS t (x) WHERE n * x % 7 >= 0)").getOnlyValue());
            Await.until("ranges are read", Duration.ofSeconds(30), () -> rangesRead(trino) > 1);
            mysql.execute("TRUNCATE TABLE test.numbers");
            assertThatThrownBy(query::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(QueryFailedException.class)
                    .hasMessageContaining("test.numbers")
                    .hasMessageContaining("Run the query again");
            assertThat(trino.execute("SELECT count(*) FROM numbers").getOnlyValue()).isEqualTo(0L);
        }
    }

    private static long rangesRead(TestingTrino trino)
    {
        return trino.runner().getCoordinator().getQueryManager().getQueries().stream()
                .filter(query -> query.getQuery().contains("UNNEST"))
                .mapToLong(query -> query.getQueryStats().getCompletedDrivers())
                .max()
                .orElse(0);
    }
}
