package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Runs calls against every DDL that may pull a tree from under them: no crash, no hang, no undocumented error.
 */
@Tag("stress")
@TestInstance(PER_CLASS)
class TestStress
{
    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("pq.stress.seconds", 60));
    // What InnoDB itself logs when statements meet a tablespace that is discarded or being imported.
    private static final String[] ALLOWED = {"MY-012801", "MY-012392"};

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "10000").start();
    private final StressReport report = new StressReport();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();
    private long start;

    @Test
    void testCallsAgainstDdl()
    {
        server.execute("CREATE SCHEMA s");
        server.execute(StressTables.createStable());
        server.execute(StressTables.createPartitioned());
        Stream.concat(StressTables.CHANGING.stream(), Stream.of(StressTables.CHURNED)).forEach(table -> server.execute(StressTables.createChanging(table), StressTables.fill(table, 5_000)));

        startWorkers();
        Await.until("the stress ends", DURATION.plusSeconds(5), this::isOver);
        stopped.set(true);
        Await.until("all workers end", Duration.ofSeconds(60), () -> threads.stream().noneMatch(Thread::isAlive));

        System.out.printf("After %s of stress:%n%s", DURATION, report);
        report.failures().forEach(Throwable::printStackTrace);
        assertThat(report.failures()).isEmpty();
        server.assertErrorLogClean(ALLOWED);
        assertThat(report.get("calls")).isGreaterThan(DURATION.toSeconds() * 100);
        assertThat(report.get("ddl")).isGreaterThan(DURATION.toSeconds());
        assertThat(report.get("uninstall")).isPositive();
        assertThat(report.get("law checked")).isPositive();
    }

    private boolean isOver()
    {
        return report.failed() || System.nanoTime() - start > DURATION.toNanos();
    }

    private void startWorkers()
    {
        start = System.nanoTime();
        Random seeds = Seed.random();
        for (int i = 0; i < 2; i++) {
            start(new StressCaller(server, report, seeds.nextLong(), stopped, true));
            start(new StressCaller(server, report, seeds.nextLong(), stopped, false));
            start(new StressDdl(server, report, seeds.nextLong(), stopped));
        }
        start(new StressLawChecker(server, report, seeds.nextLong(), stopped));
        start(new StressWriter(server, report, seeds.nextLong(), stopped));
        start(new StressAdmin(server, report, seeds.nextLong(), stopped));
    }

    private void start(StressWorker worker)
    {
        threads.add(Thread.ofPlatform().name(worker.getClass().getSimpleName()).start(worker));
    }
}
