package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.List;

/** Holds the greatest values if the sign is 1, the least if it is -1. */
final class GroupExtremes
        implements GroupFunction
{
    private final Type type;
    private final int sign;
    private final GroupValues extremes;

    GroupExtremes(Type type, int sign)
    {
        this.type = type;
        this.sign = sign;
        this.extremes = GroupValues.of(type);
    }

    @Override
    public List<Type> partialTypes()
    {
        return List.of(type);
    }

    @Override
    public void addRows(List<Block> arguments, int[] groups, int count)
    {
        grow(count);
        Block values = arguments.getFirst();
        for (int row = 0; row < groups.length; row++) {
            addRow(values, row, groups[row]);
        }
    }

    void grow(int count)
    {
        extremes.grow(count);
    }

    /** Returns whether the value of the row is the group's extreme from now on. It is not if another row has the same. */
    boolean addRow(Block values, int row, int group)
    {
        boolean isExtreme = !values.isNull(row) && (!extremes.isKept(group) || sign * extremes.compare(values, row, group) > 0);
        if (isExtreme) {
            extremes.keep(values, row, group);
        }
        return isExtreme;
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
        extremes.write(group, output);
    }

    @Override
    public long retainedBytes()
    {
        return extremes.retainedBytes();
    }
}
