package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Merges groups in one table. Trino counts its memory, and limits it. */
final class GroupTableMerger
        implements RangeMerger
{
    private final NativeAggregation aggregation;
    private final GroupTable groups;

    GroupTableMerger(NativeAggregation aggregation)
    {
        this.aggregation = requireNonNull(aggregation, "aggregation is null");
        this.groups = new GroupTable(aggregation);
    }

    @Override
    public synchronized void add(Page partials)
    {
        groups.addPartials(partials);
    }

    @Override
    public Optional<RangePart> part()
    {
        return groups.dependsOnOrder() ? Optional.of(new Part(new GroupTable(aggregation))) : Optional.empty();
    }

    @Override
    public synchronized long retainedBytes()
    {
        return groups.retainedBytes();
    }

    @Override
    public synchronized Page result()
    {
        return groups.result();
    }

    /** A range may give a group several times, since it begins anew when its table is full. */
    private static final class Part
            implements RangePart
    {
        private final GroupTable groups;

        private Part(GroupTable groups)
        {
            this.groups = groups;
        }

        @Override
        public synchronized void add(Page partials)
        {
            groups.addPartials(partials);
        }

        @Override
        public synchronized Page partials()
        {
            return groups.partials();
        }

        @Override
        public synchronized long retainedBytes()
        {
            return groups.retainedBytes();
        }
    }
}
