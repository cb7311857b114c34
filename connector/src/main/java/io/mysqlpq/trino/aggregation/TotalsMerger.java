package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.Page;
import io.trino.spi.PageBuilder;
import io.trino.spi.type.Type;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Verify.verify;
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
    public Optional<RangePart> part()
    {
        return Optional.of(new Row());
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

    private static final class Row
            implements RangePart
    {
        @Nullable
        private volatile Page row;

        @Override
        public void add(Page partials)
        {
            verify(row == null, "a range has two rows of totals");
            row = partials;
        }

        @Override
        public Page partials()
        {
            // A read that is cancelled ends without a row.
            Page known = row;
            return known == null ? new Page(0) : known;
        }

        @Override
        public long retainedBytes()
        {
            Page known = row;
            return known == null ? 0 : known.getRetainedSizeInBytes();
        }
    }
}
