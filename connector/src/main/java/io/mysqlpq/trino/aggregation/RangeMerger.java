package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

/** Merges what ranges give of their groups. Any thread may add. */
sealed interface RangeMerger
        permits GroupMerger, GroupTableMerger
{
    /** @throws TooManyGroupsException without which part of the page was added being known */
    void add(Page partials)
            throws TooManyGroupsException;

    long retainedBytes();

    /** Returns all groups, with the columns of the aggregation's result. */
    Page result();
}
