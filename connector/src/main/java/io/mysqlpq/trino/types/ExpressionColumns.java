package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;

/** Says of which columns expressions can be computed. */
public final class ExpressionColumns
{
    private ExpressionColumns()
    {}

    /**
     * Whether the extension takes a column's values for what Trino takes them for. YEAR is a date to Trino, and a truth value may be any
     * number to MySQL.
     */
    public static boolean areExact(JdbcColumnHandle column)
    {
        MysqlType type = MysqlTypes.of(column);
        return (type instanceof MysqlInteger || type instanceof MysqlDecimal || type instanceof MysqlDate || type instanceof MysqlDatetime || type instanceof MysqlText)
                && !(column.getColumnType() instanceof BooleanType)
                && NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).isPresent()
                && type.isInRecord(column.getJdbcTypeHandle());
    }

    /** Whether the extension orders a column's values as Trino does. Trino compares CHAR as if it was filled up with spaces. */
    public static boolean areOrdered(JdbcColumnHandle column)
    {
        return (areExact(column) && !(column.getColumnType() instanceof CharType))
                || (MysqlTypes.of(column) instanceof MysqlDouble && NativeColumn.of(column.getJdbcTypeHandle(), column.getColumnType()).isPresent());
    }
}
