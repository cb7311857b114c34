package io.mysqlpq.trino.connection;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import org.weakref.jmx.Managed;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static java.lang.Math.clamp;

/**
 * Limits the connections that this node reads through at the same time.
 *
 * <p>Each scan may always hold one, even beyond the limit. Without that, the probe side of a join could hold all
 * permits while its output waits for the build side, which waits for a permit: a deadlock. With it, every scan
 * that someone still reads from makes progress, and a split waits only while another split of its own scan
 * is being read; so no wait needs a time-out. The most there can be is the limit plus the number of scans.
 */
public final class ConnectionPermits
{
    @GuardedBy("this")
    private final Multiset<String> heldByScan = HashMultiset.create();
    @GuardedBy("this")
    private final Multiset<String> sharedByQuery = HashMultiset.create();
    @GuardedBy("this")
    private final Deque<Waiter> waiters = new ArrayDeque<>();
    private final int mostConnections;
    private final AtomicLong degraded = new AtomicLong();
    @GuardedBy("this")
    private int limit;
    @GuardedBy("this")
    private int shared;

    @Inject
    public ConnectionPermits(ConnectionSettings settings)
    {
        this.mostConnections = settings.maxConnections();
        this.limit = mostConnections;
    }

    /** Takes over this node's share of the connections that the whole cluster may have. */
    public void limit(int share)
    {
        synchronized (this) {
            limit = clamp(share, 1, mostConnections);
        }
        grant();
    }

    /** Completes when the scan may open a connection. Cancel the future to give up waiting. */
    public CompletableFuture<Permit> acquire(ReadingScan scan)
    {
        CompletableFuture<Permit> future = new CompletableFuture<>();
        synchronized (this) {
            waiters.add(new Waiter(scan, future));
        }
        grant();
        return future;
    }

    @Managed(description = "Splits that wait for a connection")
    public int getWaiting()
    {
        return waiting();
    }

    @Managed(description = "Splits that hold a connection")
    public int getRunning()
    {
        return held();
    }

    @Managed(description = "Splits read through their scan's guaranteed connection, because all others were in use, or their query had its share of them")
    public long getDegraded()
    {
        return degraded.get();
    }

    @Managed(description = "Connections that this node may share out now")
    public synchronized int getLimit()
    {
        return limit;
    }

    public synchronized int waiting()
    {
        return (int) waiters.stream().filter(waiter -> !waiter.future().isDone()).count();
    }

    public synchronized int held()
    {
        return heldByScan.size();
    }

    private void grant()
    {
        List<Runnable> grants = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Waiter> next = waiters.iterator(); next.hasNext();) {
                Waiter waiter = next.next();
                if (waiter.future().isDone()) {
                    next.remove();
                    continue;
                }
                ReadingScan scan = waiter.scan();
                boolean sharedOut = shared < limit && sharedByQuery.count(scan.queryId()) < scan.queryShare();
                if (!sharedOut && heldByScan.contains(scan.scanId())) {
                    continue;
                }
                next.remove();
                count(scan, sharedOut);
                Permit permit = new Permit(scan, sharedOut);
                grants.add(() -> {
                    if (!waiter.future().complete(permit)) {
                        permit.close();
                    }
                });
            }
        }
        // Completing a future runs its reader's code: never under our lock.
        grants.forEach(Runnable::run);
    }

    @GuardedBy("this")
    private void count(ReadingScan scan, boolean sharedOut)
    {
        heldByScan.add(scan.scanId());
        if (sharedOut) {
            shared++;
            sharedByQuery.add(scan.queryId());
        }
        else {
            degraded.incrementAndGet();
        }
    }

    /** How many of the scan's splits have a connection on this node. */
    public synchronized int reading(String scanId)
    {
        return heldByScan.count(scanId);
    }

    private record Waiter(ReadingScan scan, CompletableFuture<Permit> future)
    {}

    /** Stands for one connection until it is closed. */
    public final class Permit
            implements AutoCloseable
    {
        private final ReadingScan scan;
        private final boolean sharedOut;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Permit(ReadingScan scan, boolean sharedOut)
        {
            this.scan = scan;
            this.sharedOut = sharedOut;
        }

        @Override
        public void close()
        {
            if (!closed.compareAndSet(false, true)) {
                return;
            }
            synchronized (ConnectionPermits.this) {
                heldByScan.remove(scan.scanId());
                if (sharedOut) {
                    shared--;
                    sharedByQuery.remove(scan.queryId());
                }
            }
            grant();
        }
    }
}
