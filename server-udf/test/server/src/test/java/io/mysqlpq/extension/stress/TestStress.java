package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs calls against every DDL that may pull a tree from under them: no crash, no hang, no undocumented error.
 */
@Tag("stress")
class TestStress
{
    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("pq.stress.seconds", 60));
    // What InnoDB itself logs when statements meet a tablespace that is discarded or being imported.
    private static final String[] ALLOWED = {"MY-012801", "MY-012392"};

    private final StressReport report = new StressReport();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();
    private long start;

    @Test
    void testCallsAgainstDdl()
    {
        try (MysqlServer server = builder().extension(true).start()) {
            stress(server, DURATION, StressCaller.Target.FUNCTIONS);
            assertThat(report.get("uninstall")).isPositive();
            assertThat(report.get("call read pages ahead")).isPositive();
        }
    }

    // Apart, since the table's plugin keeps the library from being unmapped.
    @Test
    void testRangesTableAgainstDdl()
    {
        try (MysqlServer server = builder().option("plugin-load-add", "mysql_pq.so").start()) {
            stress(server, DURATION.dividedBy(3), StressCaller.Target.RANGES_TABLE);
            assertThat(report.get("call rows of the ranges table")).isPositive();
        }
    }

    // Snapshots are few beside calls, and hold DDL up; so they have a server of their own.
    @Test
    void testSnapshotsAgainstDdl()
    {
        try (MysqlServer server = builder().extension(true).option("innodb-purge-rseg-truncate-frequency", "1").start()) {
            createTables(server);
            startSnapshotWorkers(server);
            awaitEnd(DURATION);
            server.assertErrorLogClean(ALLOWED);
            assertThat(report.failures()).isEmpty();
            // One in four seconds, however busy the machine is: several hundred in a minute if nothing else runs.
            assertThat(report.get("snapshot read as its donor's")).isGreaterThan(DURATION.toSeconds() / 4);
            assertThat(report.get("native scan as its donor's")).isGreaterThan(DURATION.toSeconds() / 4);
            assertThat(report.get("ddl")).isPositive();
            assertThat(report.get("snapshot read by its lock")).isPositive();
            // Any of the limits: which of them ends a snapshot first is chance here, and TestSnapshotLimits tests each.
            assertThat(server.errorLog()).containsPattern("ends the snapshot of connection .*mysql_pq_(snapshot_max_age = 1|max_history_length = |ddl_wait_limit = )");
            assertPurgeCatchesUp(server);
            // Nothing keeps the plugin once all sessions have ended.
            server.execute("UNINSTALL PLUGIN mysql_pq");
            server.restart();
            server.assertErrorLogClean(ALLOWED);
        }
    }

    // No view must be left that no session has any more.
    private static void assertPurgeCatchesUp(MysqlServer server)
    {
        try (Connection connection = server.connect(); Statement statement = connection.createStatement()) {
            Await.until("purge has caught up", Duration.ofMinutes(1), () -> historyLength(statement) < 100);
        }
        catch (SQLException e) {
            throw new AssertionError("Cannot read the length of the history list", e);
        }
    }

    private static long historyLength(Statement statement)
    {
        try (ResultSet row = statement.executeQuery("SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'")) {
            row.next();
            return row.getLong(1);
        }
        catch (SQLException e) {
            throw new AssertionError("Cannot read the length of the history list", e);
        }
    }

    private static MysqlServerBuilder builder()
    {
        // The pool is so small that tables do not stay in it, and are read ahead.
        return MysqlServer.builder().option("cte-max-recursion-depth", "10000").option("innodb-buffer-pool-size", "6M");
    }

    private void stress(MysqlServer server, Duration duration, StressCaller.Target target)
    {
        createTables(server);
        startWorkers(server, target);
        awaitEnd(duration);
        // First, since all else fails too when the server has died, and its log says why.
        server.assertErrorLogClean(ALLOWED);
        assertThat(report.failures()).isEmpty();
        assertThat(report.get("calls")).isGreaterThan(duration.toSeconds() * 100);
        assertThat(report.get("ddl")).isGreaterThan(duration.toSeconds());
        assertThat(report.get("import")).isPositive();
        assertThat(report.get("law checked")).isPositive();
    }

    private static void createTables(MysqlServer server)
    {
        server.execute("CREATE SCHEMA s");
        server.execute(StressTables.createStable());
        server.execute(StressTables.createPartitioned());
        Stream.concat(StressTables.CHANGING.stream(), Stream.of(StressTables.CHURNED)).forEach(table -> server.execute(StressTables.createChanging(table), StressTables.fill(table, 5_000)));
    }

    private void awaitEnd(Duration duration)
    {
        Await.until("the stress ends", duration.plusSeconds(5), () -> isOver(duration));
        stopped.set(true);
        Await.until("all workers end", Duration.ofSeconds(60), () -> threads.stream().noneMatch(Thread::isAlive));

        System.out.printf("After %s of stress:%n%s", duration, report);
        report.failures().forEach(Throwable::printStackTrace);
    }

    private boolean isOver(Duration duration)
    {
        return report.failed() || System.nanoTime() - start > duration.toNanos();
    }

    private void startWorkers(MysqlServer server, StressCaller.Target target)
    {
        start = System.nanoTime();
        Random seeds = Seed.random();
        for (int i = 0; i < 2; i++) {
            start(new StressCaller(server, report, seeds.nextLong(), stopped, target, true));
            start(new StressCaller(server, report, seeds.nextLong(), stopped, target, false));
            start(new StressDdl(server, report, seeds.nextLong(), stopped));
        }
        start(new StressLawChecker(server, report, seeds.nextLong(), stopped));
        start(new StressWriter(server, report, seeds.nextLong(), stopped));
        start(new StressAdmin(server, report, seeds.nextLong(), stopped));
    }

    private void startSnapshotWorkers(MysqlServer server)
    {
        start = System.nanoTime();
        Random seeds = Seed.random();
        SnapshotOffers offers = new SnapshotOffers();
        for (int i = 0; i < 2; i++) {
            start(new StressDonor(server, report, seeds.nextLong(), stopped, offers));
            start(new StressReader(server, report, seeds.nextLong(), stopped, offers));
            start(new StressReader(server, report, seeds.nextLong(), stopped, offers));
        }
        start(new StressDdl(server, report, seeds.nextLong(), stopped));
        start(new StressWriter(server, report, seeds.nextLong(), stopped));
        start(new StressWriter(server, report, seeds.nextLong(), stopped));
        start(new StressSnapshotAdmin(server, report, seeds.nextLong(), stopped));
    }

    private void start(StressWorker worker)
    {
        threads.add(Thread.ofPlatform().name(worker.getClass().getSimpleName()).start(worker));
    }
}
