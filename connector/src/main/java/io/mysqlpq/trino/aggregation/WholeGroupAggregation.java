package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static java.util.Objects.requireNonNull;

/**
 * Describes an aggregation each group of which lies in one range: its groups are of the key's leading columns, and ranges are cut only
 * between values of these columns.
 *
 * @param table the filtered table that is aggregated
 * @param groupBy the first columns of the result, the leading ones of the primary key among them
 * @param aggregates the result's other columns
 * @param leadingColumns of the primary key, at least one
 * @param rowAggregates the same aggregates from rows, if the connector can compute all of them
 */
public record WholeGroupAggregation(JdbcTableHandle table, List<JdbcColumnHandle> groupBy, List<PartialColumn> aggregates, int leadingColumns, Optional<List<RowAggregate>> rowAggregates)
        implements AggregationByRanges
{
    public WholeGroupAggregation
    {
        requireNonNull(table, "table is null");
        checkArgument(table.isNamedRelation() && table.getLimit().isEmpty(), "not rows of a table: %s", table);
        groupBy = ImmutableList.copyOf(groupBy);
        aggregates = ImmutableList.copyOf(aggregates);
        rowAggregates = rowAggregates.map(ImmutableList::copyOf);
        checkArgument(leadingColumns > 0 && leadingColumns <= groupBy.size(), "groups of %s columns by %s of a key", groupBy.size(), leadingColumns);
    }

    /** Whether the aggregation groups by all of these columns, by which ranges are cut. */
    public boolean beginsWith(List<String> key)
    {
        return leadingColumns <= key.size()
                && key.subList(0, leadingColumns).stream().allMatch(name -> groupBy.stream().anyMatch(column -> column.getColumnName().equals(name)));
    }

    /** Returns the same aggregation of other rows of the table. */
    public WholeGroupAggregation of(JdbcTableHandle rows)
    {
        return new WholeGroupAggregation(rows, groupBy, aggregates, leadingColumns, rowAggregates);
    }

    @Override
    public boolean computedHere()
    {
        return rowAggregates.isPresent();
    }

    // The first groups of each range are not the first groups of the whole.
    @Override
    public boolean gives(JdbcTableHandle result)
    {
        return result.getLimit().isEmpty() && result.getSortOrder().isEmpty();
    }

    @Override
    public PlanningOptions rangeOptions(PlanningOptions planning, AggregationOptions aggregation)
    {
        return computedHere() ? planning : planning.ofAggregation();
    }

    @Override
    public String kind()
    {
        return "whole groups of";
    }

    /** Returns the columns that are read to compute the aggregates from rows: first those that the aggregation groups by. */
    public List<JdbcColumnHandle> rowColumns()
    {
        Stream<JdbcColumnHandle> arguments = rowAggregates.orElseThrow().stream().flatMap(aggregate -> aggregate.argument().stream());
        return Stream.concat(groupBy.stream(), arguments).distinct().collect(toImmutableList());
    }

    /** Returns the columns of the result. */
    public List<JdbcColumnHandle> columns()
    {
        return Stream.concat(groupBy.stream(), aggregates.stream().map(PartialColumn::column)).collect(toImmutableList());
    }

    /** Returns, by their names, what MySQL computes for those of the columns that the table does not have. */
    public Map<String, ParameterizedExpression> expressions(List<JdbcColumnHandle> columns)
    {
        return aggregates.stream().filter(aggregate -> columns.contains(aggregate.column())).collect(toImmutableMap(aggregate -> aggregate.column().getColumnName(), PartialColumn::expression));
    }
}
