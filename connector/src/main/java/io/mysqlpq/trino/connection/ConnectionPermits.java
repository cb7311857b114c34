package io.mysqlpq.trino.connection;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multiset;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.spi.TrinoException;
import jakarta.annotation.Nullable;
import org.weakref.jmx.Managed;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static java.lang.Math.min;
import static java.lang.System.nanoTime;
import static java.util.Comparator.comparing;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Limits the connections that this node reads through at the same time.
 *
 * <p>Trino's users take turns for a permit that comes free. Among one user's scans, the scan that holds the fewest permits is next. Among
 * equal scans, the one that came first is next.
 *
 * <p>A reader holds its permit while MySQL works for it. A reader whose page nobody takes has to give its connection back when a scan has
 * none. The consumer may be waiting for that scan, as the probe side of a join waits for the build side. Each scan that someone reads from
 * therefore goes on, however few permits there are. See docs/decisions/connection-cap.md.
 */
public final class ConnectionPermits
{
    // A consumer that works takes its next page sooner than this, even on a busy machine.
    private static final long IDLE_NANOS = MILLISECONDS.toNanos(500);
    // After this part of the longest wait an idle reader has to give its connection back, even if others still read.
    private static final int PATIENCE_PART = 60;

    private final int mostConnections;
    private final Duration timeout;
    private final ConnectionClock clock;
    private final AtomicLong givenBack = new AtomicLong();

    @GuardedBy("this")
    private final Set<Permit> permits = new LinkedHashSet<>();
    @GuardedBy("this")
    private final Multiset<String> heldByScan = HashMultiset.create();
    @GuardedBy("this")
    private final Multiset<String> heldByQuery = HashMultiset.create();
    @GuardedBy("this")
    private final UserTurns users = new UserTurns();
    @GuardedBy("this")
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    @GuardedBy("this")
    @Nullable
    private ConnectionShare share;
    @GuardedBy("this")
    private boolean ticking;

    @Inject
    public ConnectionPermits(ConnectionConfig config, ConnectionClock clock)
    {
        this.mostConnections = config.getMaxConnectionsPerNode();
        this.timeout = config.getConnectionQueueTimeout();
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Takes over this node's share of the connections that the whole cluster may have. Ignores a share that is older than the present one. */
    public void limit(ConnectionShare share)
    {
        synchronized (this) {
            if (this.share == null || share.replaces(this.share)) {
                this.share = share;
            }
        }
        grant();
    }

    /** Completes when the scan may open a connection. Cancel the future to give up waiting. */
    public CompletableFuture<Permit> acquire(ReadingScan scan)
    {
        Waiter waiter = new Waiter(scan);
        synchronized (this) {
            waiters.add(waiter);
        }
        grant();
        return waiter.future;
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

    @Managed(description = "Splits that read their rest into memory to free a connection for another scan")
    public long getGivenBack()
    {
        return givenBack.get();
    }

    @Managed(description = "Connections that this node may read through now")
    public synchronized int getLimit()
    {
        return share == null ? mostConnections : min(share.node(), mostConnections);
    }

    public synchronized int waiting()
    {
        return (int) waiters.stream().filter(waiter -> !waiter.future.isDone()).count();
    }

    public synchronized int held()
    {
        return permits.size();
    }

    /** How many of the scan's splits have a connection on this node. */
    public synchronized int reading(String scanId)
    {
        return heldByScan.count(scanId);
    }

    private void grant()
    {
        List<Runnable> grants = new ArrayList<>();
        synchronized (this) {
            waiters.removeIf(waiter -> waiter.future.isDone());
            for (Waiter next = next(); next != null; next = next()) {
                Waiter waiter = next;
                waiters.remove(waiter);
                Permit permit = hold(waiter.scan);
                grants.add(() -> {
                    if (!waiter.future.complete(permit)) {
                        permit.close();
                    }
                });
            }
            keepTicking();
        }
        // Completing a future runs its reader's code: never under our lock.
        grants.forEach(Runnable::run);
    }

    @GuardedBy("this")
    @Nullable
    private Waiter next()
    {
        if (permits.size() >= getLimit()) {
            return null;
        }
        Waiter next = null;
        for (Waiter waiter : waiters) {
            if (isWithinQueryShare(waiter.scan) && (next == null || isBefore(waiter.scan, next.scan))) {
                next = waiter;
            }
        }
        return next;
    }

    @GuardedBy("this")
    private boolean isWithinQueryShare(ReadingScan scan)
    {
        return heldByQuery.count(scan.queryId()) < scan.queryShare() || isStarving(scan);
    }

    @GuardedBy("this")
    private boolean isBefore(ReadingScan scan, ReadingScan other)
    {
        int turn = users.compare(scan.user(), other.user());
        return turn == 0 ? heldByScan.count(scan.scanId()) < heldByScan.count(other.scanId()) : turn < 0;
    }

    @GuardedBy("this")
    private boolean isStarving(ReadingScan scan)
    {
        return !heldByScan.contains(scan.scanId());
    }

    @GuardedBy("this")
    private Permit hold(ReadingScan scan)
    {
        Permit permit = new Permit(scan);
        permits.add(permit);
        heldByScan.add(scan.scanId());
        heldByQuery.add(scan.queryId());
        users.take(scan.user());
        return permit;
    }

    @GuardedBy("this")
    private void keepTicking()
    {
        if (waiters.isEmpty()) {
            users.forget();
        }
        else if (!ticking) {
            ticking = true;
            clock.tick(this::tick);
        }
    }

    private void tick()
    {
        try {
            look();
        }
        finally {
            synchronized (this) {
                ticking = false;
                keepTicking();
            }
        }
    }

    private void look()
    {
        List<Waiter> late = new ArrayList<>();
        Optional<Permit> idle;
        synchronized (this) {
            List<Waiter> starving = new ArrayList<>();
            for (Waiter waiter : waiters) {
                if (isStarving(waiter.scan)) {
                    starving.add(waiter);
                }
                else {
                    waiter.isServed();
                }
                if (waiter.hasWaited(timeout.roundTo(NANOSECONDS))) {
                    late.add(waiter);
                }
            }
            idle = starving.isEmpty() ? Optional.empty() : toGiveBack(starving.stream().anyMatch(waiter -> waiter.hasWaited(timeout.roundTo(NANOSECONDS) / PATIENCE_PART)));
        }
        late.forEach(waiter -> waiter.future.completeExceptionally(tooLate()));
        grant();
        if (idle.isPresent() && idle.get().giveBack()) {
            givenBack.incrementAndGet();
        }
    }

    // Takes one reader at a time, and none while a permit seems about to come free: what is left to read costs memory.
    @GuardedBy("this")
    private Optional<Permit> toGiveBack(boolean isUrgent)
    {
        List<Permit> held = ImmutableList.copyOf(permits);
        List<Permit> idle = held.stream().filter(Permit::isIdle).collect(toImmutableList());
        boolean isAnyAsked = held.stream().anyMatch(permit -> permit.asked);
        return idle.size() == held.size() || (isUrgent && !isAnyAsked)
                ? idle.stream().min(comparing((Permit permit) -> permit.wholeStatement).thenComparing(permit -> permit.idleSinceNanos, (a, b) -> Long.compare(a - b, 0)))
                : Optional.empty();
    }

    private TrinoException tooLate()
    {
        return new TrinoException(
                MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT,
                "No connection for reading was free within %s: other scans hold all %s of this node. Run the query later, or raise max-connections-per-server, max-connections-per-node or connection-queue-timeout"
                        .formatted(timeout, getLimit()));
    }

    private static final class Waiter
    {
        private final ReadingScan scan;
        private final CompletableFuture<Permit> future = new CompletableFuture<>();
        // The scan has had no connection since then.
        private long sinceNanos = nanoTime();

        Waiter(ReadingScan scan)
        {
            this.scan = requireNonNull(scan, "scan is null");
        }

        void isServed()
        {
            sinceNanos = nanoTime();
        }

        boolean hasWaited(long nanos)
        {
            return nanoTime() - sinceNanos > nanos;
        }
    }

    /** Is the right to read through one connection, until it is closed. */
    public final class Permit
            implements AutoCloseable
    {
        private final ReadingScan scan;
        // The lock of ConnectionPermits guards all of these.
        private boolean closed;
        // Empty while MySQL works for the reader.
        private Optional<BooleanSupplier> reader = Optional.empty();
        private long idleSinceNanos;
        private boolean wholeStatement;
        private boolean asked;

        private Permit(ReadingScan scan)
        {
            this.scan = scan;
        }

        /**
         * Tells that the reader's next page is there, and nobody has taken it yet.
         *
         * @param wholeStatement whether what is left may be much more than a range
         * @param giveBack begins to read what is left into memory, to give the connection back, and returns at once; false if the page is taken by now
         */
        public void waitsForConsumer(boolean wholeStatement, BooleanSupplier giveBack)
        {
            synchronized (ConnectionPermits.this) {
                this.wholeStatement = wholeStatement;
                reader = Optional.of(giveBack);
                idleSinceNanos = nanoTime();
            }
        }

        /** Tells that the page is taken, and the reader reads on. */
        public void readsOn()
        {
            synchronized (ConnectionPermits.this) {
                reader = Optional.empty();
            }
        }

        private boolean isIdle()
        {
            return reader.isPresent() && nanoTime() - idleSinceNanos > IDLE_NANOS;
        }

        private boolean giveBack()
        {
            Optional<BooleanSupplier> idle;
            synchronized (ConnectionPermits.this) {
                idle = reader;
            }
            // The call takes locks of the reader, and the reader may be about to call us.
            boolean gives = idle.isPresent() && asksReader(idle.get());
            synchronized (ConnectionPermits.this) {
                if (gives) {
                    asked = true;
                    reader = Optional.empty();
                }
            }
            return gives;
        }

        // A reader that fails is not asked again, because others may have something to give.
        private boolean asksReader(BooleanSupplier idle)
        {
            try {
                return idle.getAsBoolean();
            }
            catch (RuntimeException | Error e) {
                readsOn();
                throw e;
            }
        }

        @Override
        public void close()
        {
            synchronized (ConnectionPermits.this) {
                if (closed) {
                    return;
                }
                closed = true;
                permits.remove(this);
                heldByScan.remove(scan.scanId());
                heldByQuery.remove(scan.queryId());
                users.giveBack(scan.user());
            }
            grant();
        }
    }
}
