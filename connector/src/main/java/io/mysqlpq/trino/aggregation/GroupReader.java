package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Reads the groups that MySQL computes of one range. Any thread may ask and cancel. */
public interface GroupReader
{
    /**
     * Reads as soon as that is allowed, in another thread.
     *
     * @param groups takes each page, in that thread. What it throws ends the read
     * @return completes after the last page
     */
    CompletableFuture<Void> read(Consumer<Page> groups);

    /** Bytes that it keeps. */
    long retainedBytes();

    /** Ends the read, or the wait for it. */
    void cancel();
}
