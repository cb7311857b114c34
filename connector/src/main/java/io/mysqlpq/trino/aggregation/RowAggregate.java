package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Variable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.mysqlpq.trino.aggregation.MergeableFunction.COUNT;
import static java.util.Objects.requireNonNull;

/**
 * Describes an aggregate that this connector computes from rows.
 *
 * @param argument empty for {@code count(*)}
 * @param column of the result
 */
public record RowAggregate(MergeableFunction function, Optional<JdbcColumnHandle> argument, JdbcColumnHandle column)
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
    static Optional<List<RowAggregate>> of(List<AggregateFunction> aggregates, Map<String, ColumnHandle> assignments, List<JdbcColumnHandle> columns)
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
        Optional<MergeableFunction> function = MergeableFunction.of(aggregate);
        if (function.isEmpty() || !aggregate.getArguments().stream().allMatch(Variable.class::isInstance)) {
            return Optional.empty();
        }
        Optional<JdbcColumnHandle> argument = AggregationDecomposer.arguments(aggregate, assignments).stream().findFirst();
        return function.filter(mergeable -> mergeable.isComputedOf(argument.map(JdbcColumnHandle::getColumnType), column.getColumnType()))
                .map(mergeable -> new RowAggregate(mergeable, argument, column));
    }
}
