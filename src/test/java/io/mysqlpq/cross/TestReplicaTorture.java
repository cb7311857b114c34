package io.mysqlpq.cross;

import com.google.common.collect.ImmutableMap;
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

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that every query over three replicas shows one moment of a bank whose total never changes, while writers move its money on their source. Queries
 * read from one replica or from several. Each of the replicas stands still now and then, and one commits in another order than the source.
 */
@TestInstance(PER_CLASS)
@Tag("stress")
class TestReplicaTorture
{
    private static final List<ReadMode> MODES = List.of(ReadMode.values());
    private static final int WRITERS = 4;
    private static final int REPLICAS = 3;
    // These read rows, which may come from several replicas.
    private static final Set<ReadMode> SPREAD = EnumSet.of(ReadMode.DRIVER_ROWS, ReadMode.RAW_PACKETS, ReadMode.NATIVE_BATCHES, ReadMode.SQL_RANGES);

    private final long seed = Seed.draw();
    private final Random random = new Random(seed);
    private final Replication replication = new Replication(REPLICAS).readOnly();
    private final CrossCluster cluster = new CrossCluster(
            replication.source(),
            Map.of(
                    "target-rows-per-split", "1000",
                    "one-moment-timeout", "1s",
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
        // It is never stopped: MySQL reports an error if that comes in the midst of commits out of order.
        replication.replica(REPLICAS - 1).execute("STOP REPLICA SQL_THREAD", "SET GLOBAL replica_preserve_commit_order = OFF", "START REPLICA SQL_THREAD");
        try (Bank bank = Bank.open(replication.source(), WRITERS, random)) {
            replication.await();
            try (ReliabilityRun run = new ReliabilityRun("torture with replicas", seed, ReliabilityRun.wholeDuration())) {
                for (int round = 0; round < BankQueries.ALL.size() || run.goesOn(); round++) {
                    stopOrStartOne();
                    bank.changePaceForReplicas(random);
                    String sql = BankQueries.ALL.get(round % BankQueries.ALL.size());
                    run.compareTogether(MODES.stream().<Runnable>map(mode -> {
                        int servers = 1 + random.nextInt(REPLICAS);
                        return () -> assertTotal(mode, servers, sql, counts.get(mode));
                    }).toList());
                }
                System.out.println("Torture with replicas: %s queries showed the total, while %s transactions committed; %s".formatted(run.queries(), bank.commits(), counts));
            }
            bank.assertAtWork();
        }
        counts.forEach((mode, count) -> mode.assertUsed(count, count.get("scansBySnapshotLevel.EXACT")));
        assertThat(SPREAD).as("ways to read from several replicas at one moment").anyMatch(mode -> counts.get(mode).containsKey("serversRead"));
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

    private void assertTotal(ReadMode mode, int servers, String sql, Map<String, Long> counts)
    {
        String description = "%s as %s from %s replicas, -Dpq.seed=%s".formatted(sql, mode, servers, seed);
        Map<String, String> properties = ImmutableMap.<String, String>builder().putAll(mode.properties()).put("replicas_per_query", String.valueOf(servers)).buildOrThrow();
        try {
            MaterializedResultWithPlan result = cluster.trino().executeWithPlan(cluster.session(properties), sql);
            WrongAnswer.unless(() -> assertThat(result.result().getOnlyValue()).as(description).isEqualTo(Bank.TOTAL));
            cluster.scanCounts(result.queryId()).forEach((name, count) -> counts.merge(name, count, Long::sum));
        }
        catch (RuntimeException e) {
            throw new AssertionError("Failed: " + description, e);
        }
    }
}
