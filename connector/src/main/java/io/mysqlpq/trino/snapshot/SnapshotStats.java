package io.mysqlpq.trino.snapshot;

import org.weakref.jmx.Managed;

import java.util.concurrent.atomic.AtomicLong;

/** Counts this coordinator's snapshots. */
public final class SnapshotStats
{
    private final AtomicLong open = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong degraded = new AtomicLong();

    void recordOpened()
    {
        open.incrementAndGet();
        opened.incrementAndGet();
    }

    void recordClosed()
    {
        open.decrementAndGet();
    }

    void recordLost()
    {
        open.decrementAndGet();
        lost.incrementAndGet();
    }

    void recordDegraded()
    {
        degraded.incrementAndGet();
    }

    @Managed(description = "Snapshots held now")
    public long getOpen()
    {
        return open.get();
    }

    @Managed(description = "Snapshots opened since start")
    public long getOpened()
    {
        return opened.get();
    }

    @Managed(description = "Snapshots that MySQL ended while they were held")
    public long getLost()
    {
        return lost.get();
    }

    @Managed(description = "Queries read without a shared snapshot because the server gave none")
    public long getDegraded()
    {
        return degraded.get();
    }
}
