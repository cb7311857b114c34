package io.mysqlpq.trino.handle;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcRelationHandle;
import io.trino.plugin.jdbc.JdbcSortItem;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.expression.ParameterizedExpression;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Copies table handles with one part changed. */
public final class TableHandles
{
    private TableHandles()
    {}

    public static JdbcTableHandle withRelation(JdbcTableHandle table, JdbcRelationHandle relation)
    {
        return copy(table, relation, table.getConstraint(), table.getConstraintExpressions(), table.getColumns());
    }

    public static JdbcTableHandle withColumns(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return copy(table, table.getRelationHandle(), table.getConstraint(), table.getConstraintExpressions(), Optional.of(columns));
    }

    public static JdbcTableHandle withConstraint(JdbcTableHandle table, TupleDomain<ColumnHandle> constraint)
    {
        return copy(table, table.getRelationHandle(), constraint, table.getConstraintExpressions(), table.getColumns());
    }

    /** Adds an expression that rows have to pass as well. */
    public static JdbcTableHandle withExpression(JdbcTableHandle table, ParameterizedExpression expression)
    {
        return copy(table, table.getRelationHandle(), table.getConstraint(), ImmutableList.<ParameterizedExpression>builder().addAll(table.getConstraintExpressions()).add(expression).build(), table.getColumns());
    }

    /** Takes over the order and the limit of another table. */
    public static JdbcTableHandle withFirst(JdbcTableHandle table, JdbcTableHandle first)
    {
        return withFirst(table, first.getSortOrder(), first.getLimit());
    }

    private static JdbcTableHandle withFirst(JdbcTableHandle table, Optional<List<JdbcSortItem>> order, OptionalLong limit)
    {
        return new JdbcTableHandle(
                table.getRelationHandle(),
                table.getConstraint(),
                table.getConstraintExpressions(),
                order,
                limit,
                table.getColumns(),
                table.getOtherReferencedTables(),
                table.getNextSyntheticColumnId(),
                table.getAuthorization(),
                table.getUpdateAssignments());
    }

    /** Returns all rows of a table, not only the first ones in an order. */
    public static JdbcTableHandle withoutFirst(JdbcTableHandle table)
    {
        return withFirst(table, Optional.empty(), OptionalLong.empty());
    }

    /** Says which number the next column gets that MySQL does not have. */
    public static JdbcTableHandle withNextColumn(JdbcTableHandle table, int number)
    {
        return new JdbcTableHandle(
                table.getRelationHandle(),
                table.getConstraint(),
                table.getConstraintExpressions(),
                table.getSortOrder(),
                table.getLimit(),
                table.getColumns(),
                table.getOtherReferencedTables(),
                number,
                table.getAuthorization(),
                table.getUpdateAssignments());
    }

    /** Returns a table of results that takes the place of its rows. */
    public static JdbcTableHandle withResult(JdbcTableHandle rows, JdbcRelationHandle result, List<JdbcColumnHandle> columns)
    {
        return new JdbcTableHandle(
                result,
                TupleDomain.all(),
                ImmutableList.of(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(columns),
                rows.getAllReferencedTables(),
                rows.getNextSyntheticColumnId(),
                rows.getAuthorization(),
                rows.getUpdateAssignments());
    }

    private static JdbcTableHandle copy(
            JdbcTableHandle table,
            JdbcRelationHandle relation,
            TupleDomain<ColumnHandle> constraint,
            List<ParameterizedExpression> expressions,
            Optional<List<JdbcColumnHandle>> columns)
    {
        return new JdbcTableHandle(
                relation,
                constraint,
                expressions,
                table.getSortOrder(),
                table.getLimit(),
                columns,
                table.getOtherReferencedTables(),
                table.getNextSyntheticColumnId(),
                table.getAuthorization(),
                table.getUpdateAssignments());
    }
}
