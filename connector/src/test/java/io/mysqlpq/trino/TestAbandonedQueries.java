package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Ends queries in all ways, and then looks for what they left in MySQL. */
@TestInstance(PER_CLASS)
class TestAbandonedQueries
{
    private static final Duration PROMPTLY = Duration.ofSeconds(10);
    private static final Pattern QUERY_ID = Pattern.compile("/\\*mysql_pq (\\S+)\\*/");
    // Sessions at rest in the pool are no leftovers; sessions with a statement or a transaction are.
    private static final String LEFTOVERS = """
            SELECT count(*) FROM information_schema.processlist p
            LEFT JOIN information_schema.innodb_trx t ON t.trx_mysql_thread_id = p.id
            WHERE p.user = 'reader' AND (p.command <> 'Sleep' OR t.trx_id IS NOT NULL)""";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE USER reader",
                "GRANT ALL ON *.* TO reader",
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.wide (n BIGINT PRIMARY KEY, filler VARCHAR(8000) NOT NULL)",
                "INSERT INTO test.wide WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 10000) SELECT n, REPEAT('x', 8000) FROM s",
                // MySQL computes for minutes without sending anything that could fail.
                "CREATE VIEW test.slow AS SELECT n, SLEEP(0.2) AS s FROM test.wide");
        trino = new TestingTrino(mysql, "reader", ImmutableMap.of(
                "parallel-reads-enabled", "true",
                "range-source", "EXTENSION",
                "target-rows-per-split", "200"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @AfterEach
    void assertNothingLeft()
    {
        Await.until("no statement and no transaction of the reader in MySQL", PROMPTLY, () -> number(LEFTOVERS) == 0);
    }

    @Test
    void testCancelWhileMysqlComputes()
    {
        cancelWhenRunning("SELECT sum(n), sum(s) FROM slow", "%SLEEP%' OR info LIKE '%slow%");
    }

    @Test
    void testCancelWhileTrinoIsSlowToRead()
    {
        cancelWhenRunning("SELECT count(*) FROM wide CROSS JOIN UNNEST(sequence(1, 5000)) WHERE length(filler) > 1 AND rand() < 2", "%`wide`%");
    }

    @Test
    void testEarlyLimit()
    {
        // Trino filters, so MySQL cannot know of the limit.
        assertThat(trino.execute("SELECT n, filler FROM wide WHERE rand() < 2 LIMIT 1").getRowCount()).isEqualTo(1);
    }

    @Test
    void testFailedQuery()
    {
        assertThatThrownBy(() -> trino.execute("SELECT sum(1 / (n - 5000)), max(filler) FROM wide")).hasMessageContaining("Division by zero");
    }

    @Test
    void testFinishedQuery()
    {
        assertThat(trino.execute("SELECT count(*), max(length(filler)) FROM wide").getMaterializedRows().getFirst().getFields()).containsExactly(10_000L, 8000L);
    }

    private void cancelWhenRunning(String sql, String mysqlStatement)
    {
        CompletableFuture<?> query = supplyAsync(() -> trino.execute(sql));
        String running = "SELECT info FROM information_schema.processlist WHERE user = 'reader' AND command = 'Query' AND (info LIKE '%s') LIMIT 1".formatted(mysqlStatement);
        AtomicReference<String> queryId = new AtomicReference<>();
        Await.until("the query runs in MySQL", Duration.ofSeconds(30), () -> {
            Matcher matcher = QUERY_ID.matcher(text(running));
            if (matcher.find()) {
                queryId.set(matcher.group(1));
            }
            return queryId.get() != null;
        });
        trino.execute("CALL system.runtime.kill_query(query_id => '%s', message => 'enough')".formatted(queryId.get()));
        assertThatThrownBy(query::join).hasMessageContaining("enough");
    }

    private long number(String sql)
    {
        return Long.parseLong(text(sql));
    }

    private String text(String sql)
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : "";
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
