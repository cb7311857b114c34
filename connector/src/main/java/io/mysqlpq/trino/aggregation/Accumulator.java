package io.mysqlpq.trino.aggregation;

import io.airlift.slice.Slice;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.BigintType;
import io.trino.spi.type.DecimalType;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static io.trino.spi.type.VarcharType.VARCHAR;
import static java.lang.Math.addExact;

/** Merges the partial values of one group and one aggregate function. */
sealed interface Accumulator
{
    /** Adds the partial value of a range. It is NULL if the range has no rows, or no value in them. */
    void add(Page page, int position);

    /** Returns the bytes of the values that it holds, as far as they may be long. */
    default long valueBytes()
    {
        return 0;
    }

    /** Appends the value of all ranges together. */
    void write(BlockBuilder output);

    /** @param channel the first of the partial columns in the pages of the ranges */
    static Accumulator of(MergedColumn merged, int channel)
    {
        return merged.function().accumulator(merged.column().getColumnType(), channel);
    }

    final class Count
            implements Accumulator
    {
        private final int channel;
        private long count;

        Count(int channel)
        {
            this.channel = channel;
        }

        @Override
        public void add(Page page, int position)
        {
            count = addExact(count, BIGINT.getLong(page.getBlock(channel), position));
        }

        @Override
        public void write(BlockBuilder output)
        {
            BIGINT.writeLong(output, count);
        }
    }

    /** Holds the greatest value if the sign is 1, the least if it is -1. */
    final class Extreme
            implements Accumulator
    {
        private final Type type;
        private final NativeOrder order;
        private final int channel;
        private final int sign;
        @Nullable
        private Object value;

        Extreme(Type type, int channel, int sign)
        {
            this.type = type;
            this.order = NativeOrder.of(type);
            this.channel = channel;
            this.sign = sign;
        }

        @Override
        public void add(Page page, int position)
        {
            Object other = readNativeValue(type, page.getBlock(channel), position);
            if (other != null && (value == null || sign * order.compare(other, value) > 0)) {
                value = other instanceof Slice slice ? slice.copy() : other;
            }
        }

        @Override
        public long valueBytes()
        {
            return value instanceof Slice slice ? slice.length() : 0;
        }

        @Override
        public void write(BlockBuilder output)
        {
            writeNativeValue(type, output, value);
        }
    }

    /** Adds decimals and integers without loss. Only the final sum must fit the type. */
    final class ExactSum
            implements Accumulator
    {
        private final Type type;
        private final int channel;
        @Nullable
        private BigDecimal sum;

        ExactSum(Type type, int channel)
        {
            this.type = type;
            this.channel = channel;
        }

        @Override
        public void add(Page page, int position)
        {
            Block block = page.getBlock(channel);
            if (!block.isNull(position)) {
                BigDecimal addend = new BigDecimal(VARCHAR.getSlice(block, position).toStringUtf8());
                sum = sum == null ? addend : sum.add(addend);
            }
        }

        @Override
        public void write(BlockBuilder output)
        {
            if (sum == null) {
                output.appendNull();
            }
            else if (type instanceof BigintType) {
                BIGINT.writeLong(output, ExactDecimals.toLong(sum.toBigIntegerExact()));
            }
            else {
                ExactDecimals.write((DecimalType) type, output, sum);
            }
        }
    }

    final class DoubleSum
            implements Accumulator
    {
        private final int channel;
        private boolean present;
        private double sum;

        DoubleSum(int channel)
        {
            this.channel = channel;
        }

        @Override
        public void add(Page page, int position)
        {
            Block block = page.getBlock(channel);
            if (!block.isNull(position)) {
                present = true;
                sum += DOUBLE.getDouble(block, position);
            }
        }

        @Override
        public void write(BlockBuilder output)
        {
            if (present) {
                DOUBLE.writeDouble(output, sum);
            }
            else {
                output.appendNull();
            }
        }
    }

    final class DoubleAverage
            implements Accumulator
    {
        private final int channel;
        private double sum;
        private long count;

        DoubleAverage(int channel)
        {
            this.channel = channel;
        }

        @Override
        public void add(Page page, int position)
        {
            Block block = page.getBlock(channel);
            if (!block.isNull(position)) {
                sum += DOUBLE.getDouble(block, position);
                count = addExact(count, BIGINT.getLong(page.getBlock(channel + 1), position));
            }
        }

        @Override
        public void write(BlockBuilder output)
        {
            if (count > 0) {
                DOUBLE.writeDouble(output, sum / count);
            }
            else {
                output.appendNull();
            }
        }
    }

    /** Rounds the quotient once, half away from zero, as Trino does. */
    final class ExactAverage
            implements Accumulator
    {
        private final DecimalType type;
        private final int channel;
        private BigDecimal sum = BigDecimal.ZERO;
        private long count;

        ExactAverage(DecimalType type, int channel)
        {
            this.type = type;
            this.channel = channel;
        }

        @Override
        public void add(Page page, int position)
        {
            Block block = page.getBlock(channel);
            if (!block.isNull(position)) {
                sum = sum.add(new BigDecimal(VARCHAR.getSlice(block, position).toStringUtf8()));
                count = addExact(count, BIGINT.getLong(page.getBlock(channel + 1), position));
            }
        }

        @Override
        public void write(BlockBuilder output)
        {
            if (count > 0) {
                ExactDecimals.write(type, output, sum.divide(BigDecimal.valueOf(count), type.getScale(), RoundingMode.HALF_UP));
            }
            else {
                output.appendNull();
            }
        }
    }
}
