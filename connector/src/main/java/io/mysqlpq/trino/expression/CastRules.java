package io.mysqlpq.trino.expression;

import io.trino.spi.type.DateType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.TimestampType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Optional;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.expression.Operator.ADD;
import static io.mysqlpq.trino.expression.Operator.FLOOR_DIVIDE;
import static io.mysqlpq.trino.expression.Operator.MULTIPLY;
import static io.mysqlpq.trino.expression.Terms.arithmetic;
import static io.mysqlpq.trino.expression.Terms.roundedByPowerOfTen;
import static io.mysqlpq.trino.expression.Terms.timesPowerOfTen;
import static io.mysqlpq.trino.expression.Terms.within;
import static io.mysqlpq.trino.expression.ValueType.MICROSECONDS_PER_DAY;
import static io.mysqlpq.trino.expression.ValueType.isInteger;
import static io.mysqlpq.trino.expression.ValueType.isTimestamp;
import static java.util.Locale.ENGLISH;

/** Lowers casts. */
final class CastRules
{
    private CastRules()
    {}

    static Optional<Expression> cast(Type result, List<Operand> operands)
    {
        Expression value = getOnlyElement(operands).expression();
        Type type = getOnlyElement(operands).type();
        if (type.equals(result)) {
            return Optional.of(value);
        }
        return switch (result) {
            case DecimalType target when isInteger(type) -> toDecimal(value, type, target);
            case DecimalType target when type instanceof DecimalType source -> betweenDecimals(value, source, target);
            case Type _ when isInteger(result) && isInteger(type) -> Optional.of(within(value, ValueType.interval(result), "Out of range for " + result.getDisplayName() + ": %3$s"));
            case Type _ when isInteger(result) && type instanceof DecimalType source -> Optional.of(toInteger(value, source, result));
            case DateType _ when isTimestamp(type) -> Optional.of(arithmetic(FLOOR_DIVIDE, value, MICROSECONDS_PER_DAY));
            case TimestampType _ when isTimestamp(result) && type instanceof DateType -> Optional.of(arithmetic(MULTIPLY, value, MICROSECONDS_PER_DAY));
            case TimestampType target when isTimestamp(result) && type instanceof TimestampType source && source.isShort() -> Optional.of(betweenTimestamps(value, source, target));
            case VarcharType target when type instanceof VarcharType source -> isAsLong(source, target) ? Optional.of(value) : Optional.empty();
            default -> Optional.empty();
        };
    }

    // The check comes before digits are added, where 64 bits often do.
    private static Optional<Expression> toDecimal(Expression value, Type type, DecimalType target)
    {
        // Trino takes the least BIGINT for a short decimal without digits after the point, though it has too many (483).
        if (target.isShort() && target.getScale() == 0 && value.interval().low().equals(Interval.OF_64_BITS.low())) {
            return Optional.empty();
        }
        String message = "Cannot cast %s '%%3$s' to %s".formatted(type.getDisplayName().toUpperCase(ENGLISH), name(target));
        return Optional.of(timesPowerOfTen(within(value, Interval.ofDigits(target.getPrecision() - target.getScale()), message), target.getScale()));
    }

    private static Expression toInteger(Expression value, DecimalType source, Type target)
    {
        String message = "Cannot cast '%%3$s' to %s".formatted(target.getDisplayName().toUpperCase(ENGLISH));
        return within(roundedByPowerOfTen(value, source.getScale()), ValueType.interval(target), message);
    }

    private static Optional<Expression> betweenDecimals(Expression value, DecimalType source, DecimalType target)
    {
        String message = "Cannot cast a value of %s to %s".formatted(name(source), name(target));
        int digits = target.getScale() - source.getScale();
        if (digits < 0) {
            return Optional.of(within(roundedByPowerOfTen(value, -digits), ValueType.interval(target), message));
        }
        // Trino multiplies within 64 bits, and does not notice if these are too few (483).
        if (source.isShort() && target.isShort() && timesPowerOfTen(value, digits).needs128Bits()) {
            return Optional.empty();
        }
        return Optional.of(timesPowerOfTen(within(value, Interval.ofDigits(target.getPrecision() - digits), message), digits));
    }

    private static String name(DecimalType type)
    {
        return "DECIMAL(%d, %d)".formatted(type.getPrecision(), type.getScale());
    }

    // Trino rounds to the nearest, and half of a unit up.
    private static Expression betweenTimestamps(Expression value, TimestampType source, TimestampType target)
    {
        if (source.getPrecision() <= target.getPrecision()) {
            return value;
        }
        long unit = (long) Math.pow(10, TimestampType.MAX_SHORT_PRECISION - target.getPrecision());
        return arithmetic(MULTIPLY, arithmetic(FLOOR_DIVIDE, arithmetic(ADD, value, unit / 2), unit), unit);
    }

    private static boolean isAsLong(VarcharType source, VarcharType target)
    {
        return target.isUnbounded() || (!source.isUnbounded() && source.getBoundedLength() <= target.getBoundedLength());
    }
}
