package io.mysqlpq.cross;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** Draws ids and branches of the bank's accounts near one place, so that writers leave most of each table alone. */
final class LocalRandom
        extends Random
{
    // A window has this share of all ids.
    private static final int SHARE = 40;
    /** The place at the end of the tables whose ids are numbers. */
    static final long END = Bank.LARGEST_ID - Bank.LARGEST_ID / SHARE - 1;

    private final transient Random random;
    private final transient AtomicLong place;

    /** @param place where the window begins, of all numbers */
    LocalRandom(Random random, AtomicLong place)
    {
        this.random = random;
        this.place = place;
    }

    @Override
    public long nextLong(long bound)
    {
        return Math.floorMod(place.get(), bound - bound / SHARE) + random.nextLong(bound / SHARE);
    }

    @Override
    public int nextInt(int bound)
    {
        return bound == BankTable.BRANCHES ? (int) ((Math.floorMod(place.get(), BankTable.BRANCHES) + random.nextLong(2)) % BankTable.BRANCHES) : random.nextInt(bound);
    }

    @Override
    public int nextInt()
    {
        return (int) (place.get() << 27) | random.nextInt() >>> 5;
    }
}
