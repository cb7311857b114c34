package io.mysqlpq.testing.random;

import java.util.Random;

/**
 * Makes random generators whose seed is printed and can be given again as -Dpq.seed.
 */
public final class Seed
{
    private Seed()
    {}

    public static Random random()
    {
        return new Random(draw());
    }

    public static long draw()
    {
        long seed = Long.getLong("pq.seed", System.nanoTime());
        System.out.printf("Random seed: -Dpq.seed=%s%n", seed);
        return seed;
    }
}
