package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that scans, joins and aggregates over many splits on several workers show one moment of a bank whose total
 * never changes, while writers move its money; and that they would not without a shared snapshot.
 */
@TestInstance(PER_CLASS)
@Tag("stress")
class TestBank
{
    private static final int WRITERS = 8;
    private static final Duration DURATION = Duration.ofSeconds(Long.getLong("pq.stress.seconds", 60));
    private static final Duration LONGEST_WAIT_FOR_A_TORN_TOTAL = Duration.ofMinutes(2);

    private static final List<String> QUERIES = List.of(
            "SELECT (SELECT sum(amount) FROM bank.checking) + (SELECT sum(amount) FROM bank.savings) + (SELECT sum(amount) FROM bank.vault)",
            "SELECT sum(amount) FROM (SELECT amount FROM bank.checking UNION ALL SELECT amount FROM bank.savings UNION ALL SELECT amount FROM bank.vault)",
            """
            SELECT sum(coalesce(c.amount, 0) + coalesce(s.amount, 0) + coalesce(v.amount, 0))
            FROM (SELECT owner, sum(amount) AS amount FROM bank.checking GROUP BY owner) c
            FULL JOIN (SELECT owner, sum(amount) AS amount FROM bank.savings GROUP BY owner) s USING (owner)
            FULL JOIN (SELECT owner, sum(amount) AS amount FROM bank.vault GROUP BY owner) v USING (owner)""",
            // The accounts of a moment are as many as its accounts.
            """
            SELECT %s + (SELECT count(*) FROM bank.checking) + (SELECT count(*) FROM bank.savings) + (SELECT count(*) FROM bank.vault)
                - (SELECT count(*) FROM bank.checking a JOIN bank.checking b USING (id))
                - (SELECT count(*) FROM bank.savings a JOIN bank.savings b USING (id))
                - (SELECT count(*) FROM bank.vault a JOIN bank.vault b USING (branch, id))""".formatted(Bank.TOTAL));

    @AutoClose
    private final CrossCluster cluster = new CrossCluster(
            MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start(),
            Map.of("target-rows-per-split", "1000"),
            2);
    private final Random random = Seed.random();

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

    @Test
    void testTotalIsExact()
    {
        long end = System.nanoTime() + DURATION.toNanos();
        // MySQL's sums are one split each, Trino's many.
        List<Session> sessions = List.of(cluster.session(Map.of("aggregation_pushdown_enabled", "false")), cluster.session(Map.of()));
        int queries = 0;
        Map<String, Long> counts = new TreeMap<>();
        try (Bank bank = Bank.open(cluster.mysql(), WRITERS, random)) {
            while (System.nanoTime() < end || queries < 2 * QUERIES.size()) {
                Session session = sessions.get(queries / QUERIES.size() % 2);
                String sql = QUERIES.get(queries++ % QUERIES.size());
                MaterializedResultWithPlan result = cluster.trino().executeWithPlan(session, sql);
                assertThat(result.result().getOnlyValue()).as(sql).isEqualTo(Bank.TOTAL);
                cluster.scanCounts(result.queryId()).forEach((name, count) -> counts.merge(name, count, Long::sum));
            }
            bank.assertAtWork();
            System.out.printf("Bank: %s queries showed the total, over %s splits, while %s transactions committed%n", queries, counts.get("splitsRead"), bank.commits());
        }
        assertThat(counts.get("splitsRead")).isGreaterThan(10L * queries);
        assertThat(counts.keySet().stream().filter(name -> name.startsWith("splitsReadByNode."))).hasSizeGreaterThanOrEqualTo(2);
        assertThat(counts).containsKey("scansBySnapshotLevel.EXACT").doesNotContainKeys("scansBySnapshotLevel.PER_SCAN", "scansBySnapshotLevel.NONE");
    }

    // Otherwise this test could not see what it is for.
    @Test
    void testTotalIsTornWithoutSnapshot()
    {
        Session none = cluster.session(Map.of("snapshot_mode", "NONE"));
        long end = System.nanoTime() + LONGEST_WAIT_FOR_A_TORN_TOTAL.toNanos();
        int queries = 0;
        try (Bank _ = Bank.open(cluster.mysql(), WRITERS, random)) {
            while (System.nanoTime() < end) {
                queries++;
                if (!cluster.trino().execute(none, QUERIES.get(0)).getOnlyValue().equals(Bank.TOTAL)) {
                    System.out.printf("Bank: query %s without a snapshot showed another total%n", queries);
                    return;
                }
            }
        }
        throw new AssertionError("%s queries without a snapshot showed the total".formatted(queries));
    }

    @Test
    void testChartsOfOneGroupShowOneTotal()
    {
        Session dashboard = cluster.session(Map.of("snapshot_group_age", "5m"));
        // Each chart shows another part of one moment, so that together they show its total.
        List<String> charts = new ArrayList<>();
        for (String table : List.of("checking", "savings", "vault")) {
            for (int part = 0; part < 4; part++) {
                charts.add("SELECT coalesce(sum(amount), 0) FROM bank.%s WHERE owner %% 4 = %s".formatted(table, part));
            }
        }
        try (Bank bank = Bank.open(cluster.mysql(), WRITERS, random)) {
            for (int round = 0; round < 3; round++) {
                String group = "dashboard " + round;
                Session session = Session.builder(dashboard).setCatalogSessionProperty(CrossCluster.CATALOG, "snapshot_group", group).build();
                List<CompletableFuture<Object>> results = charts.stream()
                        .map(chart -> Background.supply(() -> cluster.trino().execute(session, chart).getOnlyValue()))
                        .toList();
                assertThat(results).hasSize(12);
                List<Object> parts = results.stream().map(CompletableFuture::join).toList();
                // A query that wants a younger snapshot ends the group's, which would stay for minutes; not one that is younger still.
                Await.until("the group's snapshot is older than a second", () -> MysqlRows.read(cluster.mysql(), "SELECT age FROM information_schema.mysql_pq_snapshots").stream().allMatch(age -> Long.parseLong(age) > 1));
                cluster.trino().execute(Session.builder(session).setCatalogSessionProperty(CrossCluster.CATALOG, "snapshot_group_age", "1s").build(), charts.getFirst());
                assertThat(parts.stream().mapToLong(part -> ((Number) part).longValue()).sum()).as(group).isEqualTo(Bank.TOTAL);
            }
            bank.assertAtWork();
        }
    }
}
