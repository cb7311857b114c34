package io.mysqlpq.trino.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.base.Stopwatch;
import io.airlift.json.ObjectMapperProvider;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.DictionaryBlock;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.ConnectorExpression;
import io.trino.spi.type.Type;
import io.trino.sql.planner.ConnectorExpressionTranslator;
import io.trino.sql.planner.Plan;
import io.trino.sql.planner.Symbol;
import io.trino.sql.planner.SymbolsExtractor;
import io.trino.sql.planner.plan.PlanNode;
import io.trino.sql.planner.plan.ProjectNode;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryFailedException;
import io.trino.testing.QueryRunner;
import io.trino.testing.StandaloneQueryRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.Iterables.getOnlyElement;
import static io.trino.spi.StandardErrorCode.DIVISION_BY_ZERO;
import static io.trino.spi.StandardErrorCode.NUMERIC_VALUE_OUT_OF_RANGE;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.sql.planner.optimizations.PlanNodeSearcher.searchFrom;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Compares lowered expressions with Trino's own evaluation: random expressions of SQL over random rows, as Trino's planner offers them to a
 * connector.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TestExpressionsAgainstTrino
{
    private static final int ROWS = 300;
    private static final int EXPRESSIONS_PER_QUERY = 12;
    private static final Duration TIME = Duration.ofSeconds(Integer.getInteger("pq.expression.seconds", 10));
    private static final ObjectMapper JSON = new ObjectMapperProvider().get();

    private final long seed = Long.getLong("pq.seed", new Random().nextLong());
    private final Random random = new Random(seed);
    private final SampleTable table = new SampleTable(random);
    private final SampleExpressions expressions = new SampleExpressions(random, table);
    private final Page page = table.page(ROWS);
    private final Map<String, ColumnHandle> assignments = SampleTable.assignments();
    private QueryRunner trino;

    private final Map<String, Integer> left = new TreeMap<>();
    private long comparisons;
    private int lowered;
    private int offered;
    private int failing;

    private record Offer(String sql, Type type, Optional<ConnectorExpression> expression)
    {}

    @BeforeAll
    void start()
    {
        System.out.println("pq.seed=" + seed);
        trino = new StandaloneQueryRunner(testSessionBuilder().setCatalog("memory").setSchema("default").build());
        trino.installPlugin(new MemoryPlugin());
        trino.createCatalog("memory", "memory", Map.of());
        String columns = SampleTable.COLUMNS.stream().map(SampleTable.Column::name).collect(joining(", "));
        String rows = IntStream.range(0, ROWS).mapToObj(this::literals).collect(joining(",\n"));
        trino.execute("CREATE TABLE sample AS SELECT * FROM (VALUES %s) rows (id, %s)".formatted(rows, columns));
    }

    private String literals(int row)
    {
        return IntStream.range(0, SampleTable.COLUMNS.size())
                .mapToObj(channel -> SampleTable.literal(SampleTable.COLUMNS.get(channel).type(), readNativeValue(SampleTable.COLUMNS.get(channel).type(), page.getBlock(channel), row)))
                .collect(joining(", ", "(" + row + ", ", ")"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "b1 + b2", "t1 * t2", "s1 / s2", "i1 % i2", "-i1", "b1 / -1", "2 * i1 - 3", "i1 * i2 + i1 * i2", "b1 > i1 / i2",
            "n2 * (1 - n1) * (1 + n3)", "n2 / n3", "n7 + n6", "n7 - n5", "n6 * n6", "n5 / n1", "n3 % n1", "n7 % 3", "-n7",
            "CAST(n1 AS integer)", "CAST(n2 AS tinyint)", "CAST(n7 AS bigint)", "CAST(n2 AS decimal(10,1))", "CAST(n7 AS decimal(12,2))", "CAST(n3 AS decimal(38,10))", "CAST(b1 AS integer)", "CAST(b1 AS decimal(18,3))", "CAST(i1 AS decimal(5,0))",
            "CAST(m6 AS timestamp(3))", "CAST(m6 AS timestamp(0))", "CAST(m3 AS timestamp(0))", "CAST(m0 AS timestamp(6))", "CAST(m6 AS date)", "CAST(d1 AS timestamp(3))",
            "date_trunc('week', d1)", "date_trunc('quarter', d1)", "date_trunc('YEAR', m6)", "date_trunc('month', m3)", "date_trunc('millisecond', m6)", "date_trunc('hour', m0)",
            "year(d1)", "quarter(m0)", "month(d2)", "week(d1)", "year_of_week(m6)", "day(m3)", "dow(d1)", "doy(m0)", "hour(m3)", "minute(m6)", "second(m6)", "millisecond(m6)", "extract(YEAR FROM d1)", "last_day_of_month(d1)",
            "d1 + INTERVAL '3' DAY", "d1 - INTERVAL '1' MONTH", "INTERVAL '13' MONTH + d1", "m3 + INTERVAL '25' HOUR", "m6 - INTERVAL '1.5' SECOND", "m0 + INTERVAL '2' YEAR", "d1 < d2 - INTERVAL '1' YEAR",
            "q1 AND i1 / i2 > 0", "q1 OR i1 / i2 > 0", "NOT q1", "coalesce(q1, false)", "i1 <> 0 AND b1 % i1 = 0", "i1 IS DISTINCT FROM i2", "v1 IS NOT DISTINCT FROM v2", "n1 IS NULL",
            "coalesce(n1, n2, n3)", "coalesce(i1, 10 / i2)", "nullif(b1 / b2, b2)", "nullif(v1, 'ab')", "i1 + 1 BETWEEN i2 / 2 AND s1 * s2", "n2 IN (0, 0.5, -5)", "v1 IN ('a', 'b')", "v1 < v2", "v1 >= 'a'", "c1 = c2", "c1 <> 'a'", "c1 IN (CAST('a' AS char(4)), CAST('b' AS char(4)))",
            "v1 LIKE 'a%'", "v2 LIKE '%_b%'", "v3 LIKE '%#%%' ESCAPE '#'", "v3 LIKE '%😀'", "length(v3)", "substr(v1, 2)", "substring(v2, -3, 2)", "substr(v3, 0)", "coalesce(substr(v1, 1, 2), v2)", "length(substr(v2, 3)) * 2",
    })
    void testCases(String sql)
    {
        Offer offer = offer(sql).orElseThrow();
        Expression expression = offer.expression().flatMap(new Lowering(assignments, _ -> true)::lower).orElseThrow();
        if (!compare(offer, expression)) {
            compare(List.of(offer), "");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"CAST(i1 AS double)", "CAST(i1 AS varchar)", "CAST(v2 AS varchar(3))", "CAST(n4 AS decimal(18,10))", "CAST(b1 AS decimal(18,0))", "CAST(n2 AS real)", "upper(v1)", "v1 LIKE '%😀_'", "c1 < c2", "length(c1)", "q1 = q2", "date_diff('day', d1, d2)", "date_trunc('day', CAST(m3 AS timestamp(9)))", "d1 + INTERVAL '200000' YEAR", "n7 % n8", "abs(i1)"})
    void testNotLowered(String sql)
    {
        assertThat(offer(sql).orElseThrow().expression().flatMap(new Lowering(assignments, _ -> true)::lower)).isEmpty();
    }

    @Test
    void testOnlyReadableColumns()
    {
        ConnectorExpression sum = offer("i1 + i2").orElseThrow().expression().orElseThrow();
        assertThat(new Lowering(assignments, column -> !column.getColumnName().equals("i2")).lower(sum)).isEmpty();
    }

    @Test
    void testRandomExpressions()
    {
        Stopwatch time = Stopwatch.createStarted();
        while (time.elapsed().compareTo(TIME) < 0) {
            List<String> batch = IntStream.range(0, EXPRESSIONS_PER_QUERY).mapToObj(_ -> expressions.any(random.nextInt(1, 4))).toList();
            compare(batch);
        }
        System.out.println("%,d comparisons of %,d expressions, of which %,d failed for a row; %,d were offered in %s; not lowered: %s"
                .formatted(comparisons, lowered, failing, offered, time, left));
        assertThat(lowered).isGreaterThan(offered * 6 / 10);
        assertThat(failing).isPositive();
    }

    private void compare(List<String> batch)
    {
        List<Offer> offers = batch.stream().flatMap(sql -> offer(sql).stream()).toList();
        List<Offer> safe = new ArrayList<>();
        for (Offer offer : offers) {
            offered++;
            Optional<Expression> expression = offer.expression().flatMap(new Lowering(assignments, _ -> true)::lower);
            if (expression.isEmpty()) {
                left.merge(offer.expression().map(e -> e.getClass().getSimpleName()).orElse("none"), 1, Integer::sum);
                if (Boolean.getBoolean("pq.show")) {
                    System.out.println("LEFT " + offer.sql());
                }
                continue;
            }
            lowered++;
            if (!compare(offer, expression.get())) {
                safe.add(offer);
            }
        }
        if (!safe.isEmpty()) {
            compare(safe, "");
        }
    }

    /** Compares failures, and returns whether there were any. */
    private boolean compare(Offer offer, Expression expression)
    {
        try {
            assertThat(JSON.readValue(JSON.writeValueAsString(expression), Expression.class)).isEqualTo(expression);
        }
        catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
        Projection projection = projection(offer, expression);
        List<Integer> failed = IntStream.range(0, ROWS).filter(row -> failure(projection, page.getRegion(row, 1)).isPresent()).boxed().toList();
        Optional<TrinoException> failure = failure(projection, page);
        assertThat(failure.isPresent()).describedAs(offer.sql()).isEqualTo(!failed.isEmpty());
        if (failed.isEmpty()) {
            return false;
        }
        assertThat(expression.canFail()).describedAs(offer.sql()).isTrue();
        failing++;
        int row = failed.get(random.nextInt(failed.size()));
        compareError(offer, expression, row, failure(projection, page.getRegion(row, 1)).orElseThrow());
        compare(List.of(offer), failed.size() == ROWS ? "WHERE false" : "WHERE id NOT IN (%s)".formatted(failed.stream().map(String::valueOf).collect(joining(", "))));
        return true;
    }

    private void compareError(Offer offer, Expression expression, int row, TrinoException own)
    {
        try {
            Object value = trino.execute("SELECT %s FROM sample WHERE id = %d".formatted(offer.sql(), row)).getOnlyValue();
            fail("seed %d: %s of row %d is %s to Trino, and failed with %s\n%s".formatted(seed, offer.sql(), row, value, own.getMessage(), expression));
        }
        catch (QueryFailedException e) {
            boolean isDivision = e.getMessage().equals("Division by zero");
            assertThat(own.getErrorCode()).describedAs("seed %d: %s of row %d: %s", seed, offer.sql(), row, e.getMessage())
                    .isEqualTo((isDivision ? DIVISION_BY_ZERO : NUMERIC_VALUE_OUT_OF_RANGE).toErrorCode());
            if (Boolean.getBoolean("pq.show") && !e.getMessage().equals(own.getMessage())) {
                System.out.println("MESSAGE " + e.getMessage() + " | " + own.getMessage() + " | " + offer.sql());
            }
        }
    }

    private Projection projection(Offer offer, Expression expression)
    {
        return new Projection(expression, SampleTable::channel, offer.type());
    }

    private static Optional<TrinoException> failure(Projection projection, Page page)
    {
        try {
            projection.evaluate(page);
            return Optional.empty();
        }
        catch (TrinoException e) {
            return Optional.of(e);
        }
    }

    private void compare(List<Offer> offers, String where)
    {
        List<MaterializedRow> rows;
        try {
            rows = trino.execute("SELECT id, %s FROM sample %s ORDER BY id".formatted(offers.stream().map(Offer::sql).collect(joining(", ")), where)).getMaterializedRows();
        }
        catch (QueryFailedException e) {
            fail("seed %d: only Trino fails with %s: %s %s".formatted(seed, e.getMessage(), offers, where));
            return;
        }
        int[] positions = rows.stream().mapToInt(row -> (int) row.getField(0)).toArray();
        Page chosen = page.getPositions(positions, 0, positions.length);
        for (int index = 0; index < offers.size(); index++) {
            compare(offers.get(index), rows, index + 1, chosen);
        }
    }

    private void compare(Offer offer, List<MaterializedRow> rows, int field, Page chosen)
    {
        Expression expression = new Lowering(assignments, _ -> true).lower(offer.expression().orElseThrow()).orElseThrow();
        Block block = projection(offer, expression).evaluate(chosen);
        Block ofDictionaries = projection(offer, expression).evaluate(inDictionaries(chosen));
        for (int row = 0; row < rows.size(); row++) {
            Object expected = rows.get(row).getField(field);
            for (Block result : List.of(block, ofDictionaries)) {
                assertThat(offer.type().getObjectValue(result, row))
                        .describedAs("seed %d: %s of row %d\n%s", seed, offer.sql(), rows.get(row).getField(0), expression)
                        .isEqualTo(expected);
            }
            comparisons++;
        }
        if (offer.type().getDisplayName().equals("boolean")) {
            RowFilter filter = new RowFilter(List.of(expression, expression), SampleTable::channel);
            int count = filter.select(chosen);
            List<Integer> passed = IntStream.range(0, rows.size()).filter(row -> Boolean.TRUE.equals(rows.get(row).getField(field))).boxed().toList();
            assertThat(IntStream.range(0, count).mapToObj(index -> filter.positions()[index]).collect(toImmutableList())).isEqualTo(passed);
        }
    }

    private static Page inDictionaries(Page page)
    {
        Block[] blocks = new Block[page.getChannelCount()];
        for (int channel = 0; channel < blocks.length; channel++) {
            int[] reversed = IntStream.range(0, page.getPositionCount()).map(row -> page.getPositionCount() - 1 - row).toArray();
            Block turned = page.getBlock(channel).copyPositions(reversed, 0, reversed.length);
            blocks[channel] = page.getPositionCount() == 0 ? turned : DictionaryBlock.create(reversed.length, turned, reversed);
        }
        return new Page(page.getPositionCount(), blocks);
    }

    // Empty if it has no type, or fails while it is planned.
    private Optional<Offer> offer(String sql)
    {
        try {
            return Optional.of(trino.inTransaction(session -> {
                Plan plan = trino.createPlan(session, "SELECT %s FROM sample".formatted(sql));
                Symbol symbol = getOnlyElement(plan.getRoot().getOutputSymbols());
                List<PlanNode> projects = searchFrom(plan.getRoot()).where(ProjectNode.class::isInstance).findAll();
                io.trino.sql.ir.Expression expression = projects.size() == 1 ? ((ProjectNode) getOnlyElement(projects)).getAssignments().get(symbol) : symbol.toSymbolReference();
                boolean isOfColumns = SymbolsExtractor.extractUnique(expression).stream().allMatch(column -> assignments.containsKey(column.name()));
                return new Offer(sql, symbol.type(), isOfColumns ? ConnectorExpressionTranslator.translate(session, expression) : Optional.empty());
            }));
        }
        catch (TrinoException _) {
            return Optional.empty();
        }
    }
}
