package io.mysqlpq.trino.metrics;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.trino.plugin.base.metrics.DurationTiming;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.plugin.base.metrics.TDigestHistogram;
import io.trino.spi.Page;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Counts what one split reads, for EXPLAIN ANALYZE VERBOSE. Written by the reading thread, read by any. */
public final class ReadMetrics
{
    public static final String SPLITS_READ = "splitsRead";
    /** Followed by the worker's node id. */
    public static final String SPLITS_READ_BY_NODE = "splitsReadByNode.";
    public static final String ROWS_READ = "rowsRead";
    public static final String BYTES_READ = "bytesRead";
    /** The wait for a busy or lagging server. Present only if there was such a wait. */
    public static final String THROTTLE_WAIT_TIME = "throttleWaitTime";
    public static final String PERMIT_WAIT_TIME = "permitWaitTime";
    /** The time for a connection, for the fence of the snapshot or the definition, and for MySQL's first row. */
    public static final String OPEN_TIME = "openTime";
    public static final String READ_TIME = "readTime";
    /** Splits whose rest was read into memory, because nobody took their rows and another scan had no connection. */
    public static final String RESTS_READ_AHEAD = "restsReadAhead";
    /** Ranges that were merged into one aggregation. */
    public static final String RANGES_MERGED = "rangesMerged";
    /** Splits, or ranges of a merged aggregation, whose rows the driver read, because packets could not be decoded or were not to be. */
    public static final String READ_BY_DRIVER = "readByDriver";
    /** Splits, or ranges of a merged aggregation, whose rows another query of the snapshot's group had read. */
    public static final String READ_BY_OTHER_QUERY = "readByOtherQuery";
    /** Splits, or ranges of a merged aggregation, of which the extension said that they have not changed since another query read them. */
    public static final String UNCHANGED = "unchanged";
    /** Splits that the extension read itself, into column batches. */
    public static final String READ_NATIVELY = "readNatively";
    /** Bytes of these that the network did not carry, because they came compressed. */
    public static final String BYTES_SAVED = "bytesSaved";
    /** Splits among these that went on by SQL at a row that MySQL itself has to read: with values larger than a batch, or an invalid date. */
    public static final String NATIVE_STOPPED = "nativeStopped";
    /** Followed by the extension's code: splits that it refused to read itself. */
    public static final String NATIVE_REFUSED = "nativeRefused.";
    /** Blocks, of a column and page each, that the driver decoded of splits read to their end: of rarer types, or with unusual cells such as invalid dates. */
    public static final String BLOCKS_BY_DRIVER = "blocksByDriver";
    /** One value for each split that was read to its end. */
    public static final String ROWS_PER_RANGE = "rowsPerRange";

    // A shorter wait is the time that it takes to see that there is no need to wait.
    private static final long LEAST_THROTTLE_WAIT_NANOS = 1_000_000;

    private final String nodeId;
    private final ReadTotals totals;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong throttleWaitNanos = new AtomicLong();
    private final AtomicLong permitWaitNanos = new AtomicLong();
    private final AtomicLong openNanos = new AtomicLong();
    private final AtomicLong readNanos = new AtomicLong();
    private final AtomicLong restsReadAhead = new AtomicLong();
    private final AtomicLong mergedRanges = new AtomicLong();
    private final AtomicLong readByDriver = new AtomicLong();
    private final AtomicLong readByOtherQuery = new AtomicLong();
    private final AtomicLong unchanged = new AtomicLong();
    private final AtomicLong rowsShared = new AtomicLong();
    private final AtomicLong bytesShared = new AtomicLong();
    private final AtomicLong readNatively = new AtomicLong();
    private final AtomicLong bytesSaved = new AtomicLong();
    private final AtomicLong nativeStopped = new AtomicLong();
    private final AtomicReference<String> nativeRefused = new AtomicReference<>();
    private final AtomicLong blocksByDriver = new AtomicLong();
    private volatile boolean complete;

    /** @param totals of the node, which the split adds to */
    public ReadMetrics(String nodeId, ReadTotals totals)
    {
        this.nodeId = requireNonNull(nodeId, "nodeId is null");
        this.totals = requireNonNull(totals, "totals is null");
        totals.addSplit();
    }

    public void recordThrottleWait(long nanos)
    {
        throttleWaitNanos.addAndGet(nanos);
        totals.addThrottleWait(nanos);
    }

    public void recordPermitWait(long nanos)
    {
        permitWaitNanos.addAndGet(nanos);
        totals.addPermitWait(nanos);
    }

    public void recordOpen(long nanos)
    {
        openNanos.addAndGet(nanos);
    }

    public void recordRead(long pageRows, long pageBytes, long nanos)
    {
        rows.addAndGet(pageRows);
        bytes.addAndGet(pageBytes);
        readNanos.addAndGet(nanos);
        totals.addRead(pageRows, pageBytes);
    }

    public void recordRestReadAhead()
    {
        restsReadAhead.incrementAndGet();
    }

    public void recordMergedRange()
    {
        mergedRanges.incrementAndGet();
    }

    public void recordReadByDriver()
    {
        readByDriver.incrementAndGet();
        totals.addReadByDriver();
    }

    /** Records the pages of a read that another query had done. */
    public void recordReadByOtherQuery(List<Page> pages)
    {
        readByOtherQuery.incrementAndGet();
        pages.forEach(this::recordGiven);
        totals.addReadByOtherQuery();
    }

    /** Records a page that MySQL had sent to another query. */
    public void recordGiven(Page page)
    {
        rowsShared.addAndGet(page.getPositionCount());
        bytesShared.addAndGet(page.getSizeInBytes());
    }

    public void recordUnchanged()
    {
        unchanged.incrementAndGet();
        totals.addUnchanged();
    }

    public void recordReadNatively()
    {
        readNatively.incrementAndGet();
        totals.addReadNatively();
    }

    public void recordBytesSaved(long saved)
    {
        bytesSaved.addAndGet(saved);
    }

    public void recordNativeStopped()
    {
        nativeStopped.incrementAndGet();
    }

    public void recordNativeRefused(String code)
    {
        nativeRefused.set(code);
        totals.addNativeRefused();
    }

    public void recordBlocksByDriver(long blocks)
    {
        blocksByDriver.addAndGet(blocks);
    }

    public void recordEnd()
    {
        complete = true;
    }

    /** Rows that MySQL sent to this query. */
    public long rowsRead()
    {
        return rows.get();
    }

    /** Rows that Trino got, whichever query MySQL had sent them to. */
    long rowsGiven()
    {
        return rows.get() + rowsShared.get();
    }

    long bytesGiven()
    {
        return bytes.get() + bytesShared.get();
    }

    public long readNanos()
    {
        return openNanos.get() + readNanos.get();
    }

    public Metrics toMetrics()
    {
        ImmutableMap.Builder<String, Metric<?>> metrics = ImmutableMap.<String, Metric<?>>builder()
                .put(SPLITS_READ, new LongCount(1))
                .put(SPLITS_READ_BY_NODE + nodeId, new LongCount(1))
                .put(ROWS_READ, new LongCount(rowsRead()))
                .put(BYTES_READ, new LongCount(bytes.get()))
                .put(PERMIT_WAIT_TIME, timing(permitWaitNanos))
                .put(OPEN_TIME, timing(openNanos))
                .put(READ_TIME, timing(readNanos));
        if (throttleWaitNanos.get() >= LEAST_THROTTLE_WAIT_NANOS) {
            metrics.put(THROTTLE_WAIT_TIME, timing(throttleWaitNanos));
        }
        if (restsReadAhead.get() > 0) {
            metrics.put(RESTS_READ_AHEAD, new LongCount(restsReadAhead.get()));
        }
        if (mergedRanges.get() > 0) {
            metrics.put(RANGES_MERGED, new LongCount(mergedRanges.get()));
        }
        if (readByDriver.get() > 0) {
            metrics.put(READ_BY_DRIVER, new LongCount(readByDriver.get()));
        }
        if (readByOtherQuery.get() > 0) {
            metrics.put(READ_BY_OTHER_QUERY, new LongCount(readByOtherQuery.get()));
        }
        if (unchanged.get() > 0) {
            metrics.put(UNCHANGED, new LongCount(unchanged.get()));
        }
        if (readNatively.get() > 0) {
            metrics.put(READ_NATIVELY, new LongCount(readNatively.get()));
        }
        if (bytesSaved.get() > 0) {
            metrics.put(BYTES_SAVED, new LongCount(bytesSaved.get()));
        }
        if (nativeStopped.get() > 0) {
            metrics.put(NATIVE_STOPPED, new LongCount(nativeStopped.get()));
        }
        if (nativeRefused.get() != null) {
            metrics.put(NATIVE_REFUSED + nativeRefused.get(), new LongCount(1));
        }
        if (blocksByDriver.get() > 0) {
            metrics.put(BLOCKS_BY_DRIVER, new LongCount(blocksByDriver.get()));
        }
        if (complete) {
            metrics.put(ROWS_PER_RANGE, TDigestHistogram.fromValue(rowsRead()));
        }
        return new Metrics(metrics.buildOrThrow());
    }

    private static DurationTiming timing(AtomicLong nanos)
    {
        return new DurationTiming(new Duration(nanos.get(), NANOSECONDS));
    }
}
