package io.mysqlpq.trino.types;

import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;

/** Names the column of a cell to people. */
public final class CellName
{
    private CellName()
    {}

    /** With its table, unless MySQL computed the column. */
    public static String of(ResultSet rows, int column)
            throws SQLException
    {
        ResultSetMetaData columns = rows.getMetaData();
        String table = columns.getTableName(column);
        return table.isEmpty() ? columns.getColumnLabel(column) : "%s of table %s.%s".formatted(columns.getColumnLabel(column), columns.getCatalogName(column), table);
    }
}
