package io.mysqlpq.trino.aggregation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.spi.Page;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import static java.util.Objects.requireNonNull;

/** Gives a merger the pages of ranges, in the order of the ranges if the result depends on it. Any thread may add. */
final class PagesInOrder
{
    private final RangeMerger merger;
    @GuardedBy("this")
    private final List<Pages> ranges = new ArrayList<>();
    // The first range that has not ended.
    @GuardedBy("this")
    private int first;
    @GuardedBy("this")
    private long waitingBytes;

    private static final class Pages
    {
        private final Queue<Page> waiting = new ArrayDeque<>();
        private boolean ended;
    }

    PagesInOrder(int ranges, RangeMerger merger)
    {
        this.merger = requireNonNull(merger, "merger is null");
        for (int range = 0; range < ranges; range++) {
            this.ranges.add(new Pages());
        }
    }

    synchronized void add(int range, Page page)
    {
        if (range == first || !merger.dependsOnOrder()) {
            merger.add(page);
            return;
        }
        ranges.get(range).waiting.add(page);
        waitingBytes += page.getRetainedSizeInBytes();
    }

    synchronized void end(int range)
    {
        ranges.get(range).ended = true;
        while (first < ranges.size() && ranges.get(first).ended) {
            first++;
            if (first < ranges.size()) {
                mergeWaiting(ranges.get(first).waiting);
            }
        }
    }

    @GuardedBy("this")
    private void mergeWaiting(Queue<Page> waiting)
    {
        while (!waiting.isEmpty()) {
            Page page = waiting.remove();
            waitingBytes -= page.getRetainedSizeInBytes();
            merger.add(page);
        }
    }

    /** Returns the bytes of the pages that wait for those of ranges before theirs. */
    synchronized long retainedBytes()
    {
        return waitingBytes;
    }
}
