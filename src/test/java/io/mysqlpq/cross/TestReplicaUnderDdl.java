package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Reads a real replica with parallel appliers, while its source changes the table's definition again and again.
 */
@TestInstance(PER_CLASS)
class TestReplicaUnderDdl
{
    private static final int ROWS = 20_000;
    private static final int SHORT_QUERIES = 15;
    private static final long LOOK_NANOS = MILLISECONDS.toNanos(20);
    // What a busy machine may add to the limit.
    private static final Duration SLACK = Duration.ofSeconds(8);

    @AutoClose
    private final MysqlServer source = server(1, false);
    @AutoClose
    private final CrossCluster replica = CrossCluster.parallel(server(2, true));

    private static MysqlServer server(int id, boolean extension)
    {
        return MysqlServer.builder().extension(extension).binaryLog()
                .option("server-id", String.valueOf(id))
                .option("gtid-mode", "ON")
                .option("enforce-gtid-consistency", "ON")
                .option("replica-parallel-workers", "4")
                .option("cte-max-recursion-depth", "1000000")
                .start();
    }

    @BeforeAll
    void replicate()
    {
        source.execute(
                "CREATE USER repl IDENTIFIED BY 'repl'",
                "GRANT REPLICATION SLAVE ON *.* TO repl",
                "CREATE SCHEMA s",
                "CREATE TABLE s.beat (k INT PRIMARY KEY, at DATETIME(6) NOT NULL)",
                "INSERT INTO s.beat VALUES (1, SYSDATE(6))",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, 1 FROM s".formatted(ROWS));
        replica.mysql().execute(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %s, SOURCE_USER = 'repl', SOURCE_PASSWORD = 'repl', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1".formatted(source.port()),
                "START REPLICA");
        Await.until("the replica has the table", () -> MysqlRows.read(replica.mysql(), "SELECT table_rows FROM information_schema.tables WHERE table_schema = 's' AND table_name = 't'").size() == 1
                && MysqlRows.read(replica.mysql(), "SELECT count(*) FROM s.t").equals(MysqlRows.read(source, "SELECT count(*) FROM s.t")));
        replica.mysql().execute("ANALYZE TABLE s.t");
    }

    @Test
    void testShortQueriesEndWell()
    {
        replica.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = 5000");
        try (SteadyDdl ddl = new SteadyDdl()) {
            for (int i = 0; i < SHORT_QUERIES; i++) {
                assertThat(replica.query("SELECT sum(v) FROM mysql_pq.s.t").getOnlyValue()).isEqualTo((long) ROWS);
            }
            assertThat(ddl.changes.get()).isPositive();
            assertThat(ddl.longestLag()).isLessThan(Duration.ofSeconds(5).plus(SLACK));
        }
    }

    @Test
    void testLongQueryGivesWay()
    {
        replica.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = DEFAULT");
        // One range after the other: the query is not to end with the table before the limit.
        replica.createCatalog("narrow", Map.of("max-connections-per-node", "1"));
        try (SteadyDdl ddl = new SteadyDdl()) {
            assertThatThrownBy(() -> replica.query("SELECT count(*) FROM narrow.s.t CROSS JOIN UNNEST(sequence(1, 3000)) AS u (x) CROSS JOIN UNNEST(sequence(1, 30)) AS w (y) WHERE k * x % 7 + y > 0"))
                    .hasMessageContaining("s.t")
                    .hasMessageContaining("mysql_pq_ddl_wait_limit");
            assertThat(ddl.changes.get()).isPositive();
            assertThat(ddl.longestLag()).isLessThan(Duration.ofSeconds(1).plus(SLACK));
        }
    }

    /** Changes the table's definition on the source several times a second, and looks how far the replica is behind. */
    private final class SteadyDdl
            implements AutoCloseable
    {
        private final AtomicInteger changes = new AtomicInteger();
        private final AtomicBoolean ends = new AtomicBoolean();
        private final AtomicLong longestLagMicros = new AtomicLong();
        private final CompletableFuture<Void> ddl = Background.run(this::change);
        private final CompletableFuture<Void> beat = Background.run(() -> repeat(source, "UPDATE s.beat SET at = SYSDATE(6)", "DO SLEEP(0.02)"));
        private final CompletableFuture<Void> look = Background.run(this::look);

        private void change()
        {
            while (!ends.get()) {
                source.execute("ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT", "DO SLEEP(0.2)", "ALTER TABLE s.t DROP COLUMN w, ALGORITHM = INSTANT", "DO SLEEP(0.2)");
                changes.addAndGet(2);
            }
        }

        private void repeat(MysqlServer server, String... statements)
        {
            while (!ends.get()) {
                server.execute(statements);
            }
        }

        private void look()
        {
            while (!ends.get()) {
                longestLagMicros.accumulateAndGet(lagMicros(), Math::max);
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        private long lagMicros()
        {
            return Long.parseLong(MysqlRows.read(replica.mysql(), "SELECT TIMESTAMPDIFF(MICROSECOND, at, SYSDATE(6)) FROM s.beat").getFirst());
        }

        Duration longestLag()
        {
            return Duration.ofNanos(longestLagMicros.get() * 1000);
        }

        @Override
        public void close()
        {
            ends.set(true);
            CompletableFuture.allOf(ddl, beat, look).join();
        }
    }
}
