package io.mysqlpq.testing.random;

import java.math.BigInteger;
import java.util.Random;

/**
 * Names an integer type of MySQL and draws values from all of its range.
 */
public record IntegerType(String name, int bits, boolean unsigned)
{
    public String definition()
    {
        return name + (unsigned ? " UNSIGNED" : "");
    }

    public BigInteger minimum()
    {
        return unsigned ? BigInteger.ZERO : BigInteger.TWO.pow(bits - 1).negate();
    }

    public BigInteger maximum()
    {
        return minimum().add(BigInteger.TWO.pow(bits)).subtract(BigInteger.ONE);
    }

    // Half uniform over the type, half near its ends and zero, where signs and widths go wrong.
    public BigInteger random(Random random)
    {
        BigInteger offset = switch (random.nextInt(4)) {
            case 0 -> new BigInteger(Math.min(bits, 8), random);
            case 1 -> maximum().subtract(minimum()).subtract(new BigInteger(Math.min(bits, 8), random));
            default -> new BigInteger(bits, random);
        };
        return minimum().add(offset);
    }
}
