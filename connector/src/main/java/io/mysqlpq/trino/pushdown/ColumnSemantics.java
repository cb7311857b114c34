package io.mysqlpq.trino.pushdown;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
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
import io.trino.spi.type.VarcharType;

import java.util.function.Predicate;

import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/** Tells of which columns' values MySQL thinks as Trino does. */
public final class ColumnSemantics
{
    private final Predicate<ConnectorSession> readsInvalidDatesAsNull;

    public ColumnSemantics(Predicate<ConnectorSession> readsInvalidDatesAsNull)
    {
        this.readsInvalidDatesAsNull = requireNonNull(readsInvalidDatesAsNull, "readsInvalidDatesAsNull is null");
    }

    /**
     * Whether both order the values alike, and take the same ones for equal, both zeros of DOUBLE too.
     *
     * <p>Text if MySQL is asked for it as ComparedText writes it; not values that reach Trino rounded, which tie there and not in
     * MySQL; not BLOB, of which MySQL sorts a prefix; not YEAR and BIT, which reach Trino as other types.
     */
    public boolean areComparedAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        if (isNamed(column, "year") || isNamed(column, "bit")) {
            return false;
        }
        return switch (column.getColumnType()) {
            case TinyintType _,SmallintType _,IntegerType _,BigintType _,DoubleType _,TimeType _,BooleanType _ -> true;
            case DateType _,TimestampType _,TimestampWithTimeZoneType _ -> areNullAlike(session, column);
            case DecimalType _ -> isExactDecimal(column);
            case VarbinaryType _ -> isNamed(column, "binary") || isNamed(column, "varbinary");
            case VarcharType _,CharType _ -> ComparedText.isText(column);
            default -> false;
        };
    }

    /**
     * Whether groups, and least and greatest values, are also alike.
     *
     * <p>Not text in other character sets: where MySQL groups rows, min() of a converted text may be the converted bytes taken for
     * bytes of the column's set (MySQL 9.7.4).
     */
    boolean areGroupedAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return areComparedAlike(session, column) && (!ComparedText.isText(column) || ComparedText.isUtf8(column));
    }

    /** Whether Trino takes no other values for NULL than MySQL does. */
    boolean areNullAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return !mayHoldInvalidDates(column) || !readsInvalidDatesAsNull.test(session);
    }

    /** Whether a value may be a date that no calendar has, which MySQL takes for a value and Trino for an error or for NULL. */
    public static boolean mayHoldInvalidDates(JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case DateType _ -> !isNamed(column, "year");
            case TimestampType _,TimestampWithTimeZoneType _ -> true;
            default -> false;
        };
    }

    /** Whether both add the values alike. */
    boolean areAddedAlike(ConnectorSession session, JdbcColumnHandle column)
    {
        return switch (column.getColumnType()) {
            case BigintType _,DoubleType _,DecimalType _ -> areComparedAlike(session, column);
            default -> false;
        };
    }

    private static boolean isExactDecimal(JdbcColumnHandle column)
    {
        return column.getJdbcTypeHandle().columnSize().orElse(0) <= Decimals.MAX_PRECISION;
    }

    private static boolean isNamed(JdbcColumnHandle column, String mysqlType)
    {
        return column.getJdbcTypeHandle().jdbcTypeName().orElse("").toLowerCase(ENGLISH).equals(mysqlType);
    }
}
