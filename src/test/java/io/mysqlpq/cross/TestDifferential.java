package io.mysqlpq.cross;

import com.google.common.collect.Maps;
import io.mysqlpq.cross.DrawnTables.DrawnQuery;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.random.RandomQuery;
import io.mysqlpq.testing.random.Seed;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.LongStream;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.lang.Math.min;
import static java.lang.Math.toIntExact;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Compares answers to random queries of random tables: from ranges that the extension reads, from one of the other ways to read, and from a copy in Trino's
 * memory, which for its part is compared with MySQL's own text of the table. Queries that once failed are read in all ways.
 */
@TestInstance(PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@Tag("stress")
class TestDifferential
{
    private static final List<DifferentialSide> SIDES = List.of(DifferentialSide.values());
    // How many queries tell whether all ways are used.
    private static final int LEAST = 60;
    private static final int TOGETHER = 3;
    // Which of the seed's queries run: a run goes on where another one ended.
    private static final long FIRST = Long.getLong("pq.first", 0);
    private static final long MOST = Long.getLong("pq.queries", Integer.MAX_VALUE);

    private final Map<DifferentialSide, Map<String, Long>> counts = Maps.toMap(SIDES, _ -> new ConcurrentSkipListMap<>());
    @AutoClose
    private final TwinServers servers = new TwinServers();

    @AfterAll
    void assertErrorLogsClean()
    {
        servers.assertErrorLogsClean();
    }

    @Test
    @Order(1)
    void testFoundCases()
    {
        Random random = Seed.random();
        for (FoundCase found : FoundCase.all()) {
            servers.load(found.statements());
            found.tables().forEach(servers::copyToMemory);
            found.queries().forEach(kept -> assertSameAnswers(kept.query(), Maps.toMap(SIDES, side -> DifferentialSide.with(side.properties(random), kept.properties())), found.name()));
        }
    }

    @Test
    @Order(2)
    void testSameAnswers()
    {
        long seed = Seed.draw();
        // Kept cases have counted too.
        long before = firstRowsNatively();
        try (ReliabilityRun run = new ReliabilityRun(DrawnTables.RUN, seed, ReliabilityRun.wholeDuration())) {
            while (goesOn(run)) {
                long number = FIRST + run.queries();
                // Each pair of tables has a seed of its own.
                DrawnTables drawn = DrawnTables.draw(seed + number / DrawnTables.COMPARISONS);
                load(drawn);
                compare(drawn, number, seed, run);
            }
            System.out.println("Differential: " + counts);
            if (run.queries() >= LEAST) {
                counts.forEach(DifferentialSide::assertUsed);
                // About one of ten.
                assertThat(firstRowsNatively() - before).isGreaterThanOrEqualTo((run.queries() - LEAST) / 30);
            }
        }
    }

    private long firstRowsNatively()
    {
        return counts.get(DifferentialSide.NATIVE_RANGES).getOrDefault(TwinServers.FIRST_ROWS_NATIVELY, 0L);
    }

    private static boolean goesOn(ReliabilityRun run)
    {
        return run.queries() < MOST && (run.queries() < LEAST || run.goesOn());
    }

    private void compare(DrawnTables drawn, long first, long seed, ReliabilityRun run)
    {
        long end = min(first - first % DrawnTables.COMPARISONS + DrawnTables.COMPARISONS, FIRST + MOST);
        for (long number = first; number < end && goesOn(run); number = FIRST + run.queries()) {
            // Together, so that one takes what another one leaves of the processors.
            run.compareTogether(LongStream.range(number, min(number + TOGETHER, end)).<Runnable>mapToObj(one -> () -> compare(drawn, one, seed)).toList());
            run.keep();
        }
    }

    private void compare(DrawnTables drawn, long number, long seed)
    {
        String description = "./pq torture --seed %s --query %s, %s".formatted(seed, number, drawn.definitions());
        int comparison = toIntExact(number % DrawnTables.COMPARISONS);
        if (comparison < drawn.tables().size()) {
            new CopiedTable(drawn.tables().get(comparison)).assertSame(servers, description);
        }
        else {
            DrawnQuery query = drawn.queries().get(comparison - drawn.tables().size());
            assertSameAnswers(query.query(), query.properties(), description);
        }
    }

    private void load(DrawnTables drawn)
    {
        try {
            servers.load(drawn.statements());
            drawn.tables().forEach(table -> servers.copyToMemory(table.name()));
        }
        catch (RuntimeException e) {
            throw new AssertionError("Cannot make the tables of seed %s, %s".formatted(drawn.seed(), drawn.definitions()), e);
        }
    }

    private void assertSameAnswers(RandomQuery query, Map<DifferentialSide, Map<String, String>> properties, String description)
    {
        List<String> expected = answerOfCopy(query, description);
        properties.keySet().stream().map(side -> Background.run(() -> {
            String all = "%s as %s with %s, %s".formatted(query.sql(), side, properties.get(side), description);
            TwinServers.assertSameRows(answer(side, properties.get(side), query, all), expected, all);
        })).toList().forEach(TestDifferential::join);
    }

    private List<String> answerOfCopy(RandomQuery query, String description)
    {
        try {
            return TwinServers.rows(servers.ofCopy(query.sql()), query.ordered());
        }
        catch (RuntimeException e) {
            throw new AssertionError("Failed on the copy: %s, %s".formatted(query.sql(), description), e);
        }
    }

    private List<String> answer(DifferentialSide side, Map<String, String> properties, RandomQuery query, String description)
    {
        try {
            MaterializedResultWithPlan result = servers.of(side, properties, query.sql());
            servers.counts(result).forEach((name, count) -> counts.get(side).merge(name, count, Long::sum));
            return TwinServers.rows(result.result(), query.ordered());
        }
        catch (RuntimeException e) {
            throw new AssertionError("Failed: " + description, e);
        }
    }

    private static void join(CompletableFuture<Void> comparison)
    {
        try {
            comparison.join();
        }
        catch (CompletionException e) {
            throwIfUnchecked(e.getCause());
            throw e;
        }
    }
}
