package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.Page;

import java.util.List;
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
    // For each range that is read at once, so many may begin: a slow range holds those behind it back.
    private static final int MOST_AHEAD = 2;

    private final List<GroupReader> readers;
    private final int parallelism;
    private final RangesInOrder ranges;
    private final ReadMetrics metrics;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    // The range that begins next.
    @GuardedBy("this")
    private int next;
    // Ranges that could be read now, were not those before them so late.
    @GuardedBy("this")
    private int held;
    @GuardedBy("this")
    private CompletableFuture<Void> step = new CompletableFuture<>();
    @GuardedBy("this")
    private boolean cancelled;

    /** @param readers of the ranges' groups, one each */
    RangeAggregator(List<GroupReader> readers, int parallelism, RangeMerger merger, ReadMetrics metrics)
    {
        this.readers = ImmutableList.copyOf(readers);
        this.parallelism = parallelism;
        this.ranges = new RangesInOrder(merger, MOST_AHEAD * parallelism);
        this.metrics = metrics;
    }

    /** Completes when all ranges are merged, or when one has failed and the reads of the others have ended. */
    CompletableFuture<Void> start()
    {
        return readEach(min(parallelism, readers.size()))
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
        int range;
        synchronized (this) {
            if (cancelled || next == readers.size()) {
                return completedFuture(null);
            }
            if (!ranges.begin(next)) {
                held++;
                return completedFuture(null);
            }
            range = next++;
        }
        return readers.get(range).read(groups -> merge(range, groups)).thenCompose(_ -> end(range));
    }

    private void merge(int range, Page groups)
    {
        ranges.add(range, groups);
        endStep();
    }

    private CompletableFuture<Void> end(int range)
    {
        ranges.end(range);
        metrics.recordMergedRange();
        return readEach(1 + takeHeld());
    }

    private synchronized int takeHeld()
    {
        int taken = held;
        held = 0;
        return taken;
    }

    private CompletableFuture<Void> readEach(int count)
    {
        return CompletableFuture.allOf(IntStream.range(0, count)
                .mapToObj(_ -> readNext().exceptionally(this::fail))
                .toArray(CompletableFuture[]::new));
    }

    /** Returns the bytes that the readers keep, and those of ranges that are not merged yet. */
    long retainedBytes()
    {
        return ranges.retainedBytes() + readers.stream().mapToLong(GroupReader::retainedBytes).sum();
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
