package io.mysqlpq.cross;

import com.google.common.collect.Maps;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.WrongAnswer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that every way to read shows one moment of a bank whose total never changes, while writers move its money between tables with
 * keys of all kinds; and that each way was taken. The buffer pool is far smaller than the bank, so that native scans read ahead.
 */
@TestInstance(PER_CLASS)
@Tag("stress")
class TestTorture
{
    private static final List<ReadMode> MODES = List.of(ReadMode.values());
    private static final int WRITERS = 8;
    private static final Duration LONGEST_WAIT_FOR_A_TORN_TOTAL = Duration.ofMinutes(2);
    private static final Map<String, String> WITHOUT_SNAPSHOT = Map.of("range_source", "SQL", "snapshot_mode", "NONE", "aggregation_pushdown_enabled", "false");

    private final long seed = Seed.draw();
    private final Random random = new Random(seed);
    @AutoClose
    private final CrossCluster cluster = new CrossCluster(
            MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").option("innodb-buffer-pool-size", "16M").option("innodb-lru-scan-depth", "128").start(),
            Map.of("target-rows-per-split", "1000", "read-reuse-piece-rows", "50"),
            2);

    @BeforeAll
    void installRegistryTable()
    {
        Leftovers.installRegistryTable(cluster.mysql());
    }

    @AfterEach
    void assertNothingIsLeft()
    {
        Leftovers.assertNone(cluster.mysql());
    }

    @AfterAll
    void assertErrorLogClean()
    {
        cluster.mysql().assertErrorLogClean();
    }

    @Test
    void testTotalIsExact()
    {
        Map<ReadMode, Map<String, Long>> counts = Maps.toMap(MODES, _ -> new TreeMap<>());
        long askedAhead = cluster.mysql().status("mysql_pq_readahead_pages_asked");
        try (Bank bank = Bank.open(cluster.mysql(), WRITERS, random); ReliabilityRun run = new ReliabilityRun("torture", seed, ReliabilityRun.wholeDuration().dividedBy(2))) {
            for (int round = 0; round < BankQueries.ALL.size() || run.goesOn(); round++) {
                String sql = BankQueries.ALL.get(round % BankQueries.ALL.size());
                run.compareTogether(MODES.stream().<Runnable>map(mode -> () -> assertTotal(mode.properties(), sql, counts.get(mode))).toList());
            }
            bank.assertAtWork();
            for (ReadMode mode : MODES) {
                assertThat(plan(mode.properties())).as("%s", mode).contains(mode.plan());
            }
            assertThat(plan(ReadMode.RAW_PACKETS.properties(), "SELECT sum(amount) FROM bank.safe")).contains("ranges of index amounts from EXTENSION");
            assertThat(plan(ReadMode.MERGED_AGGREGATES.properties(), "SELECT sum(amount) FROM bank.vault")).contains("aggregation merged from ranges of index PRIMARY");
            System.out.println("Torture: %s queries showed the total, while %s transactions committed; %s".formatted(run.queries(), bank.commits(), counts));
        }
        assertThat(cluster.mysql().status("mysql_pq_readahead_pages_asked") - askedAhead).as("pages that native scans asked for ahead").isGreaterThan(1_000);
        counts.forEach((mode, count) -> {
            assertThat(count).as("%s", mode).containsKey("scansBySnapshotLevel.EXACT").doesNotContainKeys("scansBySnapshotLevel.PER_SCAN", "scansBySnapshotLevel.NONE");
            mode.assertUsed(count, count.get("scansBySnapshotLevel.EXACT"));
        });
        assertThat(counts.get(ReadMode.NATIVE_BATCHES).keySet().stream().filter(name -> name.startsWith("splitsReadByNode."))).hasSizeGreaterThanOrEqualTo(2);
    }

    // Most ranges come from what earlier queries read. Those that writers changed must not.
    @Test
    void testTotalIsExactWhereFewRangesChange()
    {
        Map<String, Long> counts = new ConcurrentHashMap<>();
        AtomicLong place = new AtomicLong(random.nextLong());
        List<Map<String, String>> modes = List.of(ReadMode.NATIVE_BATCHES.properties(), ReadMode.NATIVE_AGGREGATES.properties());
        // A page that is not in the pool counts as changed.
        cluster.mysql().execute("SET GLOBAL innodb_buffer_pool_size = 268435456");
        try (Bank bank = Bank.openInOnePlace(cluster.mysql(), 2, random, place); ReliabilityRun run = new ReliabilityRun("torture in one place", seed, ReliabilityRun.wholeDuration().dividedBy(4))) {
            for (int round = 0; round < 2 * BankQueries.ALL.size() || run.goesOn(); round++) {
                String sql = BankQueries.ALL.get(round / 2 % BankQueries.ALL.size());
                if (random.nextInt(5) == 0) {
                    place.set(random.nextInt(3) == 0 ? LocalRandom.END : random.nextLong());
                    bank.changePace(random);
                }
                Map<String, String> group = Map.of("snapshot_group", "place " + round, "snapshot_group_age", "1s");
                run.compareTogether(Stream.concat(modes.stream(), Stream.of(group)).<Runnable>map(properties -> () -> assertTotal(properties, sql, counts)).toList());
            }
            bank.assertAtWork();
        }
        finally {
            cluster.mysql().execute("SET GLOBAL innodb_buffer_pool_size = 16777216");
        }
        System.out.println("Torture in one place: " + counts);
        assertThat(counts.get(UNCHANGED)).as("ranges that were not read again, of %s", counts).isGreaterThan(100);
        assertThat(counts.get(READ_NATIVELY)).isGreaterThan(100);
    }

    // Each chart shows another part of one moment, read in another way, so that together they show its total.
    @Test
    void testChartsOfOneGroupShowOneTotal()
    {
        List<String> charts = BankQueries.charts(2);
        try (Bank bank = Bank.open(cluster.mysql(), WRITERS, random); ReliabilityRun run = new ReliabilityRun("torture in groups", seed, ReliabilityRun.wholeDuration().dividedBy(8))) {
            for (int round = 0; round < 2 || run.goesOn(); round++) {
                Session group = with(session(Map.of("snapshot_group_age", "5m")), Map.of("snapshot_group", "dashboard " + round));
                int firstMode = random.nextInt(MODES.size());
                run.compare(() -> assertChartsTotal(group, charts, firstMode));
            }
            bank.assertAtWork();
        }
    }

    // Each query shows another part of one moment, read in another way.
    @Test
    void testQueriesOfOneTransactionShowOneTotal()
            throws SQLException
    {
        List<String> charts = BankQueries.charts(2);
        try (Bank bank = Bank.open(cluster.mysql(), WRITERS, random);
                ReliabilityRun run = new ReliabilityRun("torture in transactions", seed, ReliabilityRun.wholeDuration().dividedBy(8));
                Connection connection = cluster.connect()) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            for (int round = 0; round < 2 || run.goesOn(); round++) {
                int firstMode = random.nextInt(MODES.size());
                run.compare(() -> assertTransactionsTotal(connection, charts, firstMode));
            }
            bank.assertAtWork();
        }
    }

    private void assertTransactionsTotal(Connection connection, List<String> charts, int firstMode)
    {
        long total = 0;
        try {
            for (int chart = 0; chart < charts.size(); chart++) {
                ReadMode mode = MODES.get((firstMode + chart) % MODES.size());
                CrossCluster.set(connection, mode.properties());
                total += BaseSnapshotTest.number(connection, charts.get(chart));
                CrossCluster.reset(connection, mode.properties().keySet());
            }
            connection.commit();
        }
        catch (SQLException e) {
            throw new AssertionError("Failed: %s, the first as %s, -Dpq.seed=%s".formatted(charts, MODES.get(firstMode), seed), e);
        }
        long sum = total;
        WrongAnswer.unless(() -> assertThat(sum).as("%s in one transaction, the first as %s, -Dpq.seed=%s", charts, MODES.get(firstMode), seed).isEqualTo(Bank.TOTAL));
    }

    // Plain SQL sees one moment only where nobody writes.
    @Test
    void testTotalIsExactWithoutSnapshotWhereNobodyWrites()
    {
        Map<String, Long> counts = new TreeMap<>();
        try (Bank bank = Bank.open(cluster.mysql(), WRITERS, random); ReliabilityRun run = new ReliabilityRun("quiet torture", seed, Duration.ZERO)) {
            Await.until("writers have moved money", () -> bank.commits() > 500);
            bank.stopWriters();
            BankQueries.ALL.forEach(sql -> run.compare(() -> assertTotal(WITHOUT_SNAPSHOT, sql, counts)));
        }
        assertThat(counts.get("scansBySnapshotLevel.NONE")).isPositive();
        assertThat(counts.get("splitsRead")).isGreaterThan(2 * counts.get("scansBySnapshotLevel.NONE"));
        assertThat(plan(WITHOUT_SNAPSHOT)).contains(ReadMode.SQL_RANGES.plan());
    }

    // Otherwise this test could not see what it is for.
    @Test
    void testTotalIsTornWithoutSnapshot()
    {
        long end = System.nanoTime() + LONGEST_WAIT_FOR_A_TORN_TOTAL.toNanos();
        try (Bank _ = Bank.open(cluster.mysql(), WRITERS, random)) {
            while (cluster.trino().execute(session(WITHOUT_SNAPSHOT), BankQueries.ALL.getFirst()).getOnlyValue().equals(Bank.TOTAL)) {
                assertThat(System.nanoTime()).as("time by which a query without a snapshot shows another total").isLessThan(end);
            }
        }
    }

    private void assertChartsTotal(Session group, List<String> charts, int firstMode)
    {
        List<CompletableFuture<Object>> results = IntStream.range(0, charts.size())
                .mapToObj(chart -> {
                    Session session = with(group, MODES.get((firstMode + chart) % MODES.size()).properties());
                    return Background.supply(() -> cluster.trino().execute(session, charts.get(chart)).getOnlyValue());
                })
                .toList();
        List<Object> parts = results.stream().map(CompletableFuture::join).toList();
        cluster.mysql().execute("INSERT INTO bank.news VALUES ()");
        long news = Long.parseLong(MysqlRows.read(cluster.mysql(), "SELECT COUNT(*) FROM bank.news").getFirst());
        // A query that wants a younger snapshot ends the group's, which would stay for minutes; not one that is younger still.
        Await.until("the group's snapshot is older than a second", () -> MysqlRows.read(cluster.mysql(), "SELECT age FROM information_schema.mysql_pq_snapshots").stream().allMatch(age -> Long.parseLong(age) > 1));
        Object seen = cluster.trino().execute(with(group, Map.of("snapshot_group_age", "1s")), "SELECT count(*) FROM bank.news").getOnlyValue();
        WrongAnswer.unless(() -> assertThat(seen).as("news of more than a second ago, to a query of a group that accepts a second").isEqualTo(news));
        WrongAnswer.unless(() -> assertThat(parts.stream().mapToLong(part -> ((Number) part).longValue()).sum())
                .as("%s, the first as %s, -Dpq.seed=%s: %s", charts, MODES.get(firstMode), seed, parts)
                .isEqualTo(Bank.TOTAL));
    }

    private void assertTotal(Map<String, String> properties, String sql, Map<String, Long> counts)
    {
        String description = "%s with %s, -Dpq.seed=%s".formatted(sql, properties, seed);
        try {
            MaterializedResultWithPlan result = cluster.trino().executeWithPlan(session(properties), sql);
            WrongAnswer.unless(() -> assertThat(result.result().getOnlyValue()).as(description).isEqualTo(Bank.TOTAL));
            cluster.scanCounts(result.queryId()).forEach((name, count) -> counts.merge(name, count, Long::sum));
        }
        catch (RuntimeException e) {
            throw new AssertionError("Failed: " + description, e);
        }
    }

    private String plan(Map<String, String> properties)
    {
        return plan(properties, "SELECT sum(amount) FROM bank.checking");
    }

    private String plan(Map<String, String> properties, String sql)
    {
        return (String) cluster.trino().execute(session(properties), "EXPLAIN " + sql).getOnlyValue();
    }

    private Session session(Map<String, String> properties)
    {
        return cluster.session(properties);
    }

    private static Session with(Session session, Map<String, String> properties)
    {
        Session.SessionBuilder builder = Session.builder(session);
        properties.forEach((name, value) -> builder.setCatalogSessionProperty(CrossCluster.CATALOG, name, value));
        return builder.build();
    }
}
