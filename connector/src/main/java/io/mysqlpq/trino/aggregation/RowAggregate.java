package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Variable;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.aggregation.MergeFunction.AVERAGE;
import static io.mysqlpq.trino.aggregation.MergeFunction.COUNT;
import static io.mysqlpq.trino.aggregation.MergeFunction.MAX;
import static io.mysqlpq.trino.aggregation.MergeFunction.MIN;
import static io.mysqlpq.trino.aggregation.MergeFunction.SUM;
import static java.util.Objects.requireNonNull;

/**
 * Describes an aggregate that this connector computes from rows.
 *
 * @param argument empty for {@code count(*)}
 * @param column of the result
 */
public record RowAggregate(MergeFunction function, Optional<JdbcColumnHandle> argument, JdbcColumnHandle column)
{
    public RowAggregate
    {
        requireNonNull(function, "function is null");
        requireNonNull(argument, "argument is null");
        requireNonNull(column, "column is null");
        checkArgument(argument.isPresent() || function == COUNT, "%s of nothing", function);
    }

    /**
     * @param columns of the result, one for each aggregate
     * @return empty if the connector does not compute one of the functions or types
     */
    public static Optional<List<RowAggregate>> of(List<AggregateFunction> aggregates, Map<String, ColumnHandle> assignments, List<JdbcColumnHandle> columns)
    {
        ImmutableList.Builder<RowAggregate> all = ImmutableList.builder();
        for (int i = 0; i < aggregates.size(); i++) {
            Optional<RowAggregate> aggregate = of(aggregates.get(i), assignments, columns.get(i));
            if (aggregate.isEmpty()) {
                return Optional.empty();
            }
            all.add(aggregate.get());
        }
        return Optional.of(all.build());
    }

    private static Optional<RowAggregate> of(AggregateFunction aggregate, Map<String, ColumnHandle> assignments, JdbcColumnHandle column)
    {
        if (aggregate.isDistinct() || aggregate.getFilter().isPresent() || !aggregate.getSortItems().isEmpty() || aggregate.getArguments().size() > 1) {
            return Optional.empty();
        }
        if (aggregate.getArguments().isEmpty()) {
            return aggregate.getFunctionName().equals("count") ? Optional.of(new RowAggregate(COUNT, Optional.empty(), column)) : Optional.empty();
        }
        if (!(aggregate.getArguments().getFirst() instanceof Variable variable)) {
            return Optional.empty();
        }
        JdbcColumnHandle argument = (JdbcColumnHandle) assignments.get(variable.getName());
        return function(aggregate.getFunctionName(), argument.getColumnType(), column.getColumnType())
                .map(function -> new RowAggregate(function, Optional.of(argument), column));
    }

    private static Optional<MergeFunction> function(String name, Type argument, Type result)
    {
        return switch (name) {
            // MySQL counts values of other types. They may be long to send, or Trino may not take them for values.
            case "count" -> isScaledLong(argument) ? Optional.of(COUNT) : Optional.empty();
            case "min" -> isScaledLong(argument) ? Optional.of(MIN) : Optional.empty();
            case "max" -> isScaledLong(argument) ? Optional.of(MAX) : Optional.empty();
            case "sum" -> isScaledLong(argument) ? Optional.of(SUM) : Optional.empty();
            case "avg" -> argument instanceof DecimalType decimal && decimal.isShort() && result instanceof DecimalType ? Optional.of(AVERAGE) : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Whether a long holds each value of the type, as a number of the type's smallest units. */
    static boolean isScaledLong(Type type)
    {
        return type instanceof TinyintType || type instanceof SmallintType || type instanceof IntegerType || type instanceof BigintType
                || (type instanceof DecimalType decimal && decimal.isShort());
    }
}
