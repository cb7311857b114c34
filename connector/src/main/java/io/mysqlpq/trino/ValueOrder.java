package io.mysqlpq.trino;

import io.mysqlpq.trino.types.InvalidDateHandling;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.ArrayType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.RealType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.VarcharType;

import static io.mysqlpq.trino.MysqlPqSessionProperties.typeOptions;

/** Knows which columns MySQL puts into the order that Trino puts them into. */
final class ValueOrder
{
    private ValueOrder()
    {}

    // Only MySQL's collations order strings as MySQL does, and values that reach Trino rounded, or as NULL, are others in MySQL.
    static boolean isMysqls(ConnectorSession session, JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case CharType _,VarcharType _,RealType _,ArrayType _ -> false;
            case DecimalType _ -> column.getJdbcTypeHandle().columnSize().orElse(0) <= Decimals.MAX_PRECISION;
            case DateType _,TimestampType _,TimestampWithTimeZoneType _ -> typeOptions(session).invalidDates() != InvalidDateHandling.NULL;
            default -> true;
        };
    }
}
