package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

/** Merges what ranges give of their groups. Any thread may add. */
sealed interface RangeMerger
        permits GroupTableMerger, TotalsMerger
{
    void add(Page partials);

    long retainedBytes();

    /** Returns all groups, with the columns of the aggregation's result. */
    Page result();
}
