package io.mysqlpq.extension;

import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests calls in conditions that MySQL pushes into InnoDB, which evaluates them under a page latch.
 *
 * <p>A call that took latches of its own there deadlocked the server with itself within seconds of such writers.
 */
@TestInstance(PER_CLASS)
class TestPushedConditions
{
    private static final String[] CALLS = {"mysql_pq_ranges('s', 'h', 'by_a', 4)", "mysql_pq_definition('s', 'h', 'by_a')", "mysql_pq_version()"};
    private static final String PUSHED = "SELECT COUNT(b) FROM s.h FORCE INDEX (by_a) WHERE a BETWEEN 5 AND 50 AND %s IS NOT NULL";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.h (k INT PRIMARY KEY, a INT, b INT, KEY by_a (a))",
                "INSERT INTO s.h WITH RECURSIVE n AS (SELECT 1 AS k UNION ALL SELECT k + 1 FROM n WHERE k < 100) SELECT k, k, k FROM n");
    }

    // Otherwise this class would test nothing.
    @Test
    void testConditionIsPushed()
    {
        try (Session session = new Session(server)) {
            assertThat(session.value("EXPLAIN FORMAT=TREE " + PUSHED.formatted(CALLS[0])))
                    .contains("with index condition").contains("mysql_pq_ranges");
        }
    }

    @Test
    void testCallsBesideWriters()
            throws Exception
    {
        AtomicBoolean stopped = new AtomicBoolean();
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int seed = i;
            writers.add(Background.run(() -> write(stopped, seed)));
        }
        try (Session session = new Session(server)) {
            for (int i = 0; i < 2000; i++) {
                session.assertRefused(PUSHED.formatted(CALLS[i % CALLS.length]), "bad_context");
            }
        }
        finally {
            stopped.set(true);
        }
        CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get();
    }

    private void write(AtomicBoolean stopped, int seed)
    {
        try (Session session = new Session(server)) {
            for (int i = seed; !stopped.get(); i++) {
                session.executeOrDeadlock("UPDATE s.h SET a = %s WHERE k = %s".formatted(i * 7 % 100, i * 13 % 100 + 1));
            }
        }
    }
}
