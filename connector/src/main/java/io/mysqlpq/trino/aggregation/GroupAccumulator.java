package io.mysqlpq.trino.aggregation;

import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Int128;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.trino.spi.type.BigintType.BIGINT;

/** Computes an aggregate of several groups, which are numbered. */
sealed interface GroupAccumulator
{
    /**
     * Adds a value to a group for each row.
     *
     * @param values null if there is no argument
     * @param groups the group of each row
     * @param count of all groups so far, those of earlier calls included
     */
    void add(@Nullable Block values, int[] groups, int count);

    /** Appends a group's aggregate. */
    void write(BlockBuilder output, int group);

    /** Makes a group the first, and forgets the others. */
    void keep(int group);

    long retainedBytes();

    static GroupAccumulator of(RowAggregate aggregate)
    {
        return aggregate.function().groupAccumulator(aggregate.argument().map(JdbcColumnHandle::getColumnType), aggregate.column().getColumnType());
    }

    static long[] grown(long[] values, int count)
    {
        return count <= values.length ? values : Arrays.copyOf(values, Math.max(count, 2 * values.length));
    }

    private static long[] kept(long[] values, int group)
    {
        long value = values[group];
        Arrays.fill(values, 0);
        values[0] = value;
        return values;
    }

    final class Count
            implements GroupAccumulator
    {
        private long[] counts = new long[1];

        @Override
        public void add(@Nullable Block values, int[] groups, int count)
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
        public void write(BlockBuilder output, int group)
        {
            BIGINT.writeLong(output, counts[group]);
        }

        @Override
        public void keep(int group)
        {
            counts = kept(counts, group);
        }

        @Override
        public long retainedBytes()
        {
            return sizeOf(counts);
        }
    }

    /** Holds the greatest values if the sign is 1, the least if it is -1. */
    final class Extreme
            implements GroupAccumulator
    {
        private final Type type;
        private final int sign;
        private long[] counts = new long[1];
        private long[] extremes = new long[1];

        Extreme(Type type, int sign)
        {
            this.type = type;
            this.sign = sign;
        }

        @Override
        public void add(Block values, int[] groups, int count)
        {
            counts = grown(counts, count);
            extremes = grown(extremes, count);
            boolean nulls = values.mayHaveNull();
            for (int row = 0; row < groups.length; row++) {
                if (!nulls || !values.isNull(row)) {
                    int group = groups[row];
                    long value = type.getLong(values, row);
                    if (counts[group]++ == 0 || sign * Long.compare(value, extremes[group]) > 0) {
                        extremes[group] = value;
                    }
                }
            }
        }

        @Override
        public void write(BlockBuilder output, int group)
        {
            if (counts[group] == 0) {
                output.appendNull();
            }
            else {
                type.writeLong(output, extremes[group]);
            }
        }

        @Override
        public void keep(int group)
        {
            counts = kept(counts, group);
            extremes = kept(extremes, group);
        }

        @Override
        public long retainedBytes()
        {
            return sizeOf(counts) + sizeOf(extremes);
        }
    }

    /** Adds values without loss. Only the final sum must fit the type. */
    final class Sum
            implements GroupAccumulator
    {
        private static final BigInteger WRAP = BigInteger.ONE.shiftLeft(Long.SIZE);

        private final Type argument;
        private final Type result;
        private final boolean average;
        private long[] counts = new long[1];
        private long[] sums = new long[1];
        // How many times 2^64 each sum is too small.
        private long[] wraps = new long[1];

        Sum(Type argument, Type result, boolean average)
        {
            this.argument = argument;
            this.result = result;
            this.average = average;
        }

        @Override
        public void add(Block values, int[] groups, int count)
        {
            counts = grown(counts, count);
            sums = grown(sums, count);
            wraps = grown(wraps, count);
            boolean nulls = values.mayHaveNull();
            for (int row = 0; row < groups.length; row++) {
                if (!nulls || !values.isNull(row)) {
                    int group = groups[row];
                    long value = argument.getLong(values, row);
                    long before = sums[group];
                    long sum = before + value;
                    if (((before ^ sum) & (value ^ sum)) < 0) {
                        wraps[group] += value < 0 ? -1 : 1;
                    }
                    sums[group] = sum;
                    counts[group]++;
                }
            }
        }

        @Override
        public void write(BlockBuilder output, int group)
        {
            if (counts[group] == 0) {
                output.appendNull();
            }
            else if (average) {
                BigDecimal sum = new BigDecimal(exact(group), ((DecimalType) argument).getScale());
                DecimalType type = (DecimalType) result;
                ExactDecimals.write(type, output, sum.divide(BigDecimal.valueOf(counts[group]), type.getScale(), RoundingMode.HALF_UP));
            }
            else if (result instanceof BigintType) {
                BIGINT.writeLong(output, wraps[group] == 0 ? sums[group] : ExactDecimals.toLong(exact(group)));
            }
            else if (wraps[group] == 0 && !((DecimalType) result).isShort()) {
                result.writeObject(output, Int128.valueOf(sums[group]));
            }
            else {
                DecimalType type = (DecimalType) result;
                ExactDecimals.write(type, output, new BigDecimal(exact(group), type.getScale()));
            }
        }

        private BigInteger exact(int group)
        {
            return BigInteger.valueOf(sums[group]).add(BigInteger.valueOf(wraps[group]).multiply(WRAP));
        }

        @Override
        public void keep(int group)
        {
            counts = kept(counts, group);
            sums = kept(sums, group);
            wraps = kept(wraps, group);
        }

        @Override
        public long retainedBytes()
        {
            return sizeOf(counts) + sizeOf(sums) + sizeOf(wraps);
        }
    }
}
