package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

/** Collects what one range gives, until it is merged with the ranges before it. One thread at a time adds; any thread may ask for the size. */
interface RangePart
{
    void add(Page partials);

    /** Returns all that was added, each group once. */
    Page partials();

    long retainedBytes();
}
