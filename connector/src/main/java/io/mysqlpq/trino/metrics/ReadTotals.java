package io.mysqlpq.trino.metrics;

import org.weakref.jmx.Managed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Adds up what all splits of this node read since it started. */
public final class ReadTotals
{
    private final LongAdder splits = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final LongAdder throttleWaitNanos = new LongAdder();
    private final LongAdder permitWaitNanos = new LongAdder();
    private final LongAdder byOtherQuery = new LongAdder();
    private final LongAdder unchanged = new LongAdder();
    private final LongAdder natively = new LongAdder();
    private final LongAdder byDriver = new LongAdder();
    private final LongAdder nativeRefused = new LongAdder();

    void addSplit()
    {
        splits.increment();
    }

    void addRead(long pageRows, long pageBytes)
    {
        rows.add(pageRows);
        bytes.add(pageBytes);
    }

    void addThrottleWait(long nanos)
    {
        throttleWaitNanos.add(nanos);
    }

    void addPermitWait(long nanos)
    {
        permitWaitNanos.add(nanos);
    }

    void addReadByOtherQuery()
    {
        byOtherQuery.increment();
    }

    void addUnchanged()
    {
        unchanged.increment();
    }

    void addReadNatively()
    {
        natively.increment();
    }

    void addReadByDriver()
    {
        byDriver.increment();
    }

    void addNativeRefused()
    {
        nativeRefused.increment();
    }

    @Managed(description = "Splits begun")
    public long getSplits()
    {
        return splits.sum();
    }

    @Managed(description = "Rows that MySQL sent")
    public long getRows()
    {
        return rows.sum();
    }

    @Managed(description = "Bytes of the pages made of these rows")
    public long getBytes()
    {
        return bytes.sum();
    }

    @Managed(description = "Seconds that splits waited for a busy or lagging server")
    public double getThrottleWaitSeconds()
    {
        return seconds(throttleWaitNanos);
    }

    @Managed(description = "Seconds that splits waited for a connection")
    public double getPermitWaitSeconds()
    {
        return seconds(permitWaitNanos);
    }

    @Managed(description = "Splits, or ranges of a pushed aggregation, that another query of the snapshot's group had read")
    public long getReadByOtherQuery()
    {
        return byOtherQuery.sum();
    }

    @Managed(description = "Splits, or ranges of a pushed aggregation, that had not changed since another query read them")
    public long getUnchanged()
    {
        return unchanged.sum();
    }

    @Managed(description = "Splits, or ranges of a pushed aggregation, that the extension read")
    public long getReadNatively()
    {
        return natively.sum();
    }

    @Managed(description = "Statements whose rows the driver decoded")
    public long getReadByDriver()
    {
        return byDriver.sum();
    }

    @Managed(description = "Splits, or ranges of a pushed aggregation, that the extension refused or gave up, and MySQL executed")
    public long getNativeRefused()
    {
        return nativeRefused.sum();
    }

    private static double seconds(LongAdder nanos)
    {
        return (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1);
    }
}
