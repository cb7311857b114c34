package io.mysqlpq.trino.metrics;

import io.airlift.units.Duration;
import org.weakref.jmx.Managed;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Adds up how this coordinator planned scans since it started. */
public final class PlanningTotals
{
    private final LongAdder scansByRanges = new LongAdder();
    private final LongAdder scansAsOneSplit = new LongAdder();
    private final LongAdder ranges = new LongAdder();
    private final LongAdder pagesRead = new LongAdder();
    private final LongAdder planningNanos = new LongAdder();

    /** @param pages that the extension looked at to find the ranges */
    public void addRanges(int planned, int pages, Duration planningTime)
    {
        scansByRanges.increment();
        ranges.add(planned);
        pagesRead.add(pages);
        planningNanos.add(planningTime.roundTo(TimeUnit.NANOSECONDS));
    }

    public void addOneSplit(Duration planningTime)
    {
        scansAsOneSplit.increment();
        planningNanos.add(planningTime.roundTo(TimeUnit.NANOSECONDS));
    }

    @Managed(description = "Scans planned as ranges")
    public long getScansByRanges()
    {
        return scansByRanges.sum();
    }

    @Managed(description = "Scans planned as one split")
    public long getScansAsOneSplit()
    {
        return scansAsOneSplit.sum();
    }

    @Managed(description = "Ranges planned")
    public long getRanges()
    {
        return ranges.sum();
    }

    @Managed(description = "Index pages that the extension looked at to plan ranges")
    public long getPagesRead()
    {
        return pagesRead.sum();
    }

    @Managed(description = "Seconds to plan scans and to open their snapshots")
    public double getPlanningSeconds()
    {
        return (double) planningNanos.sum() / TimeUnit.SECONDS.toNanos(1);
    }
}
