package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.List;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.lang.Double.doubleToRawLongBits;
import static java.lang.Double.longBitsToDouble;

/** Holds the greatest values if the sign is 1, the least if it is -1. */
final class GroupExtremes
        implements GroupFunction
{
    private final Type type;
    private final int sign;
    private final boolean wide;
    private long[] counts = {};
    private long[] highs = {};
    private long[] lows = {};

    GroupExtremes(Type type, int sign)
    {
        this.type = type;
        this.sign = sign;
        this.wide = type.getJavaType() == Int128.class;
    }

    @Override
    public List<Type> partialTypes()
    {
        return List.of(type);
    }

    @Override
    public void addRows(@Nullable Block values, int[] groups, int count)
    {
        counts = GroupFunction.grown(counts, count);
        highs = GroupFunction.grown(highs, count);
        lows = GroupFunction.grown(lows, count);
        for (int row = 0; row < groups.length; row++) {
            if (!values.isNull(row)) {
                add(groups[row], values, row);
            }
        }
    }

    private void add(int group, Block values, int row)
    {
        long high;
        long low;
        if (wide) {
            Int128 value = (Int128) type.getObject(values, row);
            high = value.getHigh();
            low = value.getLow();
        }
        else {
            low = number(values, row);
            high = low >> 63;
        }
        if (counts[group]++ == 0 || sign * compare(high, low, highs[group], lows[group]) > 0) {
            highs[group] = high;
            lows[group] = low;
        }
    }

    // Returns a number that compares as the value does. Trino may give either zero of floating numbers; here -0.0 is less, as in the extension.
    private long number(Block values, int row)
    {
        return switch (type) {
            case BooleanType truth -> truth.getBoolean(values, row) ? 1 : 0;
            case DoubleType floating -> ordered(doubleToRawLongBits(floating.getDouble(values, row)));
            case RealType floating -> ordered((int) floating.getLong(values, row));
            default -> type.getLong(values, row);
        };
    }

    private static long ordered(long bits)
    {
        return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }

    private static int ordered(int bits)
    {
        return bits < 0 ? bits ^ Integer.MAX_VALUE : bits;
    }

    private static int compare(long high, long low, long otherHigh, long otherLow)
    {
        return high != otherHigh ? Long.compare(high, otherHigh) : Long.compareUnsigned(low, otherLow);
    }

    @Override
    public void addPartials(Page partials, int channel, int[] groups, int count)
    {
        addRows(partials.getBlock(channel), groups, count);
    }

    @Override
    public void writePartials(int group, List<BlockBuilder> output)
    {
        write(group, output.getFirst());
    }

    @Override
    public void write(int group, BlockBuilder output)
    {
        if (group >= counts.length || counts[group] == 0) {
            output.appendNull();
        }
        else if (wide) {
            type.writeObject(output, Int128.valueOf(highs[group], lows[group]));
        }
        else {
            write(lows[group], output);
        }
    }

    private void write(long number, BlockBuilder output)
    {
        switch (type) {
            case BooleanType truth -> truth.writeBoolean(output, number != 0);
            case DoubleType floating -> floating.writeDouble(output, longBitsToDouble(ordered(number)));
            case RealType floating -> floating.writeLong(output, ordered((int) number));
            default -> type.writeLong(output, number);
        }
    }

    @Override
    public long retainedBytes()
    {
        return sizeOf(counts) + sizeOf(highs) + sizeOf(lows);
    }
}
