package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.spi.connector.AggregateFunction;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.expression.Variable;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Holds an aggregation that Trino asks for and MySQL can compute.
 *
 * @param query computes it as one statement
 * @param assignments the columns that variables in the aggregates stand for
 * @param results the columns of the aggregates' values, in their order
 */
public record AggregationRequest(PreparedQuery query, List<AggregateFunction> aggregates, Map<String, ColumnHandle> assignments, List<JdbcColumnHandle> groupBy, List<JdbcColumnHandle> results)
{
    public AggregationRequest
    {
        requireNonNull(query, "query is null");
        aggregates = ImmutableList.copyOf(aggregates);
        assignments = ImmutableMap.copyOf(assignments);
        groupBy = ImmutableList.copyOf(groupBy);
        results = ImmutableList.copyOf(results);
    }

    /** The columns of the table that it reads, filters aside. */
    List<JdbcColumnHandle> columns()
    {
        Stream<JdbcColumnHandle> arguments = aggregates.stream()
                .flatMap(aggregate -> aggregate.getArguments().stream())
                .map(argument -> (JdbcColumnHandle) assignments.get(((Variable) argument).getName()));
        return Stream.concat(groupBy.stream(), arguments).distinct().collect(toImmutableList());
    }

    /** Whether it is {@code count(*)}, alone or several times, without groups. */
    boolean countsRowsOnly()
    {
        return groupBy.isEmpty() && aggregates.stream().allMatch(AggregationRequest::countsRows);
    }

    private static boolean countsRows(AggregateFunction aggregate)
    {
        return aggregate.getFunctionName().equals("count") && aggregate.getArguments().isEmpty() && aggregate.getFilter().isEmpty();
    }
}
