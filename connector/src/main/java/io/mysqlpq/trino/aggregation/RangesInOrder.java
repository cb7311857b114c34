package io.mysqlpq.trino.aggregation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.spi.Page;

import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import static java.util.Objects.requireNonNull;

/**
 * Gives a merger the pages of ranges, in the order of the ranges if the result depends on it. One thread at a time adds pages of a range, and then
 * ends it.
 */
final class RangesInOrder
{
    private final RangeMerger merger;
    private final int mostAhead;
    // What ranges gave that began and are not merged yet.
    private final Map<Integer, RangePart> parts = new ConcurrentHashMap<>();

    // The first range that has not ended. Changes under the lock only.
    private volatile int first;
    @GuardedBy("this")
    private final BitSet ended = new BitSet();

    /** @param mostAhead how many ranges may begin from the first one on that has not ended, if their order counts */
    RangesInOrder(RangeMerger merger, int mostAhead)
    {
        this.merger = requireNonNull(merger, "merger is null");
        this.mostAhead = mostAhead;
    }

    /** Begins to collect what a range gives, unless too many ranges wait for those before them. */
    boolean begin(int range)
    {
        Optional<RangePart> part = merger.part();
        if (part.isPresent() && range >= first + mostAhead) {
            return false;
        }
        part.ifPresent(begun -> parts.put(range, begun));
        return true;
    }

    void add(int range, Page page)
    {
        RangePart part = parts.get(range);
        if (part == null) {
            merger.add(page);
        }
        else {
            part.add(page);
        }
    }

    synchronized void end(int range)
    {
        ended.set(range);
        int merged = first;
        for (; ended.get(merged); merged++) {
            RangePart part = parts.get(merged);
            if (part != null) {
                merger.add(part.partials());
                parts.remove(merged);
            }
        }
        first = merged;
    }

    /** Returns the bytes of the ranges that are not merged yet. Takes no lock, since ranges may just be merged. */
    long retainedBytes()
    {
        return parts.values().stream().mapToLong(RangePart::retainedBytes).sum();
    }
}
