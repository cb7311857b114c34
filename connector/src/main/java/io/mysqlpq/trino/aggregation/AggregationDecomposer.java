package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcExpression;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Variable;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/** Splits a global aggregation into partial aggregations, which MySQL computes for each range. */
final class AggregationDecomposer
{
    private AggregationDecomposer()
    {}

    /**
     * @param table what is aggregated
     * @param results the columns of the result that the aggregate functions give, one each
     * @param pushed says how MySQL computes one of the functions
     * @return empty if one of the functions cannot be merged exactly, or if what is aggregated is not the rows of one table
     */
    static Optional<PartialAggregation> decompose(
            JdbcTableHandle table,
            List<AggregateFunction> functions,
            Map<String, ColumnHandle> assignments,
            List<JdbcColumnHandle> results,
            Function<AggregateFunction, JdbcExpression> pushed,
            UnaryOperator<String> quoted)
    {
        checkArgument(functions.size() == results.size(), "%s functions give %s columns", functions.size(), results.size());
        if (!table.isNamedRelation() || table.getLimit().isPresent()) {
            return Optional.empty();
        }
        PartialColumns columns = new PartialColumns(pushed, quoted);
        ImmutableList.Builder<MergedColumn> aggregates = ImmutableList.builder();
        for (int i = 0; i < functions.size(); i++) {
            Optional<MergedColumn> merged = merged(columns, functions.get(i), assignments, results.get(i));
            if (merged.isEmpty()) {
                return Optional.empty();
            }
            aggregates.add(merged.get());
        }
        return Optional.of(new PartialAggregation(table, aggregates.build()));
    }

    private static Optional<MergedColumn> merged(PartialColumns columns, AggregateFunction function, Map<String, ColumnHandle> assignments, JdbcColumnHandle result)
    {
        Optional<MergeableFunction> mergeable = MergeableFunction.of(function);
        if (mergeable.isEmpty() || !function.getArguments().stream().allMatch(Variable.class::isInstance)) {
            return Optional.empty();
        }
        return mergeable.get()
                .partials(columns, function, arguments(function, assignments).stream().findFirst())
                .map(partials -> new MergedColumn(result, mergeable.get(), partials));
    }

    /** Returns the arguments, which are variables. None of {@code count(*)}. */
    static List<JdbcColumnHandle> arguments(AggregateFunction function, Map<String, ColumnHandle> assignments)
    {
        return function.getArguments().stream().map(argument -> (JdbcColumnHandle) assignments.get(((Variable) argument).getName())).collect(toImmutableList());
    }
}
