package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static io.mysqlpq.testing.Sql.execute;
import static io.mysqlpq.testing.Sql.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Adopts snapshots while their donors end in all ways, by the age limit too, writers move money and purge runs: each adopted snapshot shows
 * the whole sum, and just what its donor saw.
 */
@TestInstance(PER_CLASS)
class TestSnapshotRaces
{
    private static final int ACCOUNTS = 200;
    private static final long TOTAL = ACCOUNTS * 1000L;
    private static final long ADOPTIONS = Long.getLong("pq.snapshot.adoptions", 10_000);
    private static final String BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
    private static final String STATE = "SELECT CONCAT(SUM(balance), ' ', BIT_XOR(CRC32(CONCAT(id, ':', balance)))) FROM bank.accounts";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true)
            .option("innodb-undo-log-truncate", "ON")
            .option("innodb-max-undo-log-size", "10485760")
            .option("innodb-purge-rseg-truncate-frequency", "1")
            .start();
    private final Random random = Seed.random();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Offer> offer = new AtomicReference<>();
    private final AtomicLong adopted = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong expired = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    // What a donor saw, and the token to see it too.
    private record Offer(String token, String state)
    {}

    @Test
    void testEachReaderSeesTheDonorsState()
    {
        server.execute(
                "CREATE SCHEMA bank",
                "CREATE TABLE bank.accounts (id INT PRIMARY KEY, balance BIGINT, filler VARCHAR(200), KEY (balance))",
                "INSERT INTO bank.accounts WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, 1000, REPEAT('x', 200) FROM s".formatted(ACCOUNTS));
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = 2, GLOBAL mysql_pq_snapshot_grace = 0");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(start(this::moveMoney));
            threads.add(start(this::adopt));
        }
        threads.add(start(this::donate));
        threads.add(start(this::donate));
        threads.add(start(this::donateUntilClosed));
        Await.until("enough adoptions", Duration.ofMinutes(5), () -> adopted.get() >= ADOPTIONS || !failures.isEmpty());
        stopped.set(true);
        Await.until("all end", Duration.ofSeconds(30), () -> threads.stream().noneMatch(Thread::isAlive));

        System.out.printf("%s snapshots adopted, %s found lost, %s lost by age%n", adopted, lost, expired);
        failures.forEach(Throwable::printStackTrace);
        server.assertErrorLogClean();
        assertThat(failures).isEmpty();
        assertThat(lost.get()).isPositive();
        assertThat(expired.get()).isPositive();
        // Purge must not be held by a view that no session has any more.
        try (Session session = new Session(server)) {
            Await.until("purge has caught up", Duration.ofMinutes(1), () -> session.number("SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'") < 50);
        }
    }

    private interface Work
    {
        void step(Connection connection, Random random)
                throws SQLException;
    }

    private Thread start(Work work)
    {
        Random own = new Random(random.nextLong());
        return Thread.ofPlatform().start(() -> {
            while (!stopped.get()) {
                try (Connection connection = server.connect()) {
                    while (!stopped.get() && !connection.isClosed()) {
                        work.step(connection, own);
                    }
                }
                catch (SQLException e) {
                    // By the watch. If it is a crash, there is no next connection.
                    if (!isClosedByServer(e) || !server.isAlive()) {
                        fail(e);
                    }
                }
                catch (RuntimeException | AssertionError e) {
                    fail(e);
                }
            }
        });
    }

    private void fail(Throwable failure)
    {
        failures.add(failure);
        stopped.set(true);
    }

    private void moveMoney(Connection connection, Random own)
            throws SQLException
    {
        int from = 1 + own.nextInt(ACCOUNTS);
        int to = 1 + own.nextInt(ACCOUNTS);
        try {
            execute(connection, "BEGIN");
            execute(connection, "UPDATE bank.accounts SET balance = balance - 7 WHERE id = " + from);
            execute(connection, "UPDATE bank.accounts SET balance = balance + 7, filler = REPEAT('%s', 200) WHERE id = %s".formatted((char) ('a' + own.nextInt(26)), to));
            execute(connection, "COMMIT");
        }
        catch (SQLException e) {
            // Deadlock: rolled back.
            if (e.getErrorCode() != 1213) {
                throw e;
            }
        }
    }

    private void donate(Connection connection, Random own)
            throws SQLException
    {
        execute(connection, BEGIN);
        String token = RangePlan.json(value(connection, "SELECT mysql_pq_snapshot_export()")).required("token").textValue();
        offer.set(new Offer(token, value(connection, STATE)));
        value(connection, "SELECT SLEEP(%s)".formatted(own.nextInt(20) / 1000.0));
        switch (own.nextInt(5)) {
            case 0 -> execute(connection, "ROLLBACK");
            case 1 -> connection.close();
            case 2 -> {
                server.execute("KILL " + value(connection, "SELECT CONNECTION_ID()"));
                connection.close();
            }
            // The next snapshot ends it.
            case 3 -> execute(connection, BEGIN);
            default -> {
                execute(connection, "COMMIT");
                // Takes the view of the ended transaction up again for a moment.
                value(connection, STATE);
            }
        }
    }

    // Left to the watch, and last offered just before it comes.
    private void donateUntilClosed(Connection connection, Random own)
            throws SQLException
    {
        execute(connection, BEGIN);
        Offer old = new Offer(RangePlan.json(value(connection, "SELECT mysql_pq_snapshot_export()")).required("token").textValue(), value(connection, STATE));
        try {
            while (true) {
                value(connection, "SELECT SLEEP(%s)".formatted(own.nextInt(20) / 1000.0));
                offer.set(old);
            }
        }
        catch (SQLException e) {
            assertThat(isClosedByServer(e)).as(e.getMessage()).isTrue();
            expired.incrementAndGet();
            connection.close();
        }
    }

    // 1053 is what a statement says that runs just then.
    private static boolean isClosedByServer(SQLException e)
    {
        return e.getErrorCode() == 1053 || "08S01".equals(e.getSQLState());
    }

    private void adopt(Connection connection, Random own)
            throws SQLException
    {
        Offer taken = offer.get();
        if (taken == null) {
            return;
        }
        execute(connection, BEGIN);
        try {
            value(connection, "SELECT mysql_pq_snapshot_adopt('%s')".formatted(taken.token()));
        }
        catch (SQLException e) {
            if (isClosedByServer(e)) {
                throw e;
            }
            assertThat(e.getMessage()).containsAnyOf("no_such_snapshot", "snapshot_expired");
            lost.incrementAndGet();
            return;
        }
        if (own.nextInt(3) == 0) {
            value(connection, "SELECT SLEEP(%s)".formatted(own.nextInt(10) / 1000.0));
        }
        String state = value(connection, STATE);
        assertThat(state).startsWith(TOTAL + " ").isEqualTo(taken.state());
        adopted.incrementAndGet();
        execute(connection, own.nextBoolean() ? "COMMIT" : "ROLLBACK");
    }
}
