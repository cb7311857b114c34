package io.mysqlpq.trino.aggregation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.slice.Slice;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.type.Type;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.TypeUtils.readNativeValue;
import static io.trino.spi.type.TypeUtils.writeNativeValue;
import static java.util.Arrays.asList;
import static java.util.Objects.requireNonNull;

/** Merges the groups of ranges, group by group. Any thread may add. */
final class GroupMerger
        implements RangeMerger
{
    // Keys and accumulators are some objects each.
    private static final int BYTES_PER_VALUE = 96;
    // The bytes of texts that a group may hold, on average over as many groups as are allowed.
    private static final long MOST_BYTES_PER_GROUP = 1024;

    private final PartialAggregation aggregation;
    private final List<Type> keyTypes;
    private final int maxGroups;
    @GuardedBy("this")
    private final Map<List<Object>, List<Accumulator>> groups = new LinkedHashMap<>();

    @GuardedBy("this")
    private long valueBytes;

    /** @param maxGroups most groups that it holds. Their texts and bytes may have as many KB together as there may be groups */
    GroupMerger(PartialAggregation aggregation, int maxGroups)
    {
        this.aggregation = requireNonNull(aggregation, "aggregation is null");
        this.keyTypes = aggregation.groupBy().stream().map(column -> column.getColumnType()).collect(toImmutableList());
        this.maxGroups = maxGroups;
    }

    @Override
    public synchronized void add(Page page)
            throws TooManyGroupsException
    {
        for (int position = 0; position < page.getPositionCount(); position++) {
            List<Object> key = key(page, position);
            List<Accumulator> group = groups.get(key);
            if (group == null) {
                group = accumulators();
                groups.put(kept(key), group);
            }
            for (Accumulator accumulator : group) {
                valueBytes -= accumulator.valueBytes();
                accumulator.add(page, position);
                valueBytes += accumulator.valueBytes();
            }
            if (groups.size() > maxGroups || valueBytes > maxGroups * MOST_BYTES_PER_GROUP) {
                throw new TooManyGroupsException(maxGroups);
            }
        }
    }

    private List<Object> key(Page page, int position)
    {
        Object[] key = new Object[keyTypes.size()];
        for (int channel = 0; channel < key.length; channel++) {
            Object value = readNativeValue(keyTypes.get(channel), page.getBlock(channel), position);
            // Both zeros are one group.
            key[channel] = value instanceof Double number ? (Object) (number + 0.0) : value;
        }
        return asList(key);
    }

    // A slice of a page would keep the whole page.
    @GuardedBy("this")
    private List<Object> kept(List<Object> key)
    {
        Object[] kept = key.toArray();
        for (int channel = 0; channel < kept.length; channel++) {
            if (kept[channel] instanceof Slice slice) {
                kept[channel] = slice.copy();
                valueBytes += slice.length();
            }
        }
        return asList(kept);
    }

    private List<Accumulator> accumulators()
    {
        List<Accumulator> accumulators = new ArrayList<>(aggregation.aggregates().size());
        int channel = keyTypes.size();
        for (MergedColumn merged : aggregation.aggregates()) {
            accumulators.add(Accumulator.of(merged, channel));
            channel += merged.partials().size();
        }
        return accumulators;
    }

    @Override
    public synchronized long retainedBytes()
    {
        return (long) groups.size() * (aggregation.groupBy().size() + aggregation.aggregates().size() + 1) * BYTES_PER_VALUE + valueBytes;
    }

    // The number of groups is bounded, and so is the page.
    @Override
    public synchronized Page result()
    {
        List<Type> types = aggregation.resultColumns().stream().map(column -> column.getColumnType()).collect(toImmutableList());
        PageBuilder page = new PageBuilder(groups.size(), types);
        groups.forEach((key, accumulators) -> {
            page.declarePosition();
            for (int channel = 0; channel < key.size(); channel++) {
                writeNativeValue(types.get(channel), page.getBlockBuilder(channel), key.get(channel));
            }
            for (int i = 0; i < accumulators.size(); i++) {
                accumulators.get(i).write(page.getBlockBuilder(key.size() + i));
            }
        });
        return page.build();
    }
}
