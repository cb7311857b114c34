package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.Page;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import static java.lang.Math.min;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

/** Reads the groups of ranges into one merger, several ranges at a time. */
final class RangeAggregator
{
    private final List<GroupReader> readers;
    private final int parallelism;
    private final PagesInOrder pages;
    private final ReadMetrics metrics;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @GuardedBy("this")
    private final Queue<GroupReader> unread;
    @GuardedBy("this")
    private CompletableFuture<Void> step = new CompletableFuture<>();
    @GuardedBy("this")
    private boolean cancelled;

    /** @param readers of the ranges' groups, one each */
    RangeAggregator(List<GroupReader> readers, int parallelism, RangeMerger merger, ReadMetrics metrics)
    {
        this.readers = ImmutableList.copyOf(readers);
        this.unread = new ArrayDeque<>(readers);
        this.parallelism = parallelism;
        this.pages = new PagesInOrder(readers.size(), merger);
        this.metrics = metrics;
    }

    /** Completes when all ranges are merged, or when one has failed and the reads of the others have ended. */
    CompletableFuture<Void> start()
    {
        return CompletableFuture.allOf(IntStream.range(0, min(parallelism, readers.size()))
                .mapToObj(_ -> readNext().exceptionally(this::fail))
                .toArray(CompletableFuture[]::new))
                .thenCompose(_ -> failure.get() == null ? completedFuture(null) : failedFuture(failure.get()));
    }

    // Cancelling makes the others fail too: only the first failure counts.
    private Void fail(Throwable cause)
    {
        failure.compareAndSet(null, cause instanceof CompletionException wrapped ? wrapped.getCause() : cause);
        cancel();
        return null;
    }

    /** Completes with the next page that is merged: then the merger holds more. */
    synchronized CompletableFuture<Void> nextStep()
    {
        return step;
    }

    private void endStep()
    {
        CompletableFuture<Void> ended;
        synchronized (this) {
            ended = step;
            step = new CompletableFuture<>();
        }
        // Never under our lock: it runs the reader's code.
        ended.complete(null);
    }

    private CompletableFuture<Void> readNext()
    {
        GroupReader reader;
        int range;
        synchronized (this) {
            if (cancelled || unread.isEmpty()) {
                return completedFuture(null);
            }
            range = readers.size() - unread.size();
            reader = unread.remove();
        }
        return reader.read(groups -> merge(range, groups)).thenRun(() -> end(range)).thenCompose(_ -> readNext());
    }

    private void merge(int range, Page groups)
    {
        pages.add(range, groups);
        endStep();
    }

    private void end(int range)
    {
        pages.end(range);
        metrics.recordMergedRange();
    }

    /** Bytes that the readers keep, and pages that are not yet merged. */
    long retainedBytes()
    {
        return pages.retainedBytes() + readers.stream().mapToLong(GroupReader::retainedBytes).sum();
    }

    /** Ends all reads. */
    void cancel()
    {
        synchronized (this) {
            cancelled = true;
        }
        readers.forEach(GroupReader::cancel);
    }
}
