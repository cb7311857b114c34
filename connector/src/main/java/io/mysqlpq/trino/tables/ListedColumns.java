package io.mysqlpq.trino.tables;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Changes the driver's list of columns so that a generated column may be NULL.
 *
 * <p>Trino refuses rows without a value for a NOT NULL column, and no row that is inserted has one for a column that MySQL computes.
 */
public final class ListedColumns
{
    private ListedColumns()
    {}

    public static ResultSet of(ResultSet columns)
    {
        return (ResultSet) Proxy.newProxyInstance(ListedColumns.class.getClassLoader(), new Class<?>[] {ResultSet.class}, (_, method, arguments) -> {
            if (method.getName().equals("getInt") && arguments[0].equals("NULLABLE") && isComputed(columns)) {
                return DatabaseMetaData.columnNullable;
            }
            try {
                return method.invoke(columns, arguments);
            }
            catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    // The driver says so of columns, too, whose default is an expression.
    private static boolean isComputed(ResultSet columns)
            throws SQLException
    {
        return "YES".equals(columns.getString("IS_GENERATEDCOLUMN")) && columns.getString("COLUMN_DEF") == null;
    }
}
