package io.mysqlpq.trino.cells;

import io.airlift.slice.Slice;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.block.ByteArrayBlock;
import io.trino.spi.block.Fixed12Block;
import io.trino.spi.block.Int128ArrayBlock;
import io.trino.spi.block.IntArrayBlock;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.block.ShortArrayBlock;
import io.trino.spi.block.ValueBlock;
import io.trino.spi.block.VariableWidthBlock;

import java.util.Optional;

import static io.trino.spi.block.Fixed12Block.encodeFixed12;
import static io.trino.spi.type.BooleanType.BOOLEAN;
import static io.trino.spi.type.DateTimeEncoding.packDateTimeWithZone;
import static io.trino.spi.type.TimeZoneKey.UTC_KEY;
import static java.lang.Math.floorDiv;
import static java.lang.Math.floorMod;

/**
 * Makes blocks of arrays, and reads them. No other class names the kinds of blocks that Trino's types have, since releases of Trino exchange them.
 *
 * <p>{@code valid} has a bit for each row, from the lowest bit of the first long on. It is set if the row is not NULL. It is empty if no row is NULL.
 */
public final class Blocks
{
    // Trino 484 packs booleans into bits. The compiler takes this for a constant, and drops the other branch.
    private static final boolean BOOLEANS_ARE_BYTES = BOOLEAN.getValueBlockType() == ByteArrayBlock.class;
    private static final int PICOSECONDS_PER_MICROSECOND = 1_000_000;

    static final int INTS_PER_INSTANT = 3;

    private Blocks()
    {}

    /** @param values 0 or 1 */
    public static Block booleans(Optional<long[]> valid, byte[] values)
    {
        return BOOLEANS_ARE_BYTES ? bytes(valid, values) : builtBooleans(valid, values);
    }

    // Works with each kind of block, and takes longer.
    static Block builtBooleans(Optional<long[]> valid, byte[] values)
    {
        BlockBuilder block = BOOLEAN.createFixedSizeBlockBuilder(values.length);
        for (int row = 0; row < values.length; row++) {
            if (isValid(valid, row)) {
                BOOLEAN.writeBoolean(block, values[row] != 0);
            }
            else {
                block.appendNull();
            }
        }
        return block.buildValueBlock();
    }

    static boolean isValid(Optional<long[]> valid, int row)
    {
        return valid.isEmpty() || (valid.get()[row / Long.SIZE] >> row & 1) == 1;
    }

    public static Block bytes(Optional<long[]> valid, byte[] values)
    {
        return new ByteArrayBlock(values.length, valid, values);
    }

    public static Block shorts(Optional<long[]> valid, short[] values)
    {
        return new ShortArrayBlock(values.length, valid, values);
    }

    /** Makes a block of integers, dates or floats. */
    public static Block ints(Optional<long[]> valid, int[] values)
    {
        return new IntArrayBlock(values.length, valid, values);
    }

    /** Makes a block of integers, doubles, short decimals, times or short timestamps. */
    public static Block longs(Optional<long[]> valid, long[] values)
    {
        return new LongArrayBlock(values.length, valid, values);
    }

    /**
     * Makes a block of long decimals.
     *
     * @param values two for each row, the high half first
     */
    public static Block int128s(Optional<long[]> valid, long[] values)
    {
        return new Int128ArrayBlock(values.length / 2, valid, values);
    }

    /**
     * Makes a block of instants with four digits or more.
     *
     * @param values {@value #INTS_PER_INSTANT} for each row, written by {@link #writeInstant}
     */
    static Block longInstants(Optional<long[]> valid, int[] values)
    {
        return new Fixed12Block(values.length / INTS_PER_INSTANT, valid, values);
    }

    static void writeInstant(long micros, int[] values, int row)
    {
        encodeFixed12(packDateTimeWithZone(floorDiv(micros, 1_000L), UTC_KEY), (int) floorMod(micros, 1_000L) * PICOSECONDS_PER_MICROSECOND, values, row);
    }

    /** @param ends 0, and then where each row's value ends in {@code data}. It begins where the one before ends. */
    public static Block binaries(Optional<long[]> valid, int[] ends, Slice data)
    {
        return new VariableWidthBlock(ends.length - 1, data, ends, valid);
    }

    /**
     * Reads integers, dates, short decimals, short timestamps, and truth values as 0 and 1.
     *
     * @param positions where each row's value is; empty if values are in the order of rows
     */
    public static void readLongs(ValueBlock block, Optional<int[]> positions, int rows, long[] values)
    {
        if (positions.isEmpty() && block instanceof LongArrayBlock longs) {
            System.arraycopy(longs.getRawValues(), longs.getRawValuesOffset(), values, 0, rows);
            return;
        }
        int[] chosen = positions.orElse(null);
        switch (block) {
            case LongArrayBlock longs -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = longs.getLong(chosen == null ? row : chosen[row]);
                }
            }
            case IntArrayBlock ints -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = ints.getInt(chosen == null ? row : chosen[row]);
                }
            }
            case ShortArrayBlock shorts -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = shorts.getShort(chosen == null ? row : chosen[row]);
                }
            }
            case ByteArrayBlock bytes -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = bytes.getByte(chosen == null ? row : chosen[row]);
                }
            }
            default -> {
                for (int row = 0; row < rows; row++) {
                    values[row] = BOOLEAN.getBoolean(block, chosen == null ? row : chosen[row]) ? 1 : 0;
                }
            }
        }
    }

    /** Reads long decimals. */
    public static void readInt128s(ValueBlock block, Optional<int[]> positions, int rows, long[] high, long[] low)
    {
        Int128ArrayBlock values = (Int128ArrayBlock) block;
        int[] chosen = positions.orElse(null);
        for (int row = 0; row < rows; row++) {
            int position = chosen == null ? row : chosen[row];
            high[row] = values.getInt128High(position);
            low[row] = values.getInt128Low(position);
        }
    }

    /**
     * Finds text without copying it.
     *
     * @return what the values are in, from {@code starts} to {@code ends}
     */
    public static Slice readBinaries(ValueBlock block, Optional<int[]> positions, int rows, int[] starts, int[] ends)
    {
        VariableWidthBlock values = (VariableWidthBlock) block;
        int[] chosen = positions.orElse(null);
        for (int row = 0; row < rows; row++) {
            int position = chosen == null ? row : chosen[row];
            starts[row] = values.getRawSliceOffset(position);
            ends[row] = starts[row] + values.getSliceLength(position);
        }
        return values.getRawSlice();
    }
}
