package io.mysqlpq.trino.aggregation;

import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

import java.util.BitSet;

import static io.airlift.slice.SizeOf.sizeOf;
import static java.lang.Double.doubleToRawLongBits;
import static java.lang.Double.longBitsToDouble;

/** Keeps numbers, dates, times and truth values, each as an integer of 64 or 128 bits that compares as the value does. */
final class GroupFixedValues
        implements GroupValues
{
    private final Type type;
    private final boolean wide;
    private final BitSet kept = new BitSet();
    private long[] highs = {};
    private long[] lows = {};

    GroupFixedValues(Type type)
    {
        this.type = type;
        this.wide = type.getJavaType() == Int128.class;
    }

    @Override
    public void grow(int count)
    {
        lows = GroupFunction.grown(lows, count);
        if (wide) {
            highs = GroupFunction.grown(highs, count);
        }
    }

    @Override
    public boolean isKept(int group)
    {
        return kept.get(group);
    }

    @Override
    public int compare(Block values, int row, int group)
    {
        if (!wide) {
            return Long.compare(number(values, row), lows[group]);
        }
        Int128 value = (Int128) type.getObject(values, row);
        return value.getHigh() == highs[group] ? Long.compareUnsigned(value.getLow(), lows[group]) : Long.compare(value.getHigh(), highs[group]);
    }

    @Override
    public void keep(Block values, int row, int group)
    {
        kept.set(group, !values.isNull(row));
        if (values.isNull(row)) {
            return;
        }
        if (wide) {
            Int128 value = (Int128) type.getObject(values, row);
            highs[group] = value.getHigh();
            lows[group] = value.getLow();
        }
        else {
            lows[group] = number(values, row);
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

    @Override
    public void write(int group, BlockBuilder output)
    {
        if (!isKept(group)) {
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
        return sizeOf(highs) + sizeOf(lows) + kept.size() / Byte.SIZE;
    }
}
