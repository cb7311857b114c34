package io.mysqlpq.trino.expression;

import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.CharType;
import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.time.LocalDate;

import static com.google.common.base.Preconditions.checkArgument;

/** Says which of Trino's types have values of this language, and which integers they hold. */
final class ValueType
{
    static final long MICROSECONDS_PER_DAY = 86_400_000_000L;

    // MySQL's years.
    private static final long FIRST_DAY = LocalDate.of(0, 1, 1).toEpochDay();
    private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();

    private ValueType()
    {}

    static boolean isSupported(Type type)
    {
        return isText(type) || isInteger(type) || isTimestamp(type) || type instanceof DecimalType || type instanceof DateType || type instanceof BooleanType;
    }

    static boolean isInteger(Type type)
    {
        return type instanceof TinyintType || type instanceof SmallintType || type instanceof IntegerType || type instanceof BigintType;
    }

    static boolean isText(Type type)
    {
        return type instanceof VarcharType || type instanceof CharType;
    }

    static boolean isTimestamp(Type type)
    {
        return type instanceof TimestampType timestamp && timestamp.isShort();
    }

    /** What a column of the type can hold. Of dates and times these are MySQL's years. */
    static Interval interval(Type type)
    {
        checkArgument(!isText(type), "text has no interval");
        return switch (type) {
            case TinyintType _ -> Interval.ofBits(8);
            case SmallintType _ -> Interval.ofBits(16);
            case IntegerType _ -> Interval.ofBits(32);
            case BigintType _ -> Interval.OF_64_BITS;
            case DecimalType decimal -> Interval.ofDigits(decimal.getPrecision());
            case BooleanType _ -> Interval.OF_TRUTH;
            case DateType _ -> Interval.of(FIRST_DAY, LAST_DAY);
            case TimestampType _ -> Interval.of(FIRST_DAY * MICROSECONDS_PER_DAY, (LAST_DAY + 1) * MICROSECONDS_PER_DAY - 1);
            default -> throw new IllegalArgumentException("Not a type of integers: " + type);
        };
    }
}
