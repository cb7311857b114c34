package io.mysqlpq.trino.types;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.IntegerType;
import io.trino.spi.type.SmallintType;
import io.trino.spi.type.TinyintType;
import io.trino.spi.type.Type;

import java.math.BigInteger;
import java.util.Optional;

import static java.math.BigInteger.ONE;
import static java.math.BigInteger.ZERO;

/** Holds the integers that a MySQL column can hold. They are fewer than those of the Trino type of an unsigned column. */
public record IntegerDomain(BigInteger least, BigInteger greatest)
{
    /** Narrows a domain to the values that the column can hold. Returns all of it for a column that is not of integers. */
    public static Domain within(JdbcColumnHandle column, Domain domain)
    {
        return of(column)
                .map(held -> domain.intersect(Domain.create(ValueSet.ofRanges(held.range(column.getColumnType())), true)))
                .orElse(domain);
    }

    private Range range(Type type)
    {
        return Range.range(type, value(type, least), true, value(type, greatest), true);
    }

    private static Object value(Type type, BigInteger integer)
    {
        return type instanceof DecimalType decimal && !decimal.isShort() ? Int128.valueOf(integer) : (Object) integer.longValueExact();
    }

    /** Returns the integers of a column. Empty for a column of another type, or one whose Trino values are not integers. */
    public static Optional<IntegerDomain> of(JdbcColumnHandle column)
    {
        if (!hasIntegerValues(column.getColumnType())) {
            return Optional.empty();
        }
        return MysqlTypes.of(column).integers(column.getJdbcTypeHandle());
    }

    private static boolean hasIntegerValues(Type type)
    {
        return switch (type) {
            case TinyintType _,SmallintType _,IntegerType _,BigintType _ -> true;
            case DecimalType decimal -> decimal.getScale() == 0;
            default -> false;
        };
    }

    static IntegerDomain signed(int bits)
    {
        return new IntegerDomain(ONE.shiftLeft(bits - 1).negate(), ONE.shiftLeft(bits - 1).subtract(ONE));
    }

    static IntegerDomain unsigned(int bits)
    {
        return new IntegerDomain(ZERO, ONE.shiftLeft(bits).subtract(ONE));
    }

    public boolean contains(BigInteger value)
    {
        return least.compareTo(value) <= 0 && value.compareTo(greatest) <= 0;
    }
}
