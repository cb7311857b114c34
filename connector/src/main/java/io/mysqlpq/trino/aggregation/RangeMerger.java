package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

import java.util.Optional;

/** Merges what ranges give of their groups. Any thread may add. */
sealed interface RangeMerger
        permits GroupTableMerger, TotalsMerger
{
    void add(Page partials);

    /** Makes what collects one range. Empty if the result does not depend on the order in which ranges are added, as sums of floating numbers do. */
    Optional<RangePart> part();

    long retainedBytes();

    /** Returns all groups, with the columns of the aggregation's result. */
    Page result();
}
