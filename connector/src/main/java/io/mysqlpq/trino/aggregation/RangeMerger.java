package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

/** Merges what ranges give of their groups. Any thread may add. */
sealed interface RangeMerger
        permits GroupTableMerger, TotalsMerger
{
    void add(Page partials);

    /** Whether the result depends on the order in which ranges are added, as sums of floating numbers do. */
    boolean dependsOnOrder();

    long retainedBytes();

    /** Returns all groups, with the columns of the aggregation's result. */
    Page result();
}
