package io.mysqlpq.cross;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.random.NastyTable;
import io.mysqlpq.testing.random.RandomNastyTable;
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
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Compares answers to random queries of random tables: from one split, from ranges that the extension reads, from ranges by SQL, from a server without the
 * extension, and from a copy in Trino's memory, which for its part is compared with MySQL's own text of the table.
 */
@TestInstance(PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
@Tag("stress")
class TestDifferential
{
    private static final List<DifferentialSide> SIDES = List.of(DifferentialSide.values());
    private static final int QUERIES_OF_SCHEMA = 12;
    private static final int LEAST_SCHEMAS = 3;

    private final Map<DifferentialSide, Map<String, Long>> counts = Maps.toMap(SIDES, _ -> new TreeMap<>());
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
            found.queries().forEach(kept -> assertSameAnswers(kept.query(), side -> with(side.properties(random), kept.properties()), found.name()));
        }
    }

    @Test
    @Order(2)
    void testSameAnswers()
    {
        long firstSeed = Seed.draw();
        try (ReliabilityRun run = new ReliabilityRun("differential", firstSeed, ReliabilityRun.wholeDuration())) {
            for (int schema = 0; schema < LEAST_SCHEMAS || run.goesOn(); schema++) {
                // Each schema has a seed of its own, by which it is the first of another run.
                compareSchema(firstSeed + schema, run);
            }
        }
        System.out.println("Differential: " + counts);
        counts.forEach(DifferentialSide::assertUsed);
    }

    private void compareSchema(long seed, ReliabilityRun run)
    {
        // Neighbouring seeds of Random begin alike.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<RandomNastyTable> drawn = List.of(
                RandomNastyTable.draw(TwinServers.SCHEMA, "t0", 300 + random.nextInt(500), random),
                RandomNastyTable.draw(TwinServers.SCHEMA, "t1", 20 + random.nextInt(200), random));
        List<NastyTable> tables = drawn.stream().map(RandomNastyTable::table).toList();
        List<String> statements = drawn.stream().flatMap(table -> table.statements().stream()).toList();
        String description = "-Dpq.seed=%s, %s".formatted(seed, statements.stream().filter(sql -> !sql.startsWith("INSERT")).toList());
        load(statements, tables, description);
        tables.forEach(table -> run.compare(() -> new CopiedTable(table).assertSame(servers, description)));
        for (int query = 0; query < QUERIES_OF_SCHEMA && (query == 0 || run.goesOn()); query++) {
            RandomQuery drawnQuery = RandomQuery.draw(tables, random);
            run.compare(() -> assertSameAnswers(drawnQuery, side -> side.properties(random), description));
        }
    }

    private void load(List<String> statements, List<NastyTable> tables, String description)
    {
        try {
            servers.load(statements);
            tables.forEach(table -> servers.copyToMemory(table.name()));
        }
        catch (RuntimeException e) {
            throw new AssertionError("Cannot make the tables of " + description, e);
        }
    }

    private static Map<String, String> with(Map<String, String> drawn, Map<String, String> fixed)
    {
        return ImmutableMap.<String, String>builder().putAll(drawn).putAll(fixed).buildKeepingLast();
    }

    private void assertSameAnswers(RandomQuery query, Function<DifferentialSide, Map<String, String>> propertiesOf, String description)
    {
        Map<DifferentialSide, Map<String, String>> properties = Maps.toMap(SIDES, propertiesOf::apply);
        List<String> expected = answerOfCopy(query, description);
        SIDES.stream().map(side -> Background.run(() -> {
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
            servers.scanCounts(result.queryId()).forEach((name, count) -> counts.get(side).merge(name, count, Long::sum));
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
