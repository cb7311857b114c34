package io.mysqlpq.cross;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Lists;
import io.mysqlpq.cross.DrawnTables.DrawnQuery;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.random.RandomQuery;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import static io.mysqlpq.trino.metrics.ReadMetrics.READ_BY_OTHER_QUERY;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Asks random queries of random tables again and again with the same settings, while writers change few rows. Queries then share reads, and take what
 * earlier ones read, but not what was read for a query that differs a little. Each answer is compared with a plain reading of the same snapshot.
 */
@TestInstance(PER_CLASS)
@Tag("stress")
class TestRepeatedQueries
{
    private static final int LEAST = 40;
    // Some tables give few hits, and a busy machine few comparisons. Then more are drawn, but not for ever.
    private static final int MOST_WITHOUT_HITS = 400;
    private static final int LEAST_HITS = 20;
    // Tables have some ten leaf pages, of which few changes leave most alone.
    private static final int SIZE = 3;
    private static final int QUERIES_OF_PAIR = 12;
    private static final int DRAWN_TOGETHER = 2;
    private static final int ROUNDS = 5;
    private static final int SESSIONS = 2;
    // Queries of a group read in the snapshot of its first query if they begin within this time.
    private static final Duration GROUP_AGE = Duration.ofSeconds(10);
    // As little as possible in common with what is tested.
    private static final Map<String, String> PLAINLY = Map.of(
            "snapshot_mode", "EXACT",
            "parallel_reads_enabled", "false",
            "native_scan_enabled", "false",
            "packet_decoding_enabled", "false",
            "read_reuse_enabled", "false",
            "join_pushdown_enabled", "false",
            "aggregation_pushdown_enabled", "false",
            "topn_pushdown_enabled", "false",
            "complex_expression_pushdown", "false");

    private final Map<String, Long> atOnce = new ConcurrentSkipListMap<>();
    private final Map<String, Long> later = new ConcurrentSkipListMap<>();
    private final Map<String, Long> alone = new ConcurrentSkipListMap<>();
    // The last ones to queries that the extension reads.
    private final Map<Repeated, List<String>> answers = new ConcurrentHashMap<>();
    private final AtomicInteger otherAnswers = new AtomicInteger();
    private final AtomicInteger tooLate = new AtomicInteger();
    private final AtomicInteger groups = new AtomicInteger();
    @AutoClose
    private final CrossCluster cluster = new CrossCluster(TwinServers.server(true, "+00:00"), Map.of(), 0);

    @AfterAll
    void assertErrorLogClean()
    {
        cluster.mysql().assertErrorLogClean();
    }

    /** @param properties that the query is asked with each time */
    private record Repeated(RandomQuery query, Map<String, String> properties, String description)
    {}

    /** @param counts of the scans */
    private record Answer(List<String> rows, Map<String, Long> counts)
    {}

    /** @param end by System.nanoTime(): until then, queries that begin read in the group's one snapshot */
    private record Group(Map<String, String> properties, long end)
    {}

    @Test
    void testSameAnswers()
    {
        long seed = Seed.draw();
        Random random = new Random(seed);
        long commits = 0;
        try (ReliabilityRun run = new ReliabilityRun("repeated queries", seed, ReliabilityRun.wholeDuration())) {
            for (long pair = seed; goesOn(run, hits()); pair++) {
                commits += compare(DrawnTables.draw(pair, SIZE), random, run);
            }
            System.out.println("Repeated queries: %s of %s too late, %s transactions, %s other answers, hits %s; at once %s, later %s, alone %s".formatted(tooLate, run.queries(), commits, otherAnswers, hits(), atOnce, later, alone));
        }
        assertThat(hits()).allSatisfy((kind, count) -> assertThat(count).as(kind).isGreaterThanOrEqualTo(LEAST_HITS));
        // Otherwise nobody could see that an answer is an old one.
        assertThat(otherAnswers.get()).isPositive();
    }

    private boolean goesOn(ReliabilityRun run, Map<String, Long> wanted)
    {
        return run.goesOn() || (run.queries() < MOST_WITHOUT_HITS && (run.queries() - tooLate.get() < LEAST || otherAnswers.get() == 0 || wanted.values().stream().anyMatch(count -> count < LEAST_HITS)));
    }

    private Map<String, Long> hits()
    {
        return ImmutableMap.<String, Long>builder().putAll(hitsInGroups()).put("unchanged for a query of no group", alone.getOrDefault(UNCHANGED, 0L)).buildOrThrow();
    }

    private Map<String, Long> hitsInGroups()
    {
        return Map.of(
                "shared by sessions at once", atOnce.getOrDefault(READ_BY_OTHER_QUERY, 0L),
                "kept for later sessions of the group", later.getOrDefault(READ_BY_OTHER_QUERY, 0L),
                "unchanged since another group", atOnce.getOrDefault(UNCHANGED, 0L),
                "changed", cluster.mysql().status("mysql_pq_scans_changed"));
    }

    // Returns how many transactions the writers committed.
    private long compare(DrawnTables drawn, Random random, ReliabilityRun run)
    {
        cluster.mysql().execute(TwinServers.inNewSchema(drawn.statements()));
        List<List<Repeated>> queries = Lists.partition(drawn.queries().subList(0, QUERIES_OF_PAIR), DRAWN_TOGETHER).stream()
                .map(together -> together.stream().flatMap(query -> withNeighbour(query, drawn, random)).toList())
                .toList();
        long commits;
        try (ChangingTables changes = new ChangingTables(cluster.mysql(), TwinServers.SCHEMA, drawn.drawn(), random)) {
            for (List<Repeated> together : queries) {
                compareInGroups(together, changes, random, run);
            }
            commits = changes.commits();
        }
        // Nobody writes any more, so queries see the same without a group.
        for (List<Repeated> together : Lists.partition(List.copyOf(answers.keySet()), 2 * DRAWN_TOGETHER)) {
            if (goesOn(run, hits())) {
                run.compareTogether(together.stream().<Runnable>map(query -> () -> compareAlone(query)).toList());
            }
        }
        answers.clear();
        return commits;
    }

    private static Stream<Repeated> withNeighbour(DrawnQuery drawn, DrawnTables tables, Random random)
    {
        Map<String, String> properties = DifferentialSide.with(drawn.properties().get(DifferentialSide.NATIVE_RANGES), Map.of("read_reuse_piece_rows", "" + (1 << random.nextInt(8))));
        return Stream.concat(Stream.of(drawn.query()), QueryNeighbour.draw(drawn.query(), random).stream())
                .map(query -> new Repeated(query, properties, "%s with %s, tables of -Dpq.seed=%s, %s".formatted(query.sql(), properties, tables.seed(), tables.definitions())));
    }

    private void compareInGroups(List<Repeated> queries, ChangingTables changes, Random random, ReliabilityRun run)
    {
        List<Repeated> together = queries;
        for (int round = 0; round < ROUNDS && !together.isEmpty() && goesOn(run, hitsInGroups()); round++) {
            changes.changePace(random);
            Map<String, String> group = Map.of("snapshot_group", "again " + groups.incrementAndGet(), "snapshot_group_age", GROUP_AGE.toSeconds() + "s");
            Group begun = new Group(group, System.nanoTime() + GROUP_AGE.toNanos());
            run.compareTogether(together.stream().<Runnable>map(query -> () -> compareInGroup(query, begun)).toList());
            // What is read by SQL is kept for no other snapshot, so once is enough.
            together = together.stream().filter(answers::containsKey).toList();
        }
    }

    private void compareInGroup(Repeated repeated, Group group)
    {
        Map<String, String> properties = DifferentialSide.with(repeated.properties(), group.properties());
        List<CompletableFuture<Answer>> asked = Stream.generate(() -> Background.supply(() -> ask(repeated, properties))).limit(SESSIONS).toList();
        List<Answer> first = asked.stream().map(CompletableFuture::join).toList();
        CompletableFuture<Answer> asksLater = Background.supply(() -> ask(repeated, properties));
        List<String> expected = ask(repeated, DifferentialSide.with(PLAINLY, group.properties())).rows();
        Answer last = asksLater.join();
        // One of them may have begun in another snapshot.
        if (System.nanoTime() > group.end()) {
            tooLate.incrementAndGet();
            return;
        }
        first.forEach(answer -> assertSame(answer, expected, repeated, atOnce));
        assertSame(last, expected, repeated, later);
        if (first.stream().anyMatch(answer -> answer.counts().containsKey(READ_NATIVELY) || answer.counts().containsKey(UNCHANGED))) {
            List<String> before = answers.put(repeated, expected);
            otherAnswers.addAndGet(before == null || before.equals(expected) ? 0 : 1);
        }
    }

    // What changed until the writers ended is read once more, and then again nothing has.
    private void compareAlone(Repeated repeated)
    {
        List<String> expected = ask(repeated, PLAINLY).rows();
        for (int session = 0; session < SESSIONS; session++) {
            assertSame(ask(repeated, repeated.properties()), expected, repeated, alone);
        }
    }

    private static void assertSame(Answer answer, List<String> expected, Repeated repeated, Map<String, Long> counts)
    {
        TwinServers.assertSameRows(answer.rows(), expected, repeated.description());
        answer.counts().forEach((name, count) -> counts.merge(name, count, Long::sum));
    }

    private Answer ask(Repeated repeated, Map<String, String> properties)
    {
        try {
            Session session = Session.builder(cluster.session(properties)).setSchema(TwinServers.SCHEMA).build();
            MaterializedResultWithPlan result = cluster.trino().executeWithPlan(session, repeated.query().sql());
            return new Answer(TwinServers.rows(result.result(), repeated.query().ordered()), cluster.scanCounts(result.queryId()));
        }
        catch (RuntimeException e) {
            throw new AssertionError("Failed: %s, asked with %s".formatted(repeated.description(), properties), e);
        }
    }
}
