package io.mysqlpq.trino.rows;

import io.trino.spi.block.Block;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Decimals;

import static io.mysqlpq.trino.rows.CellBatch.NULL;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Math.min;
import static java.lang.Math.unsignedMultiplyHigh;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Decodes numbers. */
final class NumberCells
{
    // Beyond them a double, or a power of ten, is not exact, nor is their product.
    private static final long MOST_EXACT_DOUBLE = 1L << 53;
    private static final double[] EXACT_POWERS_OF_TEN = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    private static final int LARGEST_EXPONENT = 400;

    private NumberCells()
    {}

    static Block bigints(CellBatch cells, int column)
            throws UnusualCellException
    {
        return new LongArrayBlock(cells.rows(), cells.valid(column), longs(cells, column));
    }

    static Block integers(CellBatch cells, int column)
            throws UnusualCellException
    {
        int[] values = new int[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                long value = Digits.signed(bytes, offsets[row], lengths[row]);
                values[row] = (int) value;
                if (values[row] != value) {
                    throw new UnusualCellException();
                }
            }
        }
        return new IntArrayBlock(values.length, cells.valid(column), values);
    }

    static Block smallints(CellBatch cells, int column)
            throws UnusualCellException
    {
        long[] longs = longs(cells, column);
        short[] values = new short[longs.length];
        for (int row = 0; row < longs.length; row++) {
            values[row] = (short) longs[row];
            if (values[row] != longs[row]) {
                throw new UnusualCellException();
            }
        }
        return new ShortArrayBlock(values.length, cells.valid(column), values);
    }

    static Block tinyints(CellBatch cells, int column)
            throws UnusualCellException
    {
        long[] longs = longs(cells, column);
        byte[] values = new byte[longs.length];
        for (int row = 0; row < longs.length; row++) {
            values[row] = (byte) longs[row];
            if (values[row] != longs[row]) {
                throw new UnusualCellException();
            }
        }
        return new ByteArrayBlock(values.length, cells.valid(column), values);
    }

    private static long[] longs(CellBatch cells, int column)
            throws UnusualCellException
    {
        long[] values = new long[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                values[row] = Digits.signed(bytes, offsets[row], lengths[row]);
            }
        }
        return values;
    }

    /** Of one byte, as BIT(1) is sent. */
    static Block booleans(CellBatch cells, int column)
            throws UnusualCellException
    {
        byte[] values = new byte[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                if (lengths[row] != 1) {
                    throw new UnusualCellException();
                }
                values[row] = bytes[offsets[row]] == 0 ? (byte) 0 : 1;
            }
        }
        return new ByteArrayBlock(values.length, cells.valid(column), values);
    }

    static CellDecoder decimals(DecimalType type)
    {
        int scale = type.getScale();
        return type.isShort() ? (cells, column) -> shortDecimals(cells, column, scale) : (cells, column) -> longDecimals(cells, column, scale);
    }

    private static Block shortDecimals(CellBatch cells, int column, int scale)
            throws UnusualCellException
    {
        long[] values = new long[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                boolean negative = bytes[offsets[row]] == '-';
                int offset = negative ? offsets[row] + 1 : offsets[row];
                long magnitude = unscaled(bytes, offset, offsets[row] + lengths[row] - offset, scale);
                values[row] = negative ? -magnitude : magnitude;
            }
        }
        return new LongArrayBlock(values.length, cells.valid(column), values);
    }

    private static long unscaled(byte[] bytes, int offset, int length, int scale)
            throws UnusualCellException
    {
        if (scale == 0) {
            return Digits.unsigned(bytes, offset, requireAtMost(length, Digits.MOST));
        }
        int point = pointOf(bytes, offset, length, scale);
        // There is a zero before the point at least.
        boolean zero = point == 1 && bytes[offset] == '0';
        long whole = zero ? 0 : Digits.unsigned(bytes, offset, requireAtMost(point, Digits.MOST - scale));
        return whole * Digits.powerOfTen(scale) + Digits.unsigned(bytes, offset + point + 1, scale);
    }

    private static int pointOf(byte[] bytes, int offset, int length, int scale)
            throws UnusualCellException
    {
        int point = length - scale - 1;
        if (point < 1 || bytes[offset + point] != '.') {
            throw new UnusualCellException();
        }
        return point;
    }

    private static int requireAtMost(int digits, int most)
            throws UnusualCellException
    {
        if (digits > most) {
            throw new UnusualCellException();
        }
        return digits;
    }

    private static Block longDecimals(CellBatch cells, int column, int scale)
            throws UnusualCellException
    {
        int rows = cells.rows();
        long[] values = new long[2 * rows];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < rows; row++) {
            if (lengths[row] != NULL) {
                boolean negative = bytes[offsets[row]] == '-';
                int offset = negative ? offsets[row] + 1 : offsets[row];
                int length = offsets[row] + lengths[row] - offset;
                int whole = scale == 0 ? length : pointOf(bytes, offset, length, scale);
                int digits = whole + scale;
                // There is a zero before the point at least.
                requireAtMost(bytes[offset] == '0' ? digits - 1 : digits, Decimals.MAX_PRECISION);
                addDigits(values, row, bytes, offset, whole);
                if (scale > 0) {
                    addDigits(values, row, bytes, offset + whole + 1, scale);
                }
                if (negative) {
                    negate(values, row);
                }
            }
        }
        return new Int128ArrayBlock(rows, cells.valid(column), values);
    }

    // The high half comes first.
    private static void addDigits(long[] values, int row, byte[] bytes, int offset, int length)
            throws UnusualCellException
    {
        if (length == 0) {
            throw new UnusualCellException();
        }
        for (int at = 0; at < length; at += Digits.MOST) {
            int digits = min(length - at, Digits.MOST);
            long factor = Digits.powerOfTen(digits);
            long high = values[2 * row] * factor + unsignedMultiplyHigh(values[2 * row + 1], factor);
            long low = values[2 * row + 1] * factor;
            long sum = low + Digits.unsigned(bytes, offset + at, digits);
            values[2 * row] = Long.compareUnsigned(sum, low) < 0 ? high + 1 : high;
            values[2 * row + 1] = sum;
        }
    }

    private static void negate(long[] values, int row)
    {
        values[2 * row + 1] = -values[2 * row + 1];
        values[2 * row] = values[2 * row + 1] == 0 ? -values[2 * row] : ~values[2 * row];
    }

    static Block doubles(CellBatch cells, int column)
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
        return new LongArrayBlock(values.length, cells.valid(column), values);
    }

    static Block reals(CellBatch cells, int column)
            throws UnusualCellException
    {
        int[] values = new int[cells.rows()];
        byte[] bytes = cells.buffer();
        int[] offsets = cells.offsets(column);
        int[] lengths = cells.lengths(column);
        for (int row = 0; row < values.length; row++) {
            if (lengths[row] != NULL) {
                // As the driver does.
                values[row] = floatToRawIntBits((float) parseDouble(bytes, offsets[row], lengths[row]));
            }
        }
        return new IntArrayBlock(values.length, cells.valid(column), values);
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

    // Too large a one if it is none.
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
