package io.mysqlpq.trino.cells;

import io.trino.spi.block.Block;

import static io.mysqlpq.trino.cells.PacketRows.NULL;
import static java.lang.Float.floatToRawIntBits;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Decodes FLOAT and DOUBLE. */
public final class FloatCells
{
    // Beyond them a double, or a power of ten, is not exact, nor is their product.
    private static final long MOST_EXACT_DOUBLE = 1L << 53;
    private static final double[] EXACT_POWERS_OF_TEN = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    private static final int LARGEST_EXPONENT = 400;

    private FloatCells()
    {}

    public static Block doubles(PacketRows cells, int column)
            throws UnusualCellException
    {
        long[] values = new long[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                values[row] = Double.doubleToLongBits(parseDouble(bytes, offsets[row], lengths[row]));
            }
        }
        return Blocks.longs(cells.valid(column), values);
    }

    public static Block reals(PacketRows cells, int column)
            throws UnusualCellException
    {
        int[] values = new int[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                // The driver rounds in the same way.
                values[row] = floatToRawIntBits((float) parseDouble(bytes, offsets[row], lengths[row]));
            }
        }
        return Blocks.ints(cells.valid(column), values);
    }

    // Short ones are exact as a quotient or product of two doubles (Clinger 1990).
    private static double parseDouble(byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        int end = offset + length;
        int at = bytes[offset] == '-' ? offset + 1 : offset;
        long mantissa = 0;
        int exponent = 0;
        int digits = 0;
        boolean fraction = false;
        for (; at < end; at++) {
            int digit = bytes[at] - '0';
            if (digit >= 0 && digit <= 9) {
                mantissa = 10 * mantissa + digit;
                digits++;
                exponent = fraction ? exponent - 1 : exponent;
            }
            else if (bytes[at] == '.' && !fraction) {
                fraction = true;
            }
            else {
                break;
            }
        }
        if (at < end) {
            exponent += exponent(bytes, at, end);
        }
        if (digits == 0 || digits > Digits.MOST || mantissa > MOST_EXACT_DOUBLE || Math.abs(exponent) >= EXACT_POWERS_OF_TEN.length) {
            return parseLongDouble(new String(bytes, offset, length, ISO_8859_1));
        }
        double magnitude = exponent < 0 ? mantissa / EXACT_POWERS_OF_TEN[-exponent] : mantissa * EXACT_POWERS_OF_TEN[exponent];
        return bytes[offset] == '-' ? -magnitude : magnitude;
    }

    private static double parseLongDouble(String text)
            throws UnusualCellException
    {
        try {
            return Double.parseDouble(text);
        }
        catch (NumberFormatException _) {
            throw new UnusualCellException();
        }
    }

    // Returns too large an exponent if the text has none.
    private static int exponent(byte[] bytes, int offset, int end)
    {
        int sign = offset + 1 < end && bytes[offset + 1] == '-' ? -1 : 1;
        int at = offset + 1 < end && (bytes[offset + 1] == '-' || bytes[offset + 1] == '+') ? offset + 2 : offset + 1;
        if (bytes[offset] != 'e' || at >= end) {
            return 2 * LARGEST_EXPONENT;
        }
        int exponent = 0;
        for (; at < end; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9 || exponent > LARGEST_EXPONENT) {
                return 2 * LARGEST_EXPONENT;
            }
            exponent = 10 * exponent + digit;
        }
        return sign * exponent;
    }
}
