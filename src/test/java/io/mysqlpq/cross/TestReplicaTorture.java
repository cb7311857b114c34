package io.mysqlpq.cross;

import com.google.common.collect.Maps;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Replication;
import io.mysqlpq.testing.WrongAnswer;
import io.mysqlpq.testing.random.Seed;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that every query over two replicas shows one moment of a bank whose total never changes, while writers move its money on their source, and each of
 * the replicas stands still now and then.
 */
@TestInstance(PER_CLASS)
@Tag("stress")
class TestReplicaTorture
{
    private static final List<ReadMode> MODES = List.of(ReadMode.values());
    private static final int WRITERS = 4;

    private final long seed = Seed.draw();
    private final Random random = new Random(seed);
    private final Replication replication = new Replication(2);
    private final CrossCluster cluster = new CrossCluster(
            replication.source(),
            Map.of(
                    "target-rows-per-split", "1000",
                    "replica-hosts", replication.replicas().stream().map(replica -> "127.0.0.1:" + replica.port()).collect(joining(","))),
            1);
    // Only one at a time, so that there is another one to read from.
    private Optional<MysqlServer> stopped = Optional.empty();

    @AfterAll
    void stop()
    {
        try {
            replication.replicas().forEach(MysqlServer::assertErrorLogClean);
        }
        finally {
            cluster.close();
            replication.replicas().forEach(MysqlServer::close);
        }
    }

    @Test
    void testTotalIsExact()
    {
        Map<ReadMode, Map<String, Long>> counts = Maps.toMap(MODES, _ -> new TreeMap<>());
        try (Bank bank = Bank.open(replication.source(), WRITERS, random)) {
            replication.await();
            try (ReliabilityRun run = new ReliabilityRun("torture with replicas", seed, ReliabilityRun.wholeDuration())) {
                for (int round = 0; round < BankQueries.ALL.size() || run.goesOn(); round++) {
                    stopOrStartOne();
                    String sql = BankQueries.ALL.get(round % BankQueries.ALL.size());
                    run.compareTogether(MODES.stream().<Runnable>map(mode -> () -> assertTotal(mode, sql, counts.get(mode))).toList());
                }
                System.out.println("Torture with replicas: %s queries showed the total, while %s transactions committed; %s".formatted(run.queries(), bank.commits(), counts));
            }
            bank.assertAtWork();
        }
        counts.forEach((mode, count) -> mode.assertUsed(count, count.get("scansBySnapshotLevel.EXACT")));
        assertThat(replication.replicas()).as("replicas").allMatch(replica -> replica.status("mysql_pq_scan_rows_read") > 0);
        assertThat(replication.source().status("mysql_pq_scan_rows_read")).as("rows read from the source").isZero();
    }

    private void stopOrStartOne()
    {
        if (stopped.isPresent()) {
            stopped.get().execute("START REPLICA SQL_THREAD");
            stopped = Optional.empty();
        }
        else if (random.nextInt(3) == 0) {
            stopped = Optional.of(replication.replica(random.nextInt(2)));
            stopped.get().execute("STOP REPLICA SQL_THREAD");
        }
    }

    private void assertTotal(ReadMode mode, String sql, Map<String, Long> counts)
    {
        String description = "%s as %s, -Dpq.seed=%s".formatted(sql, mode, seed);
        try {
            MaterializedResultWithPlan result = cluster.trino().executeWithPlan(cluster.session(mode.properties()), sql);
            WrongAnswer.unless(() -> assertThat(result.result().getOnlyValue()).as(description).isEqualTo(Bank.TOTAL));
            cluster.scanCounts(result.queryId()).forEach((name, count) -> counts.merge(name, count, Long::sum));
        }
        catch (RuntimeException e) {
            throw new AssertionError("Failed: " + description, e);
        }
    }
}
