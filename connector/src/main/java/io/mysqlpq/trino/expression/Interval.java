package io.mysqlpq.trino.expression;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static java.math.BigInteger.ONE;
import static java.math.BigInteger.TWO;
import static java.math.BigInteger.ZERO;

/**
 * Holds all values that an integer expression can have, from {@code low} to {@code high}.
 *
 * <p>Operations take intervals that may be wider than what they really hold, and never narrower.
 */
public record Interval(BigInteger low, BigInteger high)
{
    static final Interval OF_TRUTH = of(0, 1);
    static final Interval OF_64_BITS = ofBits(64);
    static final Interval OF_128_BITS = ofBits(128);

    public Interval
    {
        checkArgument(low.compareTo(high) <= 0, "empty interval: %s to %s", low, high);
    }

    public static Interval of(long low, long high)
    {
        return new Interval(BigInteger.valueOf(low), BigInteger.valueOf(high));
    }

    static Interval ofBits(int bits)
    {
        BigInteger end = TWO.pow(bits - 1);
        return new Interval(end.negate(), end.subtract(ONE));
    }

    static Interval ofDigits(int digits)
    {
        BigInteger most = BigInteger.TEN.pow(digits).subtract(ONE);
        return new Interval(most.negate(), most);
    }

    boolean contains(Interval other)
    {
        return low.compareTo(other.low) <= 0 && other.high.compareTo(high) <= 0;
    }

    boolean containsZero()
    {
        return low.signum() <= 0 && high.signum() >= 0;
    }

    /** The part that is also in the other interval. It is the end next to it if there is none. */
    Interval within(Interval other)
    {
        return new Interval(low.max(other.low).min(other.high), high.min(other.high).max(other.low));
    }

    Interval union(Interval other)
    {
        return new Interval(low.min(other.low), high.max(other.high));
    }

    Interval plus(Interval other)
    {
        return new Interval(low.add(other.low), high.add(other.high));
    }

    Interval minus(Interval other)
    {
        return new Interval(low.subtract(other.high), high.subtract(other.low));
    }

    Interval times(Interval other)
    {
        return hull(ends().flatMap(end -> other.ends().map(end::multiply)).toList());
    }

    /** Divides in any way of rounding. A quotient is largest or least where both operands are at an end, or the divisor is next to zero. */
    Interval dividedBy(Interval divisor, Operator division)
    {
        List<BigInteger> divisors = Stream.concat(divisor.ends(), Stream.of(ONE, ONE.negate()).filter(divisor::holds))
                .filter(value -> value.signum() != 0)
                .toList();
        return divisors.isEmpty() ? of(0, 0) : hull(ends().flatMap(end -> divisors.stream().map(value -> division.exact(end, value))).toList());
    }

    /** What is left of a division that truncates: it has the dividend's sign. */
    Interval modulo(Interval divisor)
    {
        BigInteger most = divisor.low.abs().max(divisor.high.abs()).subtract(ONE).max(ZERO);
        return new Interval(low.min(ZERO).max(most.negate()), high.max(ZERO).min(most));
    }

    /** What is left of a division that rounds down: it has the divisor's sign. */
    static Interval floorModulo(Interval divisor)
    {
        return new Interval(divisor.low.add(ONE).min(ZERO), divisor.high.subtract(ONE).max(ZERO));
    }

    private boolean holds(BigInteger value)
    {
        return low.compareTo(value) <= 0 && value.compareTo(high) <= 0;
    }

    private Stream<BigInteger> ends()
    {
        return Stream.of(low, high);
    }

    private static Interval hull(List<BigInteger> values)
    {
        return new Interval(values.stream().reduce(BigInteger::min).orElseThrow(), values.stream().reduce(BigInteger::max).orElseThrow());
    }
}
