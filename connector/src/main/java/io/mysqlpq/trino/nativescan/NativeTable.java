package io.mysqlpq.trino.nativescan;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;

import java.util.List;

/** Tells what of a table the extension can read itself. */
public final class NativeTable
{
    private NativeTable()
    {}

    /** Whether it can read these columns of the rows that the table's filters leave, as far as types tell. */
    public static boolean reads(JdbcTableHandle table, List<JdbcColumnHandle> columns)
    {
        return table.isNamedRelation()
                && table.getLimit().isEmpty()
                && table.getSortOrder().isEmpty()
                && table.getConstraintExpressions().isEmpty()
                && columns.stream().allMatch(column -> NativeLayout.of(column.getJdbcTypeHandle(), column.getColumnType()).isPresent())
                && NativeFilters.all(table.getConstraint()).isPresent();
    }
}
