package io.mysqlpq.extension.stress;

import io.mysqlpq.extension.RangePlan;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static io.mysqlpq.testing.Sql.execute;
import static io.mysqlpq.testing.Sql.value;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Measures what export, adopt and verify cost, round trip included, while other sessions hold transactions (the first
 * decile, since the machine is shared), and what a held snapshot costs purge.
 */
@Tag("stress")
class TestSnapshotCost
{
    private static final String BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
    private static final int REPEATS = 2_000;
    private static final Duration WRITING = Duration.ofSeconds(Long.getLong("pq.cost.seconds", 3));
    private static final List<String> CALLS = List.of(
            "SELECT mysql_pq_snapshot_export()",
            "SELECT mysql_pq_snapshot_adopt('%s')",
            "SELECT mysql_pq_snapshot_verify('%s')",
            "SELECT mysql_pq_version()");

    @ParameterizedTest
    @ValueSource(ints = {0, 2_000})
    void testCalls(int idleSessions)
            throws SQLException
    {
        try (MysqlServer server = MysqlServer.builder().extension(true).option("max-connections", "3000").start();
                // The oldest, so that whoever looks for it from the newest on passes all others.
                Connection donor = server.connect()) {
            String token = export(donor);
            List<Connection> idle = new ArrayList<>();
            for (int i = 0; i < idleSessions; i++) {
                idle.add(server.connect());
                execute(idle.getLast(), BEGIN);
            }
            try (Connection reader = server.connect()) {
                for (String call : CALLS) {
                    measure(reader, call, token);
                }
                for (String call : CALLS) {
                    System.out.printf("With %s idle sessions in transactions: %s microseconds: %s%n", idleSessions, measure(reader, call, token), call);
                }
            }
            for (Connection connection : idle) {
                connection.close();
            }
            server.assertErrorLogClean();
        }
    }

    // What a held snapshot costs writers and purge; -Dpq.cost.seconds=60 for figures.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void testPurgeLag(boolean held)
            throws SQLException
    {
        try (MysqlServer server = MysqlServer.builder().extension(true).option("innodb-purge-rseg-truncate-frequency", "1").start();
                Connection donor = server.connect();
                Connection observer = server.connect()) {
            server.execute(
                    "CREATE SCHEMA s",
                    "CREATE TABLE s.t (k INT PRIMARY KEY, v BIGINT, filler CHAR(100) DEFAULT 'x')",
                    "INSERT INTO s.t (k, v) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, 0 FROM n");
            if (held) {
                export(donor);
            }
            long updates = update(server);
            long history = historyLength(observer);
            long reading = System.nanoTime();
            value(donor, "SELECT SUM(v) FROM s.t");
            System.out.printf("1000 rows read in %s microseconds%n", (System.nanoTime() - reading) / 1_000);
            execute(donor, "COMMIT");
            long start = System.nanoTime();
            Await.until("purge has caught up", Duration.ofMinutes(5), () -> historyLength(observer) < 100);
            System.out.printf("Updates in %s, snapshot %s: %s; history list then %s, shorter than 100 after %s ms%n",
                    WRITING, held ? "held" : "not held", updates, history, (System.nanoTime() - start) / 1_000_000);
            assertThat(history > updates / 2).isEqualTo(held);
            server.assertErrorLogClean();
        }
    }

    private static long update(MysqlServer server)
            throws SQLException
    {
        long end = System.nanoTime() + WRITING.toNanos();
        long updates = 0;
        try (Connection writer = server.connect()) {
            while (System.nanoTime() < end) {
                execute(writer, "UPDATE s.t SET v = v + 1 WHERE k = " + (1 + updates * 7 % 1000));
                updates++;
            }
        }
        return updates;
    }

    private static long historyLength(Connection connection)
    {
        try {
            return Long.parseLong(value(connection, "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'"));
        }
        catch (SQLException e) {
            throw new AssertionError("Cannot read the length of the history list", e);
        }
    }

    private static long measure(Connection reader, String call, String token)
            throws SQLException
    {
        long[] times = new long[REPEATS];
        for (int i = 0; i < REPEATS; i++) {
            execute(reader, BEGIN);
            if (call.contains("verify")) {
                value(reader, "SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            }
            long start = System.nanoTime();
            value(reader, call.formatted(token));
            times[i] = System.nanoTime() - start;
        }
        assertThat(fast(times)).isLessThan(50_000);
        return fast(times);
    }

    private static String export(Connection donor)
            throws SQLException
    {
        execute(donor, BEGIN);
        return RangePlan.json(value(donor, CALLS.getFirst())).required("token").textValue();
    }

    private static long fast(long[] nanos)
    {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 10] / 1_000;
    }
}
