package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Describes an aggregation that can be computed range by range and merged.
 *
 * @param table the filtered table that is aggregated
 * @param groupBy the first columns of what a range gives, and of the result; none of a global aggregation
 * @param aggregates the result's other columns
 * @param natively whether the extension is asked to compute the groups of each range before MySQL is
 */
public record PartialAggregation(JdbcTableHandle table, List<JdbcColumnHandle> groupBy, List<MergedColumn> aggregates, boolean natively)
        implements AggregationByRanges
{
    private static final int RANGES_PER_THREAD = 4;

    public PartialAggregation
    {
        requireNonNull(table, "table is null");
        checkArgument(table.isNamedRelation() && table.getLimit().isEmpty(), "not rows of a table: %s", table);
        groupBy = ImmutableList.copyOf(groupBy);
        aggregates = ImmutableList.copyOf(aggregates);
        checkArgument(!(groupBy.isEmpty() && aggregates.isEmpty()), "no columns");
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

    // Plans several ranges for each thread, so that uneven ones even out. Each range costs a statement and a list of groups.
    @Override
    public PlanningOptions rangeOptions(PlanningOptions planning, AggregationOptions aggregation)
    {
        PlanningOptions ranges = planning.withRanges(planning.targetRowsPerSplit(), min(planning.maxRanges(), RANGES_PER_THREAD * aggregation.parallelism()));
        return natively ? ranges : ranges.ofAggregation();
    }

    @Override
    public String kind()
    {
        return natively ? "aggregated natively in" : "aggregation merged from";
    }

    /** Returns the aggregation of which the extension computes the groups of each range. Empty if it does not, or if its groups are not Trino's. */
    Optional<PartialAggregation> computedNatively()
    {
        boolean supported = groupBy.stream().noneMatch(column -> isFloating(column.getColumnType()))
                && aggregates.stream().allMatch(aggregate -> aggregate.function().isComputedOf(aggregate.argument().map(JdbcColumnHandle::getColumnType), aggregate.column().getColumnType()));
        return supported ? Optional.of(new PartialAggregation(table, groupBy, aggregates, true)) : Optional.empty();
    }

    // Its zeros are one group and have two forms.
    private static boolean isFloating(Type type)
    {
        return type instanceof RealType || type instanceof DoubleType;
    }

    /** Returns the same of other rows. */
    public PartialAggregation of(JdbcTableHandle rows)
    {
        return new PartialAggregation(rows, groupBy, aggregates, natively);
    }

    /** Returns the columns that each range gives. */
    public List<JdbcColumnHandle> partialColumns()
    {
        return Stream.concat(groupBy.stream(), partials().map(PartialColumn::column)).collect(toImmutableList());
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

    /** Returns the columns of the result. */
    public List<JdbcColumnHandle> resultColumns()
    {
        return Stream.concat(groupBy.stream(), aggregates.stream().map(MergedColumn::column)).collect(toImmutableList());
    }
}
