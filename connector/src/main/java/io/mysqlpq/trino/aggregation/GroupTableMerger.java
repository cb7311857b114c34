package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

import static java.util.Objects.requireNonNull;

/** Merges groups in one table. Trino counts its memory, and limits it. */
final class GroupTableMerger
        implements RangeMerger
{
    private final GroupTable groups;

    GroupTableMerger(GroupTable groups)
    {
        this.groups = requireNonNull(groups, "groups is null");
    }

    @Override
    public synchronized void add(Page partials)
    {
        groups.addPartials(partials);
    }

    @Override
    public boolean dependsOnOrder()
    {
        return groups.dependsOnOrder();
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
}
