package io.mysqlpq.trino.pushdown;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimeType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TimestampWithTimeZoneType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.VarbinaryType;

import static java.util.Locale.ENGLISH;

/** Tells of which columns' values MySQL thinks as Trino does. */
public final class ColumnSemantics
{
    private ColumnSemantics()
    {}

    /**
     * Whether both order the values alike, and take the same ones for equal, both zeros of DOUBLE too.
     *
     * <p>Not strings, which MySQL orders by collation; not values that reach Trino rounded, which tie there and not in
     * MySQL; not BLOB, of which MySQL sorts a prefix.
     */
    public static boolean isComparedAlike(JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case TinyintType _,SmallintType _,IntegerType _,BigintType _,DoubleType _,TimeType _,TimestampType _,TimestampWithTimeZoneType _ -> true;
            // A YEAR is read as its first day.
            case DateType _ -> !isNamed(column, "year");
            case BooleanType _ -> !isNamed(column, "bit");
            case DecimalType _ -> isExactDecimal(column);
            case VarbinaryType _ -> isNamed(column, "binary") || isNamed(column, "varbinary");
            default -> false;
        };
    }

    /** Whether Trino sees the column's decimals as they are. */
    static boolean isExactDecimal(JdbcColumnHandle column)
    {
        return column.getColumnType() instanceof DecimalType && column.getJdbcTypeHandle().columnSize().orElse(0) <= Decimals.MAX_PRECISION;
    }

    private static boolean isNamed(JdbcColumnHandle column, String mysqlType)
    {
        return column.getJdbcTypeHandle().jdbcTypeName().orElse("").toLowerCase(ENGLISH).equals(mysqlType);
    }
}
