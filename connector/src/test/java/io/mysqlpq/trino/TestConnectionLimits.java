package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Runs joins whose sides compete for few connections, on two nodes. */
@TestInstance(PER_CLASS)
class TestConnectionLimits
{
    private MysqlServer mysql;

    @BeforeAll
    void start()
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY, filler VARCHAR(500) NOT NULL)",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 30000) SELECT n, REPEAT('x', 500) FROM s",
                // Ranges larger than what lies between MySQL and Trino's operators, so that a slow query holds its readers.
                "CREATE TABLE test.wide LIKE test.numbers",
                "INSERT INTO test.wide SELECT n * 4 + x, filler FROM test.numbers JOIN (VALUES ROW(0), ROW(1), ROW(2), ROW(3)) AS v (x)");
    }

    @AfterAll
    void stop()
    {
        mysql.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 100", "16, 1", "16, 2"})
    @Timeout(180)
    void testJoinsFinish(int perNode, int perServer)
            throws Exception
    {
        try (TestingTrino trino = trino(perNode, perServer, 1000)) {
            assertThat(trino.execute("SELECT count(*), sum(length(a.filler)) FROM numbers a JOIN numbers b ON a.n = b.n JOIN numbers c ON b.n = c.n").getMaterializedRows().getFirst().getFields())
                    .containsExactly(30_000L, 15_000_000L);
            assertThat(trino.execute("SELECT count(*) FROM (SELECT n FROM numbers UNION SELECT n FROM numbers UNION ALL SELECT n FROM numbers)").getOnlyValue())
                    .isEqualTo(60_000L);
        }
    }

    @Test
    @Timeout(180)
    void testLimitHoldsOverTheCluster()
            throws Exception
    {
        try (TestingTrino trino = trino(16, 100, 6000)) {
            assertThat(mostReaders(trino, Map.of())).isGreaterThan(4);
            // Each node has one and its scan one that it may always have.
            assertThat(mostReaders(trino, Map.of("max_connections_per_query", "2"))).isBetween(1L, 4L);
        }
        try (TestingTrino trino = trino(16, 2, 6000)) {
            assertThat(mostReaders(trino, Map.of())).isBetween(1L, 4L);
        }
    }

    // Sessions that were in the midst of a range at the same time, as the server counted them.
    private long mostReaders(TestingTrino trino, Map<String, String> properties)
            throws SQLException
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            CompletableFuture<?> query = Background.supply(() -> trino.execute(trino.session(properties), "SELECT count(*) FROM wide CROSS JOIN UNNEST(sequence(1, 30)) AS u (x) WHERE length(filler) * x >= 0"));
            long most = 0;
            while (!query.isDone()) {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM performance_schema.events_transactions_current WHERE state = 'ACTIVE' AND autocommit = 'NO'")) {
                    rows.next();
                    // One of them holds the snapshot.
                    most = Math.max(most, rows.getLong(1) - 1);
                }
            }
            query.join();
            return most;
        }
    }

    private TestingTrino trino(int perNode, int perServer, int rowsPerSplit)
            throws Exception
    {
        return new TestingTrino(mysql, ImmutableMap.copyOf(Map.of(
                "range-source", "EXTENSION",
                "target-rows-per-split", String.valueOf(rowsPerSplit),
                "max-connections-per-node", String.valueOf(perNode),
                "max-connections-per-server", String.valueOf(perServer))));
    }
}
