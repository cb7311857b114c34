package io.mysqlpq.trino.cells;

import io.trino.spi.block.Block;

import static io.mysqlpq.trino.cells.PacketRows.NULL;

/** Decodes integers and BIT(1). */
public final class IntegerCells
{
    private IntegerCells()
    {}

    public static Block bigints(PacketRows cells, int column)
            throws UnusualCellException
    {
        return Blocks.longs(cells.valid(column), longs(cells, column));
    }

    public static Block integers(PacketRows cells, int column)
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
        return Blocks.ints(cells.valid(column), values);
    }

    public static Block smallints(PacketRows cells, int column)
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
        return Blocks.shorts(cells.valid(column), values);
    }

    public static Block tinyints(PacketRows cells, int column)
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
        return Blocks.bytes(cells.valid(column), values);
    }

    private static long[] longs(PacketRows cells, int column)
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

    /** Decodes one byte, as BIT(1) is sent. */
    public static Block booleans(PacketRows cells, int column)
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
        return Blocks.booleans(cells.valid(column), values);
    }
}
