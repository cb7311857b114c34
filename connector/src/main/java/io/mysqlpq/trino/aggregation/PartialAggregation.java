package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Describes a global aggregation that MySQL computes range by range, each a row, and this connector merges.
 *
 * @param table the filtered table that is aggregated
 * @param aggregates the result's columns
 */
public record PartialAggregation(JdbcTableHandle table, List<MergedColumn> aggregates)
        implements MergedAggregation
{
    private static final int RANGES_PER_THREAD = 4;

    public PartialAggregation
    {
        requireNonNull(table, "table is null");
        checkArgument(table.isNamedRelation() && table.getLimit().isEmpty(), "not rows of a table: %s", table);
        aggregates = ImmutableList.copyOf(aggregates);
        checkArgument(!aggregates.isEmpty(), "no columns");
    }

    @Override
    public List<JdbcColumnHandle> groupBy()
    {
        return ImmutableList.of();
    }

    @Override
    public boolean computedHere()
    {
        return true;
    }

    @Override
    public boolean gives(JdbcTableHandle result)
    {
        return ResultView.isSupported(result);
    }

    // Plans several ranges for each thread, so that uneven ones even out. Each range costs a statement.
    @Override
    public PlanningOptions rangeOptions(PlanningOptions planning, AggregationOptions aggregation)
    {
        return planning.withRanges(planning.targetRowsPerSplit(), min(planning.maxRanges(), RANGES_PER_THREAD * aggregation.parallelism())).ofAggregation();
    }

    @Override
    public String kind()
    {
        return "aggregation merged from";
    }

    @Override
    public PartialAggregation of(JdbcTableHandle rows)
    {
        return new PartialAggregation(rows, aggregates);
    }

    @Override
    public RangeMerger merger()
    {
        return new TotalsMerger(this);
    }

    /** Returns the columns that each range gives. */
    public List<JdbcColumnHandle> partialColumns()
    {
        return partials().map(PartialColumn::column).collect(toImmutableList());
    }

    /** Returns, by their names, what MySQL computes for the columns that the table does not have. */
    public Map<String, ParameterizedExpression> partialExpressions()
    {
        return partials().collect(toImmutableMap(partial -> partial.column().getColumnName(), PartialColumn::expression));
    }

    private Stream<PartialColumn> partials()
    {
        return aggregates.stream().flatMap(aggregate -> aggregate.partials().stream());
    }

    @Override
    public List<JdbcColumnHandle> resultColumns()
    {
        return aggregates.stream().map(MergedColumn::column).collect(toImmutableList());
    }
}
