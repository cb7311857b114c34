package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.List;

/** Holds values of the rows of extremes. If several rows have the extreme, the first one counts. */
final class GroupValuesBeside
        implements GroupFunction
{
    private final Type type;
    private final GroupExtremes extremes;
    private final GroupValues values;

    /**
     * @param compared the type of the extremes
     * @param sign 1 for the greatest, -1 for the least
     */
    GroupValuesBeside(Type compared, int sign, Type type)
    {
        this.type = type;
        this.extremes = new GroupExtremes(compared, sign);
        this.values = GroupValues.of(type);
    }

    @Override
    public List<Type> partialTypes()
    {
        return List.of(extremes.partialTypes().getFirst(), type);
    }

    @Override
    public void addRows(List<Block> arguments, int[] groups, int count)
    {
        extremes.grow(count);
        values.grow(count);
        for (int row = 0; row < groups.length; row++) {
            if (extremes.addRow(arguments.getFirst(), row, groups[row])) {
                values.keep(arguments.getLast(), row, groups[row]);
            }
        }
    }

    @Override
    public void addPartials(Page partials, int channel, int[] groups, int count)
    {
        addRows(List.of(partials.getBlock(channel), partials.getBlock(channel + 1)), groups, count);
    }

    @Override
    public void writePartials(int group, List<BlockBuilder> output)
    {
        extremes.write(group, output.getFirst());
        values.write(group, output.getLast());
    }

    @Override
    public void write(int group, BlockBuilder output)
    {
        values.write(group, output);
    }

    @Override
    public long retainedBytes()
    {
        return extremes.retainedBytes() + values.retainedBytes();
    }

    @Override
    public boolean dependsOnOrder()
    {
        return true;
    }
}
