package io.mysqlpq.trino.cells;

import io.trino.spi.block.Block;
import io.trino.spi.type.DecimalType;

import static io.mysqlpq.trino.cells.PacketRows.NULL;
import static java.lang.Math.min;
import static java.lang.Math.unsignedMultiplyHigh;

/** Decodes decimals. */
public final class DecimalCells
{
    private DecimalCells()
    {}

    public static PacketDecoder decoder(DecimalType type)
    {
        int scale = type.getScale();
        int precision = type.getPrecision();
        return type.isShort() ? (cells, column) -> shortDecimals(cells, column, precision, scale) : (cells, column) -> longDecimals(cells, column, precision, scale);
    }

    private static Block shortDecimals(PacketRows cells, int column, int precision, int scale)
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
                long magnitude = unscaled(bytes, offset, offsets[row] + lengths[row] - offset, precision, scale);
                values[row] = negative ? -magnitude : magnitude;
            }
        }
        return Blocks.longs(cells.valid(column), values);
    }

    private static long unscaled(byte[] bytes, int offset, int length, int precision, int scale)
            throws UnusualCellException
    {
        if (scale == 0) {
            return Digits.unsigned(bytes, offset, requireAtMost(length, precision));
        }
        int point = pointOf(bytes, offset, length, scale);
        // There is a zero before the point at least.
        boolean zero = point == 1 && bytes[offset] == '0';
        long whole = zero ? 0 : Digits.unsigned(bytes, offset, requireAtMost(point, precision - scale));
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

    private static Block longDecimals(PacketRows cells, int column, int precision, int scale)
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
                requireAtMost(bytes[offset] == '0' ? digits - 1 : digits, precision);
                addDigits(values, row, bytes, offset, whole);
                if (scale > 0) {
                    addDigits(values, row, bytes, offset + whole + 1, scale);
                }
                if (negative) {
                    negate(values, row);
                }
            }
        }
        return Blocks.int128s(cells.valid(column), values);
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
}
