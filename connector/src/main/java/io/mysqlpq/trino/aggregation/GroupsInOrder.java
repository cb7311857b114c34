package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.airlift.slice.SizeOf;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/** Groups rows that come one group after another. It therefore keeps only the last group. */
public final class GroupsInOrder
{
    private final List<Type> keyTypes;
    private final List<RowAggregate> aggregates;
    private final List<JdbcColumnHandle> arguments;
    private final List<GroupAccumulator> accumulators;

    private final long[][] keys;
    // Counts the groups so far. The last one may get more rows.
    private int groups;

    public GroupsInOrder(WholeGroupAggregation whole)
    {
        checkArgument(isSupported(whole), "not computed here: %s", whole);
        this.keyTypes = whole.groupBy().stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList());
        this.aggregates = whole.rowAggregates().orElseThrow();
        this.arguments = whole.rowColumns();
        this.accumulators = aggregates.stream().map(GroupAccumulator::of).collect(toImmutableList());
        this.keys = new long[keyTypes.size()][1];
    }

    /** Whether rows in the order of the primary key come one group after another, and this class knows the types of the keys and the aggregates. */
    public static boolean isSupported(WholeGroupAggregation whole)
    {
        return whole.groupBy().size() == whole.leadingColumns()
                && whole.rowAggregates().isPresent()
                && whole.groupBy().stream().map(JdbcColumnHandle::getColumnType).allMatch(MergeableFunction::isScaledLong)
                && whole.rowAggregates().get().stream().flatMap(aggregate -> aggregate.argument().stream()).allMatch(argument -> isReadAs(argument, whole.rowColumns()));
    }

    // Handles of a column are equal whatever types it is read as.
    private static boolean isReadAs(JdbcColumnHandle argument, List<JdbcColumnHandle> read)
    {
        return read.get(read.indexOf(argument)).getColumnType().equals(argument.getColumnType());
    }

    /**
     * Adds the next rows.
     *
     * @param rows of {@link WholeGroupAggregation#rowColumns}
     * @return the groups that are complete by now, of {@link WholeGroupAggregation#columns}
     */
    public Page add(Page rows)
    {
        if (rows.getPositionCount() == 0) {
            return groups(0);
        }
        int[] group = number(rows);
        for (int i = 0; i < accumulators.size(); i++) {
            Block values = aggregates.get(i).argument().map(arguments::indexOf).map(rows::getBlock).orElse(null);
            accumulators.get(i).add(values, group, groups);
        }
        Page complete = groups(groups - 1);
        keepLast();
        return complete;
    }

    /** The last group, if there is one. */
    public Page finish()
    {
        Page last = groups(groups);
        groups = 0;
        return last;
    }

    /** Bytes of all that is kept from page to page. */
    public long retainedBytes()
    {
        long bytes = accumulators.stream().mapToLong(GroupAccumulator::retainedBytes).sum();
        for (long[] key : keys) {
            bytes += SizeOf.sizeOf(key);
        }
        return bytes;
    }

    // Rows of one key are one group, numbered on from those of before.
    private int[] number(Page rows)
    {
        int[] group = new int[rows.getPositionCount()];
        for (int column = 0; column < keys.length; column++) {
            keys[column] = GroupAccumulator.grown(keys[column], group.length + 1);
        }
        List<Block> blocks = keyBlocks(rows);
        for (int row = 0; row < group.length; row++) {
            if (groups == 0 || isOther(blocks, row)) {
                for (int column = 0; column < keys.length; column++) {
                    keys[column][groups] = keyTypes.get(column).getLong(blocks.get(column), row);
                }
                groups++;
            }
            group[row] = groups - 1;
        }
        return group;
    }

    private List<Block> keyBlocks(Page rows)
    {
        ImmutableList.Builder<Block> blocks = ImmutableList.builder();
        for (int column = 0; column < keys.length; column++) {
            blocks.add(rows.getBlock(column));
        }
        return blocks.build();
    }

    private boolean isOther(List<Block> blocks, int row)
    {
        for (int column = 0; column < keys.length; column++) {
            if (keyTypes.get(column).getLong(blocks.get(column), row) != keys[column][groups - 1]) {
                return true;
            }
        }
        return false;
    }

    private Page groups(int count)
    {
        Block[] blocks = new Block[keys.length + accumulators.size()];
        for (int column = 0; column < keys.length; column++) {
            BlockBuilder block = keyTypes.get(column).createBlockBuilder(null, count);
            for (int group = 0; group < count; group++) {
                keyTypes.get(column).writeLong(block, keys[column][group]);
            }
            blocks[column] = block.build();
        }
        for (int i = 0; i < accumulators.size(); i++) {
            BlockBuilder block = aggregates.get(i).column().getColumnType().createBlockBuilder(null, count);
            for (int group = 0; group < count; group++) {
                accumulators.get(i).write(block, group);
            }
            blocks[keys.length + i] = block.build();
        }
        return new Page(count, blocks);
    }

    private void keepLast()
    {
        for (long[] key : keys) {
            key[0] = key[groups - 1];
        }
        for (GroupAccumulator accumulator : accumulators) {
            accumulator.keep(groups - 1);
        }
        groups = 1;
    }
}
