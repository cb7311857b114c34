package io.mysqlpq.trino.planning.sql;

import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Divides the way between two numbers into equal steps. */
final class Steps
{
    private Steps()
    {}

    /** At most {@code count} numbers behind {@code from} up to {@code to}, in this direction. */
    static List<BigInteger> between(BigInteger from, BigInteger to, int count)
    {
        BigInteger way = to.subtract(from);
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> from.add(way.multiply(BigInteger.valueOf(i)).divide(BigInteger.valueOf(count))))
                .filter(step -> !step.equals(from))
                .distinct()
                .collect(toImmutableList());
    }

    static List<Long> between(long from, long to, int count)
    {
        return between(BigInteger.valueOf(from), BigInteger.valueOf(to), count).stream().map(BigInteger::longValueExact).collect(toImmutableList());
    }
}
