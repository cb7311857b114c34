package io.mysqlpq.trino.aggregation;

import io.trino.spi.Page;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Reads the groups that MySQL computes of one range. Any thread may ask and cancel. */
public interface GroupReader
{
    /**
     * Begins to read, in another thread, as soon as that is allowed.
     *
     * @param groups takes each page, in that thread. An exception from it ends the read
     * @return completes after the last page
     */
    CompletableFuture<Void> read(Consumer<Page> groups);

    /** Returns the bytes that the reader keeps. */
    long retainedBytes();

    /** Ends the read, or the wait for it. */
    void cancel();
}
