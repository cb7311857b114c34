package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.block.Block;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Groups rows, and merges the groups of ranges. One thread at a time may use it. */
public final class GroupTable
{
    private final NativeAggregation aggregation;
    private final List<Type> keyTypes;
    private final List<GroupFunction> functions;
    private final GroupNumbers groups;

    public GroupTable(NativeAggregation aggregation)
    {
        this.aggregation = aggregation;
        this.keyTypes = aggregation.keys().stream().map(NativeAggregation.Key::column).map(JdbcColumnHandle::getColumnType).collect(toImmutableList());
        this.functions = aggregation.aggregates().stream().map(GroupFunction::of).collect(toImmutableList());
        this.groups = new GroupNumbers(keyTypes);
    }

    public int groups()
    {
        return groups.count();
    }

    /** Whether the result depends on the order in which rows, and groups of ranges, are added. */
    boolean dependsOnOrder()
    {
        return functions.stream().anyMatch(GroupFunction::dependsOnOrder);
    }

    /** @param rows the values of the aggregation's expressions */
    public void addRows(Page rows)
    {
        int[] numbers = groups.number(rows);
        int channel = keyTypes.size();
        for (int i = 0; i < functions.size(); i++) {
            ImmutableList.Builder<Block> arguments = ImmutableList.builder();
            for (int next = channel + aggregation.aggregates().get(i).arguments().size(); channel < next; channel++) {
                arguments.add(rows.getBlock(channel));
            }
            functions.get(i).addRows(arguments.build(), numbers, groups.count());
        }
    }

    /** @param partials what a range gave of its groups */
    void addPartials(Page partials)
    {
        int[] numbers = groups.number(partials);
        int channel = keyTypes.size();
        for (GroupFunction function : functions) {
            function.addPartials(partials, channel, numbers, groups.count());
            channel += function.partialTypes().size();
        }
    }

    /** Returns what is known of the groups, as ranges give it. A global aggregation has one group of no rows. */
    public Page partials()
    {
        List<Type> types = Stream.concat(keyTypes.stream(), functions.stream().flatMap(function -> function.partialTypes().stream())).collect(toImmutableList());
        return page(types, (group, output) -> {
            int channel = keyTypes.size();
            for (GroupFunction function : functions) {
                int next = channel + function.partialTypes().size();
                function.writePartials(group, output.subList(channel, next));
                channel = next;
            }
        });
    }

    /** Returns the groups with the columns of the aggregation's result. */
    Page result()
    {
        List<Type> types = aggregation.resultColumns().stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList());
        return page(types, (group, output) -> {
            for (int i = 0; i < functions.size(); i++) {
                functions.get(i).write(group, output.get(keyTypes.size() + i));
            }
        });
    }

    private interface FunctionWriter
    {
        void write(int group, List<BlockBuilder> output);
    }

    private Page page(List<Type> types, FunctionWriter writer)
    {
        int count = keyTypes.isEmpty() ? 1 : groups.count();
        PageBuilder page = new PageBuilder(count, types);
        List<BlockBuilder> output = new ArrayList<>();
        for (int channel = 0; channel < types.size(); channel++) {
            output.add(page.getBlockBuilder(channel));
        }
        for (int group = 0; group < count; group++) {
            page.declarePosition();
            if (!keyTypes.isEmpty()) {
                groups.write(group, output);
            }
            writer.write(group, ImmutableList.copyOf(output));
        }
        return page.build();
    }

    public long retainedBytes()
    {
        return groups.retainedBytes() + functions.stream().mapToLong(GroupFunction::retainedBytes).sum();
    }
}
