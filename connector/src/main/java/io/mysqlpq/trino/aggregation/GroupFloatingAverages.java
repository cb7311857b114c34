package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.List;

import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;

/** Divides a sum of floating numbers by a count. */
final class GroupFloatingAverages
        implements GroupFunction
{
    private final GroupFloatingSums sum = new GroupFloatingSums();
    private final GroupCounts count = new GroupCounts();

    @Override
    public List<Type> partialTypes()
    {
        return List.of(DOUBLE, BIGINT);
    }

    @Override
    public void addRows(List<Block> arguments, int[] groups, int groupCount)
    {
        sum.addRows(arguments, groups, groupCount);
        count.addRows(arguments, groups, groupCount);
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
            DOUBLE.writeDouble(output, sum.get(group) / count.get(group));
        }
    }

    @Override
    public long retainedBytes()
    {
        return sum.retainedBytes() + count.retainedBytes();
    }

    @Override
    public boolean dependsOnOrder()
    {
        return true;
    }
}
