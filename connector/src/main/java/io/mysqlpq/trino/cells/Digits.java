package io.mysqlpq.trino.cells;

import java.lang.invoke.VarHandle;

import static java.lang.invoke.MethodHandles.byteArrayViewVarHandle;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Reads numbers written in decimal digits, eight at a time. */
final class Digits
{
    /** Most digits whose number, whatever they are, a long holds. */
    static final int MOST = 18;

    private static final VarHandle LONG = byteArrayViewVarHandle(long[].class, LITTLE_ENDIAN);
    private static final long EIGHT_ZEROS = 0x3030_3030_3030_3030L;
    private static final long HUNDRED_MILLION = 100_000_000;
    private static final long[] POWERS_OF_TEN = new long[MOST + 1];

    static {
        POWERS_OF_TEN[0] = 1;
        for (int i = 1; i <= MOST; i++) {
            POWERS_OF_TEN[i] = 10 * POWERS_OF_TEN[i - 1];
        }
    }

    private Digits()
    {}

    static long powerOfTen(int exponent)
    {
        return POWERS_OF_TEN[exponent];
    }

    /** With or without a minus, and at most one digit more than {@link #MOST}: of BIGINT, that is. */
    static long signed(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        if (bytes[offset] == '-') {
            long magnitude = magnitude(bytes, offset + 1, length - 1);
            if (magnitude < 0 && magnitude != Long.MIN_VALUE) {
                throw new UnusualCellException();
            }
            return -magnitude;
        }
        long magnitude = magnitude(bytes, offset, length);
        if (magnitude < 0) {
            throw new UnusualCellException();
        }
        return magnitude;
    }

    // Negative if it is too large.
    private static long magnitude(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        return length <= MOST ? unsigned(bytes, offset, length) : largeMagnitude(bytes, offset, length);
    }

    private static long largeMagnitude(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        if (length > MOST + 1) {
            throw new UnusualCellException();
        }
        // Up to 9,999,999,999,999,999,999, which is less than 2^64.
        return unsigned(bytes, offset, MOST) * 10 + unsigned(bytes, offset + MOST, 1);
    }

    /** From 1 to {@link #MOST} digits and nothing else. */
    static long unsigned(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        if (length <= 0) {
            throw new UnusualCellException();
        }
        if (length <= Long.BYTES) {
            return upToEight(bytes, offset, length);
        }
        int first = length & 7;
        long value = first == 0 ? 0 : upToEight(bytes, offset, first);
        for (int at = offset + first; at < offset + length; at += Long.BYTES) {
            value = value * HUNDRED_MILLION + upToEight(bytes, at, Long.BYTES);
        }
        return value;
    }

    // Byte by byte in parallel: the first digit is the lowest byte, and what comes after the last one is shifted out.
    private static long upToEight(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        int unused = Long.SIZE - Byte.SIZE * length;
        long digits = ((long) LONG.get(bytes, offset) << unused) - (EIGHT_ZEROS << unused);
        if (((digits | digits + 0x0606_0606_0606_0606L) & 0xF0F0_F0F0_F0F0_F0F0L) != 0) {
            throw new UnusualCellException();
        }
        long pairs = digits * 10 + (digits >>> 8);
        return ((pairs & 0x0000_00FF_0000_00FFL) * 0x000F_4240_0000_0064L + (pairs >>> 16 & 0x0000_00FF_0000_00FFL) * 0x0000_2710_0000_0001L) >>> 32;
    }

    static int two(byte[] bytes, int offset)
            throws UnusualCellException
    {
        int tens = bytes[offset] - '0';
        int ones = bytes[offset + 1] - '0';
        if ((tens | ones | 9 - tens | 9 - ones) < 0) {
            throw new UnusualCellException();
        }
        return 10 * tens + ones;
    }
}
