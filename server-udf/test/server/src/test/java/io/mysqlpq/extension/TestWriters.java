package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that ranges stay gap-free and disjoint while rows come, go and split pages.
 */
@TestInstance(PER_CLASS)
class TestWriters
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final Random random = Seed.random();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT, s VARCHAR(200), filler CHAR(200) DEFAULT 'x', PRIMARY KEY (k), KEY by_s (s DESC))");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testEveryRowInOneRange()
            throws InterruptedException
    {
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Random own = new Random(random.nextLong());
            writers.add(Thread.ofPlatform().start(() -> write(own)));
        }
        int largest = 0;
        try (Session session = new Session(server)) {
            for (int i = 0; i < 40; i++) {
                RangePlan plan = RangePlan.ask(session, "s.t", i % 2 == 0 ? "PRIMARY" : "by_s", 16, "{\"leaf\": true}");
                RangeLaw law = new RangeLaw(session, "s.t", plan);
                law.assertEachRowInOneRange();
                law.assertBoundariesAscend();
                largest = Math.max(largest, plan.count());
            }
        }
        finally {
            stopped.set(true);
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(largest).isEqualTo(16);
    }

    // Each round brings and takes 300 rows from anywhere, so that the table stays at some ten thousand.
    private void write(Random own)
    {
        try (Session session = new Session(server)) {
            while (!stopped.get()) {
                session.executeOrDeadlock("INSERT IGNORE INTO s.t (k, s) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 300) SELECT FLOOR((RAND() - 0.5) * 1.8e19), SHA2(RAND(), 256) FROM s");
                if (session.number("SELECT COUNT(*) FROM s.t") > 10_000) {
                    session.executeOrDeadlock("DELETE FROM s.t WHERE k > %s LIMIT 500".formatted(own.nextLong() / 2));
                }
            }
        }
    }
}
