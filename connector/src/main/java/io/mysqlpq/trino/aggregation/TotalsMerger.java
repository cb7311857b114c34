package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.type.Type;

import java.util.List;

import static com.google.common.collect.ImmutableList.toImmutableList;

/** Merges the rows that MySQL computes of ranges, one of each. Any thread may add. */
final class TotalsMerger
        implements RangeMerger
{
    private final List<Type> types;
    private final List<Accumulator> totals;

    TotalsMerger(PartialAggregation aggregation)
    {
        this.types = aggregation.resultColumns().stream().map(JdbcColumnHandle::getColumnType).collect(toImmutableList());
        ImmutableList.Builder<Accumulator> accumulators = ImmutableList.builder();
        int channel = 0;
        for (MergedColumn merged : aggregation.aggregates()) {
            accumulators.add(Accumulator.of(merged, channel));
            channel += merged.partials().size();
        }
        this.totals = accumulators.build();
    }

    @Override
    public synchronized void add(Page row)
    {
        for (int position = 0; position < row.getPositionCount(); position++) {
            for (Accumulator total : totals) {
                total.add(row, position);
            }
        }
    }

    @Override
    public boolean dependsOnOrder()
    {
        // One row of each range waits at most.
        return true;
    }

    @Override
    public synchronized long retainedBytes()
    {
        return totals.stream().mapToLong(Accumulator::valueBytes).sum();
    }

    @Override
    public synchronized Page result()
    {
        PageBuilder page = new PageBuilder(1, types);
        page.declarePosition();
        for (int channel = 0; channel < types.size(); channel++) {
            totals.get(channel).write(page.getBlockBuilder(channel));
        }
        return page.build();
    }
}
