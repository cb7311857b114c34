package io.mysqlpq.trino.snapshot;

import org.weakref.jmx.Managed;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import static java.util.concurrent.TimeUnit.SECONDS;

/** Counts this coordinator's snapshots. */
public final class SnapshotStats
{
    private final Set<Donor> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong gaveWay = new AtomicLong();
    private final AtomicLong degraded = new AtomicLong();

    void recordOpened(Donor donor)
    {
        open.add(donor);
        opened.incrementAndGet();
    }

    void recordClosed(Donor donor)
    {
        open.remove(donor);
    }

    void recordLost(Donor donor)
    {
        open.remove(donor);
        lost.incrementAndGet();
    }

    void recordGaveWay()
    {
        gaveWay.incrementAndGet();
    }

    void recordDegraded()
    {
        degraded.incrementAndGet();
    }

    @Managed(description = "Snapshots held now")
    public long getOpen()
    {
        return open.size();
    }

    @Managed(description = "Seconds since the oldest snapshot that is held was opened")
    public double getOldestAgeSeconds()
    {
        return open.stream().mapToDouble(donor -> donor.age().getValue(SECONDS)).max().orElse(0);
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

    @Managed(description = "Snapshots that ended early because another statement waited for one of their tables")
    public long getGaveWay()
    {
        return gaveWay.get();
    }

    @Managed(description = "Queries read without a shared snapshot because the server gave none")
    public long getDegraded()
    {
        return degraded.get();
    }
}
