package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.type.DoubleType;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;

/**
 * Describes an aggregation whose groups the extension computes range by range, and that this connector merges.
 *
 * <p>What the extension leaves, the connector computes itself from rows. It needs no SQL of the aggregation, and no MySQL that computes like
 * Trino.
 *
 * @param table the filtered table that is aggregated
 * @param keys what rows are grouped by; none of a global aggregation
 */
public record NativeAggregation(JdbcTableHandle table, List<Key> keys, List<Aggregate> aggregates)
        implements MergedAggregation
{
    private static final int RANGES_PER_THREAD = 4;

    /** @param column of the result */
    public record Key(JdbcColumnHandle column, Expression expression)
    {
        public Key
        {
            requireNonNull(column, "column is null");
            requireNonNull(expression, "expression is null");
        }
    }

    /**
     * @param arguments none for {@code count(*)}; of functions that give a value of the row of an extreme, first what is compared, then that value
     * @param column of the result
     */
    public record Aggregate(MergeableFunction function, List<Argument> arguments, JdbcColumnHandle column)
    {
        public Aggregate
        {
            requireNonNull(function, "function is null");
            arguments = ImmutableList.copyOf(arguments);
            requireNonNull(column, "column is null");
        }
    }

    /** @param column tells the type of the values, and how they are read if the expression is a column */
    public record Argument(JdbcColumnHandle column, Expression expression)
    {
        public Argument
        {
            requireNonNull(column, "column is null");
            requireNonNull(expression, "expression is null");
        }
    }

    public NativeAggregation
    {
        requireNonNull(table, "table is null");
        checkArgument(table.isNamedRelation() && table.getLimit().isEmpty(), "not rows of a table: %s", table);
        keys = ImmutableList.copyOf(keys);
        aggregates = ImmutableList.copyOf(aggregates);
        checkArgument(!(keys.isEmpty() && aggregates.isEmpty()), "no columns");
    }

    @Override
    public List<JdbcColumnHandle> groupBy()
    {
        return keys.stream().map(Key::column).collect(toImmutableList());
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

    // Plans several ranges for each thread, so that uneven ones even out.
    @Override
    public PlanningOptions rangeOptions(PlanningOptions planning, AggregationOptions aggregation)
    {
        return planning.withRanges(planning.targetRowsPerSplit(), min(planning.maxRanges(), RANGES_PER_THREAD * aggregation.parallelism()));
    }

    @Override
    public String kind()
    {
        return "aggregated natively in";
    }

    @Override
    public NativeAggregation of(JdbcTableHandle rows)
    {
        return new NativeAggregation(rows, keys, aggregates);
    }

    @Override
    public RangeMerger merger()
    {
        return new GroupTableMerger(this);
    }

    @Override
    public List<JdbcColumnHandle> resultColumns()
    {
        return Stream.concat(keys.stream().map(Key::column), aggregates.stream().map(Aggregate::column)).collect(toImmutableList());
    }

    /** Whether a sum depends on the order in which, and on the parts by which, it is added. */
    public boolean addsDoubles()
    {
        return aggregates.stream().anyMatch(aggregate -> (aggregate.function() == MergeableFunction.SUM || aggregate.function() == MergeableFunction.AVERAGE)
                && aggregate.arguments().getFirst().column().getColumnType() instanceof DoubleType);
    }

    /** Returns the expressions that rows are read for: those of the keys, and then of the arguments. */
    public List<Expression> expressions()
    {
        return Stream.concat(keys.stream().map(Key::expression), aggregates.stream().flatMap(aggregate -> aggregate.arguments().stream()).map(Argument::expression)).collect(toImmutableList());
    }
}
