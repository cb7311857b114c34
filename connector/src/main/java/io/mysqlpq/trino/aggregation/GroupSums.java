package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.trino.spi.type.BigintType.BIGINT;

/** Adds values without loss, in 192 bits. Only the final sum must fit the type. */
final class GroupSums
        implements GroupFunction
{
    private final Type argument;
    private final Type result;
    private final boolean wide;
    private long[] counts = {};
    private long[] highs = {};
    private long[] middles = {};
    private long[] lows = {};

    GroupSums(Type argument, Type result)
    {
        this.argument = argument;
        this.result = result;
        this.wide = argument.getJavaType() == Int128.class;
    }

    @Override
    public List<Type> partialTypes()
    {
        return wide ? List.of(PartialSums.TYPE, PartialSums.TYPE) : List.of(PartialSums.TYPE);
    }

    @Override
    public void addRows(List<Block> arguments, int[] groups, int count)
    {
        Block values = arguments.getFirst();
        grow(count);
        for (int row = 0; row < groups.length; row++) {
            if (values.isNull(row)) {
                continue;
            }
            counts[groups[row]]++;
            if (wide) {
                Int128 value = (Int128) argument.getObject(values, row);
                add(groups[row], value.getHigh() >> 63, value.getHigh(), value.getLow());
            }
            else {
                long value = argument.getLong(values, row);
                add(groups[row], value >> 63, value >> 63, value);
            }
        }
    }

    @Override
    public void addPartials(Page partials, int channel, int[] groups, int count)
    {
        grow(count);
        Block block = partials.getBlock(channel);
        Block lowerBlock = wide ? partials.getBlock(channel + 1) : null;
        for (int row = 0; row < groups.length; row++) {
            if (block.isNull(row)) {
                continue;
            }
            counts[groups[row]]++;
            Int128 sum = (Int128) PartialSums.TYPE.getObject(block, row);
            if (wide) {
                add(groups[row], sum.getHigh(), sum.getLow(), 0);
                Int128 lower = (Int128) PartialSums.TYPE.getObject(lowerBlock, row);
                add(groups[row], lower.getHigh() >> 63, lower.getHigh(), lower.getLow());
            }
            else {
                add(groups[row], sum.getHigh() >> 63, sum.getHigh(), sum.getLow());
            }
        }
    }

    private void grow(int count)
    {
        counts = GroupFunction.grown(counts, count);
        highs = GroupFunction.grown(highs, count);
        middles = GroupFunction.grown(middles, count);
        lows = GroupFunction.grown(lows, count);
    }

    private void add(int group, long high, long middle, long low)
    {
        long lowSum = lows[group] + low;
        long carry = Long.compareUnsigned(lowSum, low) < 0 ? 1 : 0;
        long middleSum = middles[group] + middle;
        long carried = Long.compareUnsigned(middleSum, middle) < 0 ? 1 : 0;
        long middleWithCarry = middleSum + carry;
        carried += carry != 0 && middleWithCarry == 0 ? 1 : 0;
        lows[group] = lowSum;
        middles[group] = middleWithCarry;
        highs[group] += high + carried;
    }

    @Override
    public void writePartials(int group, List<BlockBuilder> output)
    {
        if (!hasValue(group)) {
            output.forEach(BlockBuilder::appendNull);
        }
        else if (wide) {
            PartialSums.TYPE.writeObject(output.getFirst(), Int128.valueOf(highs[group], middles[group]));
            PartialSums.TYPE.writeObject(output.get(1), Int128.valueOf(0, lows[group]));
        }
        else {
            PartialSums.TYPE.writeObject(output.getFirst(), Int128.valueOf(middles[group], lows[group]));
        }
    }

    @Override
    public void write(int group, BlockBuilder output)
    {
        if (!hasValue(group)) {
            output.appendNull();
        }
        else if (result instanceof BigintType) {
            BIGINT.writeLong(output, ExactDecimals.toLong(exact(group)));
        }
        else {
            DecimalType type = (DecimalType) result;
            ExactDecimals.write(type, output, new BigDecimal(exact(group), type.getScale()));
        }
    }

    boolean hasValue(int group)
    {
        return group < counts.length && counts[group] > 0;
    }

    BigInteger exact(int group)
    {
        return BigInteger.valueOf(highs[group]).shiftLeft(Long.SIZE)
                .add(unsigned(middles[group])).shiftLeft(Long.SIZE)
                .add(unsigned(lows[group]));
    }

    private static BigInteger unsigned(long value)
    {
        return new BigInteger(Long.toUnsignedString(value));
    }

    @Override
    public long retainedBytes()
    {
        return sizeOf(counts) + sizeOf(highs) + sizeOf(middles) + sizeOf(lows);
    }
}
