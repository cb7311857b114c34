package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.List;

import static io.airlift.slice.SizeOf.sizeOf;
import static io.trino.spi.type.BigintType.BIGINT;

/** Counts rows, or values that are not NULL. */
final class GroupCounts
        implements GroupFunction
{
    private long[] counts = {};

    @Override
    public List<Type> partialTypes()
    {
        return List.of(BIGINT);
    }

    @Override
    public void addRows(List<Block> arguments, int[] groups, int count)
    {
        counts = GroupFunction.grown(counts, count);
        boolean nulls = !arguments.isEmpty() && arguments.getFirst().mayHaveNull();
        for (int row = 0; row < groups.length; row++) {
            if (!nulls || !arguments.getFirst().isNull(row)) {
                counts[groups[row]]++;
            }
        }
    }

    @Override
    public void addPartials(Page partials, int channel, int[] groups, int count)
    {
        counts = GroupFunction.grown(counts, count);
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
