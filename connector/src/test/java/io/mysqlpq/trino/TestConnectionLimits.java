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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
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

    /** Also with the least that two workers need, and on nodes that read through one connection: the sides of a join do not block each other. */
    @ParameterizedTest
    @CsvSource({"1, 100", "2, 100", "16, 4", "16, 5", "16, 8"})
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
    void testCapHoldsForManyQueries()
            throws Exception
    {
        int cap = 10;
        int reserve = 8;
        mysql.execute("CREATE USER capped IDENTIFIED BY 'capped' WITH MAX_USER_CONNECTIONS " + (cap + reserve), "GRANT ALL ON *.* TO capped");
        try (TestingTrino trino = new TestingTrino(mysql, "capped", ImmutableMap.<String, String>builder()
                .put("connection-password", "capped")
                .put("range-source", "EXTENSION")
                .put("target-rows-per-split", "5000")
                .put("max-connections-per-server", String.valueOf(cap))
                .buildOrThrow())) {
            String join = "SELECT count(*), sum(length(a.filler)) FROM numbers a JOIN numbers b ON a.n = b.n";
            trino.execute(join);
            List<CompletableFuture<List<Object>>> queries = IntStream.range(0, 60)
                    .mapToObj(_ -> Background.supply(() -> trino.execute(join).getMaterializedRows().getFirst().getFields()))
                    .toList();
            long most = mostSessions("capped", CompletableFuture.allOf(queries.toArray(CompletableFuture[]::new)));
            assertThat(queries).allSatisfy(query -> assertThat(query.join()).containsExactly(30_000L, 15_000_000L));
            System.out.printf("most sessions: %s%n", most);
            assertThat(most).isBetween(cap - 2L, (long) cap);
        }
    }

    // As the server counts them, whatever they do.
    private long mostSessions(String user, CompletableFuture<?> whileRunning)
            throws SQLException
    {
        java.util.TreeMap<Long, Long> seen = new java.util.TreeMap<>();
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            while (!whileRunning.isDone()) {
                try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM performance_schema.threads WHERE processlist_user = '%s'".formatted(user))) {
                    rows.next();
                    seen.merge(rows.getLong(1), 1L, Long::sum);
                }
            }
        }
        System.out.println(seen);
        return seen.lastKey();
    }

    @Test
    @Timeout(180)
    void testLimitHoldsOverTheCluster()
            throws Exception
    {
        try (TestingTrino trino = trino(16, 100, 6000)) {
            assertThat(mostReaders(trino, Map.of())).isGreaterThan(4);
            // Each node has one.
            assertThat(mostReaders(trino, Map.of("max_connections_per_query", "2"))).isBetween(1L, 2L);
        }
        try (TestingTrino trino = trino(16, 4, 6000)) {
            assertThat(mostReaders(trino, Map.of())).isBetween(1L, 2L);
        }
        try (TestingTrino trino = trino(16, 3, 6000)) {
            assertThatThrownBy(() -> trino.execute("SELECT count(*) FROM wide")).hasMessageContaining("max-connections-per-server is 3, and 2 workers need 4 at least");
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
