package io.mysqlpq.trino.expression;

import java.util.Arrays;

/**
 * Holds an expression's values of some rows. Its arrays may be longer than there are rows, and are kept for the next ones.
 *
 * <p>A row that is NULL has some value too, which means nothing. Arrays are shared between vectors, and only the step writes them that made them.
 */
final class Vector
{
    /** Integers, or their low halves. Truth values are 0 and 1. */
    long[] low = {};
    /** The high halves of integers of 128 bits. */
    long[] high = {};
    boolean has128Bits;

    /** Texts are bytes of UTF-8 from {@code starts} to {@code ends}. */
    byte[] text = {};
    int[] starts = {};
    int[] ends = {};

    boolean[] nulls = {};
    boolean hasNulls;

    private boolean[] ownNulls = {};
    private long[] signs = {};
    private boolean areSignsKnown;

    /** Forgets the rows before. */
    void begin()
    {
        areSignsKnown = false;
    }

    long[] lowFor(int rows)
    {
        if (low.length < rows) {
            low = new long[rows];
        }
        return low;
    }

    long[] highFor(int rows)
    {
        if (high.length < rows) {
            high = new long[rows];
        }
        has128Bits = true;
        return high;
    }

    void reserveText(int rows)
    {
        if (starts.length < rows) {
            starts = new int[rows];
            ends = new int[rows];
        }
    }

    boolean[] nullsFor(int rows)
    {
        if (ownNulls.length < rows) {
            ownNulls = new boolean[rows];
        }
        nulls = ownNulls;
        hasNulls = true;
        return nulls;
    }

    /** The high halves, which are the signs of integers of 64 bits. */
    long[] highs(int rows)
    {
        if (has128Bits) {
            return high;
        }
        if (!areSignsKnown) {
            if (signs.length < rows) {
                signs = new long[rows];
            }
            for (int row = 0; row < rows; row++) {
                signs[row] = low[row] >> 63;
            }
            areSignsKnown = true;
        }
        return signs;
    }

    boolean isNull(int row)
    {
        return hasNulls && nulls[row];
    }

    boolean isTrue(int row)
    {
        return low[row] != 0 && !isNull(row);
    }

    void takeValues(Vector other)
    {
        low = other.low;
        high = other.high;
        has128Bits = other.has128Bits;
        text = other.text;
        starts = other.starts;
        ends = other.ends;
    }

    void takeNulls(Vector other)
    {
        nulls = other.nulls;
        hasNulls = other.hasNulls;
    }

    /** Is NULL where one of the two is. */
    void takeNulls(Vector left, Vector right, int rows)
    {
        if (left.hasNulls && right.hasNulls) {
            boolean[] first = left.nulls;
            boolean[] second = right.nulls;
            boolean[] either = nullsFor(rows);
            for (int row = 0; row < rows; row++) {
                either[row] = first[row] || second[row];
            }
        }
        else {
            takeNulls(left.hasNulls ? left : right);
        }
    }

    void fill(long highHalf, long lowHalf, int rows)
    {
        if (low.length < rows) {
            Arrays.fill(lowFor(rows), lowHalf);
            if (highHalf != lowHalf >> 63 || has128Bits) {
                Arrays.fill(highFor(rows), highHalf);
            }
        }
    }
}
