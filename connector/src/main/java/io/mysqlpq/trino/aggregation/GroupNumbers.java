package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import io.airlift.slice.XxHash64;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.trino.spi.StandardErrorCode.EXCEEDED_LOCAL_MEMORY_LIMIT;
import static java.lang.Double.doubleToRawLongBits;
import static java.lang.Double.longBitsToDouble;
import static java.lang.Float.floatToRawIntBits;
import static java.lang.Math.toIntExact;

/**
 * Numbers the groups that rows are of, in the order in which they come.
 *
 * <p>It keeps the values of all groups one behind the other, as bytes, and finds a group by a hash of them. Only equal values have equal bytes:
 * integers, decimals, dates, times, truth values and texts. Both zeros of a floating number are equal. A group has the one that came first, as
 * Trino's groups have.
 */
final class GroupNumbers
{
    private static final int FIRST_SLOTS = 64;
    private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;
    private static final long NEGATIVE_ZERO = doubleToRawLongBits(-0.0);
    private static final int NEGATIVE_REAL_ZERO = floatToRawIntBits(-0.0f);

    private final List<Type> types;
    // The values of all groups, then those of the row that is looked for.
    private byte[] values = new byte[64];
    private int valuesEnd;
    private int[] ends = new int[16];
    private long[] hashes = new long[16];
    private int count;
    // The places, among the values of all groups, of those that are -0.0.
    private final BitSet negativeZeros = new BitSet();
    // Numbers of groups, each with 1 added; a power of two of them.
    private int[] slots = new int[FIRST_SLOTS];

    GroupNumbers(List<Type> types)
    {
        this.types = ImmutableList.copyOf(types);
    }

    int count()
    {
        return count;
    }

    /** @param rows with the values that groups are of in the first channels */
    int[] number(Page rows)
    {
        int[] numbers = new int[rows.getPositionCount()];
        for (int row = 0; row < numbers.length; row++) {
            int end = write(rows, row);
            int last = row == 0 ? -1 : numbers[row - 1];
            int known = count;
            numbers[row] = last >= 0 && isOf(last, end) ? last : find(end);
            if (count > known) {
                keepNegativeZeros(rows, row);
            }
        }
        return numbers;
    }

    private void keepNegativeZeros(Page rows, int row)
    {
        for (int channel = 0; channel < types.size(); channel++) {
            Block block = rows.getBlock(channel);
            boolean isNegativeZero = !block.isNull(row) && switch (types.get(channel)) {
                case DoubleType type -> doubleToRawLongBits(type.getDouble(block, row)) == NEGATIVE_ZERO;
                case RealType type -> (int) type.getLong(block, row) == NEGATIVE_REAL_ZERO;
                default -> false;
            };
            if (isNegativeZero) {
                negativeZeros.set(toIntExact((count - 1L) * types.size() + channel));
            }
        }
    }

    private boolean isNegativeZero(int group, int channel)
    {
        return !negativeZeros.isEmpty() && negativeZeros.get(toIntExact((long) group * types.size() + channel));
    }

    private int find(int end)
    {
        long hash = XxHash64.hash(Slices.wrappedBuffer(values, valuesEnd, end - valuesEnd));
        int slot = (int) hash & (slots.length - 1);
        while (slots[slot] != 0) {
            int group = slots[slot] - 1;
            if (hashes[group] == hash && isOf(group, end)) {
                return group;
            }
            slot = (slot + 1) & (slots.length - 1);
        }
        return add(hash, end);
    }

    private boolean isOf(int group, int end)
    {
        int begin = begin(group);
        return Arrays.equals(values, begin, ends[group], values, valuesEnd, end);
    }

    private int begin(int group)
    {
        return group == 0 ? 0 : ends[group - 1];
    }

    private int add(long hash, int end)
    {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
            hashes = Arrays.copyOf(hashes, 2 * count);
        }
        ends[count] = end;
        hashes[count] = hash;
        valuesEnd = end;
        count++;
        if (2 * count > slots.length) {
            slots = new int[2 * slots.length];
            for (int group = 0; group < count - 1; group++) {
                place(group);
            }
        }
        place(count - 1);
        return count - 1;
    }

    private void place(int group)
    {
        int slot = (int) hashes[group] & (slots.length - 1);
        while (slots[slot] != 0) {
            slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = group + 1;
    }

    // Returns where the row's values end.
    private int write(Page rows, int row)
    {
        int at = valuesEnd;
        for (int channel = 0; channel < types.size(); channel++) {
            Type type = types.get(channel);
            Block block = rows.getBlock(channel);
            if (block.isNull(row)) {
                reserve(at + 1);
                values[at++] = 0;
                continue;
            }
            Slice slice = type.getJavaType() == Slice.class ? type.getSlice(block, row) : null;
            reserve(at + 1L + Integer.BYTES + (slice == null ? 2 * Long.BYTES : slice.length()));
            values[at++] = 1;
            at = slice == null ? write(type, block, row, at) : write(slice, at);
        }
        return at;
    }

    private int write(Type type, Block block, int row, int at)
    {
        if (type.getJavaType() == boolean.class) {
            values[at] = (byte) (type.getBoolean(block, row) ? 1 : 0);
            return at + 1;
        }
        Slice to = Slices.wrappedBuffer(values);
        if (type instanceof DoubleType floating) {
            long bits = doubleToRawLongBits(floating.getDouble(block, row));
            to.setLong(at, bits == NEGATIVE_ZERO ? 0 : bits);
            return at + Long.BYTES;
        }
        if (type.getJavaType() == long.class) {
            long value = type.getLong(block, row);
            to.setLong(at, type instanceof RealType && (int) value == NEGATIVE_REAL_ZERO ? 0 : value);
            return at + Long.BYTES;
        }
        Int128 value = (Int128) type.getObject(block, row);
        to.setLong(at, value.getHigh());
        to.setLong(at + Long.BYTES, value.getLow());
        return at + 2 * Long.BYTES;
    }

    private int write(Slice slice, int at)
    {
        Slices.wrappedBuffer(values).setInt(at, slice.length());
        slice.getBytes(0, values, at + Integer.BYTES, slice.length());
        return at + Integer.BYTES + slice.length();
    }

    private void reserve(long end)
    {
        if (end > LONGEST_ARRAY) {
            throw new TrinoException(EXCEEDED_LOCAL_MEMORY_LIMIT, "The groups of an aggregation take more than 2 GB. Set native_aggregation_enabled to false, so that Trino aggregates");
        }
        if (end > values.length) {
            values = Arrays.copyOf(values, (int) Math.min(Math.max(end, 2L * values.length), LONGEST_ARRAY));
        }
    }

    /** Appends the values of a group, each to one of the builders. */
    void write(int group, List<BlockBuilder> output)
    {
        Slice from = Slices.wrappedBuffer(values);
        int at = begin(group);
        for (int channel = 0; channel < types.size(); channel++) {
            Type type = types.get(channel);
            if (values[at++] == 0) {
                output.get(channel).appendNull();
            }
            else if (type.getJavaType() == Slice.class) {
                int length = from.getInt(at);
                type.writeSlice(output.get(channel), from.slice(at + Integer.BYTES, length));
                at += Integer.BYTES + length;
            }
            else if (type.getJavaType() == boolean.class) {
                type.writeBoolean(output.get(channel), values[at++] != 0);
            }
            else if (type instanceof DoubleType floating) {
                floating.writeDouble(output.get(channel), isNegativeZero(group, channel) ? -0.0 : longBitsToDouble(from.getLong(at)));
                at += Long.BYTES;
            }
            else if (type.getJavaType() == long.class) {
                type.writeLong(output.get(channel), isNegativeZero(group, channel) ? NEGATIVE_REAL_ZERO : from.getLong(at));
                at += Long.BYTES;
            }
            else {
                type.writeObject(output.get(channel), Int128.valueOf(from.getLong(at), from.getLong(at + Long.BYTES)));
                at += 2 * Long.BYTES;
            }
        }
    }

    long retainedBytes()
    {
        return sizeOf(values) + sizeOf(ends) + sizeOf(hashes) + sizeOf(slots) + negativeZeros.size() / Byte.SIZE;
    }
}
