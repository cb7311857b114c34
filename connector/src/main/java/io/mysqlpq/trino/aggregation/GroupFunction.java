package io.mysqlpq.trino.aggregation;

import io.airlift.slice.Slice;
import io.mysqlpq.trino.aggregation.NativeAggregation.Aggregate;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.BooleanType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.DoubleType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.RealType;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static java.lang.Double.doubleToRawLongBits;
import static java.lang.Double.longBitsToDouble;

/**
 * Computes an aggregate function of many groups, which are numbered: of rows, and of what ranges give of their rows.
 *
 * <p>What a range gives is the same from the extension and from here. A count is one BIGINT. A sum is one integer of 128 bits; of values of
 * 128 bits it is two, of which the first counts for 2^64. A sum of floating numbers is one. An average is a sum and a count.
 */
sealed interface GroupFunction
{
    /** Returns the types of what a range gives for it. */
    List<Type> partialTypes();

    /**
     * Adds rows.
     *
     * @param values null if there is no argument
     * @param groups the group of each row
     * @param count of all groups so far
     */
    void addRows(@Nullable Block values, int[] groups, int count);

    /**
     * Adds what a range gave of its rows.
     *
     * @param channel the first of its columns
     */
    void addPartials(Page partials, int channel, int[] groups, int count);

    /** Appends what is known of a group, as a range gives it. */
    void writePartials(int group, List<BlockBuilder> output);

    /** Appends the value of a group. */
    void write(int group, BlockBuilder output);

    long retainedBytes();

    static GroupFunction of(Aggregate aggregate)
    {
        Type result = aggregate.column().getColumnType();
        return switch (aggregate.function()) {
            case COUNT -> new Count();
            case MIN -> extreme(result, -1);
            case MAX -> extreme(result, 1);
            case SUM -> isFloating(aggregate) ? new FloatingSum() : new Sum(argument(aggregate), result);
            case AVERAGE -> isFloating(aggregate) ? new FloatingAverage() : new Average(argument(aggregate), result);
        };
    }

    private static Type argument(Aggregate aggregate)
    {
        return aggregate.argument().orElseThrow().column().getColumnType();
    }

    private static boolean isFloating(Aggregate aggregate)
    {
        return argument(aggregate) instanceof DoubleType;
    }

    private static GroupFunction extreme(Type type, int sign)
    {
        return type.getJavaType() == Slice.class ? new ExtremeText(type, sign) : new Extreme(type, sign);
    }

    static long[] grown(long[] values, int count)
    {
        return count <= values.length ? values : Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }

    final class Count
            implements GroupFunction
    {
        private long[] counts = {};

        @Override
        public List<Type> partialTypes()
        {
            return List.of(BIGINT);
        }

        @Override
        public void addRows(@Nullable Block values, int[] groups, int count)
        {
            counts = grown(counts, count);
            boolean nulls = values != null && values.mayHaveNull();
            for (int row = 0; row < groups.length; row++) {
                if (!nulls || !values.isNull(row)) {
                    counts[groups[row]]++;
                }
            }
        }

        @Override
        public void addPartials(Page partials, int channel, int[] groups, int count)
        {
            counts = grown(counts, count);
            Block block = partials.getBlock(channel);
            for (int row = 0; row < groups.length; row++) {
                counts[groups[row]] += BIGINT.getLong(block, row);
            }
        }

        @Override
        public void writePartials(int group, List<BlockBuilder> output)
        {
            write(group, output.getFirst());
        }

        @Override
        public void write(int group, BlockBuilder output)
        {
            BIGINT.writeLong(output, get(group));
        }

        long get(int group)
        {
            return group < counts.length ? counts[group] : 0;
        }

        @Override
        public long retainedBytes()
        {
            return sizeOf(counts);
        }
    }

    /** Holds the greatest values if the sign is 1, the least if it is -1. */
    final class Extreme
            implements GroupFunction
    {
        private final Type type;
        private final int sign;
        private final boolean wide;
        private long[] counts = {};
        private long[] highs = {};
        private long[] lows = {};

        Extreme(Type type, int sign)
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
            counts = grown(counts, count);
            highs = grown(highs, count);
            lows = grown(lows, count);
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

        // Numbers that compare as the values do. Of the two zeros of floating numbers Trino takes any. As for the extension, -0.0 is the lesser one.
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

    /** Holds the greatest texts if the sign is 1, the least if it is -1. They compare by their code points, as Trino's VARCHAR does. */
    final class ExtremeText
            implements GroupFunction
    {
        private final Type type;
        private final int sign;
        private Slice[] texts = {};
        private long textBytes;

        ExtremeText(Type type, int sign)
        {
            this.type = type;
            this.sign = sign;
        }

        @Override
        public List<Type> partialTypes()
        {
            return List.of(type);
        }

        @Override
        public void addRows(@Nullable Block values, int[] groups, int count)
        {
            if (count > texts.length) {
                texts = Arrays.copyOf(texts, Math.max(count, 2 * texts.length));
            }
            for (int row = 0; row < groups.length; row++) {
                if (!values.isNull(row)) {
                    add(groups[row], type.getSlice(values, row));
                }
            }
        }

        private void add(int group, Slice text)
        {
            Slice kept = texts[group];
            if (kept == null || sign * text.compareTo(kept) > 0) {
                texts[group] = text.copy();
                textBytes += texts[group].getRetainedSize() - (kept == null ? 0 : kept.getRetainedSize());
            }
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
            if (group >= texts.length || texts[group] == null) {
                output.appendNull();
            }
            else {
                type.writeSlice(output, texts[group]);
            }
        }

        @Override
        public long retainedBytes()
        {
            return sizeOf(texts) + textBytes;
        }
    }

    /** Adds values without loss, in 192 bits. Only the final sum must fit the type. */
    final class Sum
            implements GroupFunction
    {
        private final Type argument;
        private final Type result;
        private final boolean wide;
        private long[] counts = {};
        private long[] highs = {};
        private long[] middles = {};
        private long[] lows = {};

        Sum(Type argument, Type result)
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
        public void addRows(@Nullable Block values, int[] groups, int count)
        {
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
            counts = grown(counts, count);
            highs = grown(highs, count);
            middles = grown(middles, count);
            lows = grown(lows, count);
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

    /** Divides a sum by a count. Rounds a decimal once, half away from zero, as Trino does. */
    final class Average
            implements GroupFunction
    {
        private final Type argument;
        private final Type result;
        private final Sum sum;
        private final Count count = new Count();

        Average(Type argument, Type result)
        {
            this.argument = argument;
            this.result = result;
            this.sum = new Sum(argument, result);
        }

        @Override
        public List<Type> partialTypes()
        {
            return Stream.concat(sum.partialTypes().stream(), count.partialTypes().stream()).toList();
        }

        @Override
        public void addRows(@Nullable Block values, int[] groups, int groupCount)
        {
            sum.addRows(values, groups, groupCount);
            count.addRows(values, groups, groupCount);
        }

        @Override
        public void addPartials(Page partials, int channel, int[] groups, int groupCount)
        {
            sum.addPartials(partials, channel, groups, groupCount);
            count.addPartials(partials, channel + sum.partialTypes().size(), groups, groupCount);
        }

        @Override
        public void writePartials(int group, List<BlockBuilder> output)
        {
            sum.writePartials(group, output.subList(0, output.size() - 1));
            count.writePartials(group, output.subList(output.size() - 1, output.size()));
        }

        @Override
        public void write(int group, BlockBuilder output)
        {
            if (count.get(group) == 0) {
                output.appendNull();
            }
            else if (result instanceof DoubleType) {
                DOUBLE.writeDouble(output, sum.exact(group).doubleValue() / count.get(group));
            }
            else {
                DecimalType type = (DecimalType) result;
                BigDecimal exact = new BigDecimal(sum.exact(group), ((DecimalType) argument).getScale());
                ExactDecimals.write(type, output, exact.divide(BigDecimal.valueOf(count.get(group)), type.getScale(), RoundingMode.HALF_UP));
            }
        }

        @Override
        public long retainedBytes()
        {
            return sum.retainedBytes() + count.retainedBytes();
        }
    }

    /** Adds floating numbers in the order in which they come. Each range begins at zero, as each of Trino's own partial sums. */
    final class FloatingSum
            implements GroupFunction
    {
        private long[] counts = {};
        private double[] sums = {};

        @Override
        public List<Type> partialTypes()
        {
            return List.of(DOUBLE);
        }

        @Override
        public void addRows(@Nullable Block values, int[] groups, int count)
        {
            counts = grown(counts, count);
            if (count > sums.length) {
                sums = Arrays.copyOf(sums, counts.length);
            }
            for (int row = 0; row < groups.length; row++) {
                if (!values.isNull(row)) {
                    counts[groups[row]]++;
                    sums[groups[row]] += DOUBLE.getDouble(values, row);
                }
            }
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
            else {
                DOUBLE.writeDouble(output, sums[group]);
            }
        }

        @Override
        public long retainedBytes()
        {
            return sizeOf(counts) + sizeOf(sums);
        }
    }

    /** Divides a sum of floating numbers by a count. */
    final class FloatingAverage
            implements GroupFunction
    {
        private final FloatingSum sum = new FloatingSum();
        private final Count count = new Count();

        @Override
        public List<Type> partialTypes()
        {
            return List.of(DOUBLE, BIGINT);
        }

        @Override
        public void addRows(@Nullable Block values, int[] groups, int groupCount)
        {
            sum.addRows(values, groups, groupCount);
            count.addRows(values, groups, groupCount);
        }

        @Override
        public void addPartials(Page partials, int channel, int[] groups, int groupCount)
        {
            sum.addPartials(partials, channel, groups, groupCount);
            count.addPartials(partials, channel + 1, groups, groupCount);
        }

        @Override
        public void writePartials(int group, List<BlockBuilder> output)
        {
            sum.write(group, output.getFirst());
            count.write(group, output.get(1));
        }

        @Override
        public void write(int group, BlockBuilder output)
        {
            if (count.get(group) == 0) {
                output.appendNull();
            }
            else {
                DOUBLE.writeDouble(output, sum.sums[group] / count.get(group));
            }
        }

        @Override
        public long retainedBytes()
        {
            return sum.retainedBytes() + count.retainedBytes();
        }
    }
}
