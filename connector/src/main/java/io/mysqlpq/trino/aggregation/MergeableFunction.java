package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.MoreCollectors.toOptional;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static java.util.Arrays.stream;
import static java.util.Objects.requireNonNull;

/**
 * Describes an aggregate function that can be computed range by range: what each range gives, how that is merged, and how it is computed of rows.
 *
 * <p>A new function is a constant here, with an accumulator of each kind where none fits, and a rule of {@code AggregatePushdown}.
 */
public enum MergeableFunction
{
    COUNT("count", 1)
    {
        @Override
        Optional<List<PartialColumn>> partials(PartialColumns columns, AggregateFunction function, Optional<JdbcColumnHandle> argument)
        {
            return Optional.of(ImmutableList.of(columns.count(columns.pushed(function))));
        }

        @Override
        Accumulator accumulator(Type type, int channel)
        {
            return new Accumulator.Count(channel);
        }

        // MySQL counts values of other types. They may be long to send, or Trino may not take them for values.
        @Override
        boolean isComputedOf(Optional<Type> argument, Type result)
        {
            return argument.isEmpty() || isScaledLong(argument.get());
        }

        @Override
        GroupAccumulator groupAccumulator(Optional<Type> argument, Type result)
        {
            return new GroupAccumulator.Count();
        }
    },

    MIN("min", 1)
    {
        @Override
        Optional<List<PartialColumn>> partials(PartialColumns columns, AggregateFunction function, Optional<JdbcColumnHandle> argument)
        {
            return argument.map(column -> ImmutableList.of(columns.extreme(columns.pushed(function), column)));
        }

        @Override
        Accumulator accumulator(Type type, int channel)
        {
            return new Accumulator.Extreme(type, channel, -1);
        }

        @Override
        boolean isComputedOf(Optional<Type> argument, Type result)
        {
            return argument.filter(MergeableFunction::isScaledLong).isPresent();
        }

        @Override
        GroupAccumulator groupAccumulator(Optional<Type> argument, Type result)
        {
            return new GroupAccumulator.Extreme(result, -1);
        }
    },

    MAX("max", 1)
    {
        @Override
        Optional<List<PartialColumn>> partials(PartialColumns columns, AggregateFunction function, Optional<JdbcColumnHandle> argument)
        {
            return MIN.partials(columns, function, argument);
        }

        @Override
        Accumulator accumulator(Type type, int channel)
        {
            return new Accumulator.Extreme(type, channel, 1);
        }

        @Override
        boolean isComputedOf(Optional<Type> argument, Type result)
        {
            return MIN.isComputedOf(argument, result);
        }

        @Override
        GroupAccumulator groupAccumulator(Optional<Type> argument, Type result)
        {
            return new GroupAccumulator.Extreme(result, 1);
        }
    },

    SUM("sum", 1)
    {
        @Override
        Optional<List<PartialColumn>> partials(PartialColumns columns, AggregateFunction function, Optional<JdbcColumnHandle> argument)
        {
            return argument.flatMap(column -> columns.sum(columns.pushed(function), column.getColumnType())).map(ImmutableList::of);
        }

        @Override
        Accumulator accumulator(Type type, int channel)
        {
            return type instanceof DoubleType ? new Accumulator.DoubleSum(channel) : new Accumulator.ExactSum(type, channel);
        }

        @Override
        boolean isComputedOf(Optional<Type> argument, Type result)
        {
            return argument.filter(MergeableFunction::isScaledLong).isPresent();
        }

        @Override
        GroupAccumulator groupAccumulator(Optional<Type> argument, Type result)
        {
            return new GroupAccumulator.Sum(argument.orElseThrow(), result, false);
        }
    },

    /** Divides a sum by a count. */
    AVERAGE("avg", 2)
    {
        // Trino averages integers as DOUBLE.
        @Override
        Optional<List<PartialColumn>> partials(PartialColumns columns, AggregateFunction function, Optional<JdbcColumnHandle> argument)
        {
            return argument.flatMap(column -> {
                String name = columns.quoted(column);
                Optional<PartialColumn> sum = column.getColumnType() instanceof BigintType
                        ? columns.sum(sql("sum(CAST(%s AS DOUBLE))".formatted(name)), DOUBLE)
                        : columns.sum(sql("sum(%s)".formatted(name)), column.getColumnType());
                return sum.map(addend -> ImmutableList.of(addend, columns.count(sql("count(%s)".formatted(name)))));
            });
        }

        @Override
        Accumulator accumulator(Type type, int channel)
        {
            return type instanceof DoubleType ? new Accumulator.DoubleAverage(channel) : new Accumulator.ExactAverage((DecimalType) type, channel);
        }

        @Override
        boolean isComputedOf(Optional<Type> argument, Type result)
        {
            return argument.isPresent() && argument.get() instanceof DecimalType decimal && decimal.isShort() && result instanceof DecimalType;
        }

        @Override
        GroupAccumulator groupAccumulator(Optional<Type> argument, Type result)
        {
            return new GroupAccumulator.Sum(argument.orElseThrow(), result, true);
        }
    },

    /** Gives the first argument of the row in which the second one is the least. MySQL has no such function. */
    MIN_BY("min_by", 2, 2),

    /** As {@link #MIN_BY}, but with the greatest. */
    MAX_BY("max_by", 2, 2);

    private final String trinoName;
    private final int partialColumns;
    private final int mostArguments;

    MergeableFunction(String trinoName, int partialColumns)
    {
        this(trinoName, partialColumns, 1);
    }

    MergeableFunction(String trinoName, int partialColumns, int mostArguments)
    {
        this.trinoName = requireNonNull(trinoName, "trinoName is null");
        this.partialColumns = partialColumns;
        this.mostArguments = mostArguments;
    }

    /** The one of a function of Trino. Empty if its values of ranges cannot be merged exactly. */
    static Optional<MergeableFunction> of(AggregateFunction function)
    {
        return of(function, function.getFunctionName());
    }

    /** The one that gives the same as a function of Trino, by its name. */
    static Optional<MergeableFunction> of(AggregateFunction function, String name)
    {
        if (function.isDistinct() || function.getFilter().isPresent() || !function.getSortItems().isEmpty()) {
            return Optional.empty();
        }
        return stream(values())
                .filter(mergeable -> mergeable.trinoName.equals(name) && function.getArguments().size() <= mergeable.mostArguments)
                .collect(toOptional());
    }

    /** How many columns each range gives for it. */
    int partialColumns()
    {
        return partialColumns;
    }

    /**
     * The columns that each range gives for it.
     *
     * @param argument empty for {@code count(*)}
     * @return empty if values of the argument's type cannot be merged exactly
     */
    Optional<List<PartialColumn>> partials(PartialColumns columns, AggregateFunction function, Optional<JdbcColumnHandle> argument)
    {
        return Optional.empty();
    }

    /**
     * Merges what the ranges give.
     *
     * @param type of the result
     * @param channel of the first partial column in the pages of the ranges
     */
    Accumulator accumulator(Type type, int channel)
    {
        throw withoutSql();
    }

    /** Whether it is computed of rows here, and not by MySQL. */
    boolean isComputedOf(Optional<Type> argument, Type result)
    {
        return false;
    }

    /** Computes it of rows. */
    GroupAccumulator groupAccumulator(Optional<Type> argument, Type result)
    {
        throw withoutSql();
    }

    private IllegalStateException withoutSql()
    {
        return new IllegalStateException("No SQL gives " + trinoName);
    }

    /** Whether a long holds each value of the type, as a number of the type's smallest units. */
    static boolean isScaledLong(Type type)
    {
        return type instanceof TinyintType || type instanceof SmallintType || type instanceof IntegerType || type instanceof BigintType
                || (type instanceof DecimalType decimal && decimal.isShort());
    }

    private static ParameterizedExpression sql(String expression)
    {
        return new ParameterizedExpression(expression, ImmutableList.of());
    }
}
