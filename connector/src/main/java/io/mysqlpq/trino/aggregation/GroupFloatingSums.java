package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.Arrays;
import java.util.List;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.trino.spi.type.DoubleType.DOUBLE;

/** Adds floating numbers in the order in which they come. Each range begins at zero, as each of Trino's own partial sums. */
final class GroupFloatingSums
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
    public void addRows(List<Block> arguments, int[] groups, int count)
    {
        Block values = arguments.getFirst();
        counts = GroupFunction.grown(counts, count);
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
        addRows(List.of(partials.getBlock(channel)), groups, count);
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

    double get(int group)
    {
        return sums[group];
    }

    @Override
    public long retainedBytes()
    {
        return sizeOf(counts) + sizeOf(sums);
    }

    @Override
    public boolean dependsOnOrder()
    {
        return true;
    }
}
