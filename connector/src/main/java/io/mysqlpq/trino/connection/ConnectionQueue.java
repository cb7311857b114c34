package io.mysqlpq.trino.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.units.Duration;
import io.trino.spi.TrinoException;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Predicate;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Hands out permits for the coordinator's connections of one kind. Trino's users take turns, and each user's requests are served in their
 * order.
 *
 * <p>A caller that waits holds no thread, and can give up at any time.
 */
public final class ConnectionQueue
{
    private final String purpose;
    private final IntSupplier limit;
    private final Duration timeout;
    private final Duration longest;
    private final ConnectionClock clock;
    private final AtomicLong waitNanos = new AtomicLong();
    private volatile Runnable onWait = () -> {};

    @GuardedBy("this")
    private final Set<Waiter> waiters = new LinkedHashSet<>();
    @GuardedBy("this")
    private final UserTurns turns = new UserTurns();
    @GuardedBy("this")
    private final Set<Permit> held = new LinkedHashSet<>();
    @GuardedBy("this")
    private boolean ticking;

    /**
     * @param purpose as messages name it, such as: that plan queries
     * @param longest time after which an open connection no longer counts while others wait
     */
    ConnectionQueue(String purpose, IntSupplier limit, Duration timeout, Duration longest, ConnectionClock clock)
    {
        this.purpose = requireNonNull(purpose, "purpose is null");
        this.limit = requireNonNull(limit, "limit is null");
        this.timeout = requireNonNull(timeout, "timeout is null");
        this.longest = requireNonNull(longest, "longest is null");
        this.clock = requireNonNull(clock, "clock is null");
    }

    /** Completes when the user may open a connection. Cancel the future to give up waiting. */
    public CompletableFuture<Permit> acquire(String user)
    {
        Waiter waiter = new Waiter(user, nanoTime(), new CompletableFuture<>());
        synchronized (this) {
            waiters.add(waiter);
        }
        grant();
        if (!waiter.future().isDone()) {
            onWait.run();
        }
        return waiter.future();
    }

    /** Runs whenever somebody begins to wait. */
    void whenWaitedFor(Runnable onWait)
    {
        this.onWait = requireNonNull(onWait, "onWait is null");
    }

    /** Waits for a permit. Gives up if the thread is interrupted. */
    public static Permit await(CompletableFuture<Permit> wait)
    {
        return await(wait, () -> {});
    }

    /** @param checkWanted called now and then; throws if nobody wants the permit any more */
    public static Permit await(CompletableFuture<Permit> wait, Runnable checkWanted)
    {
        boolean granted = false;
        try {
            while (!wait.isDone()) {
                checkWanted.run();
                waitFor(wait);
            }
            Permit permit = wait.get();
            granted = true;
            return permit;
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrinoException(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT, "Interrupted while waiting for a connection", e);
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            throw new IllegalStateException(e.getCause());
        }
        finally {
            if (!granted) {
                release(wait);
            }
        }
    }

    private static void waitFor(CompletableFuture<Permit> wait)
            throws InterruptedException, ExecutionException
    {
        try {
            Permit _ = wait.get(ConnectionClock.TICK_MILLIS, MILLISECONDS);
        }
        catch (TimeoutException _) {
            // The caller asks again.
        }
    }

    /** Gives a permit back, or gives up the wait for it. */
    public static void release(CompletableFuture<Permit> wait)
    {
        if (!wait.cancel(false)) {
            CompletableFuture<Void> _ = wait.thenAccept(Permit::close);
        }
    }

    int limit()
    {
        return limit.getAsInt();
    }

    synchronized int held()
    {
        return turns.held();
    }

    synchronized int waiting()
    {
        return (int) waiters.stream().filter(waiter -> !waiter.future().isDone()).count();
    }

    Duration waited()
    {
        return new Duration(waitNanos.get(), NANOSECONDS);
    }

    private void grant()
    {
        try {
            // The limit depends on the workers there are, so it is asked for without our lock.
            grant(limit.getAsInt());
        }
        catch (RuntimeException e) {
            waiting(_ -> true).forEach(waiter -> waiter.future().completeExceptionally(e));
        }
    }

    private void grant(int most)
    {
        List<Runnable> grants = new ArrayList<>();
        synchronized (this) {
            waiters.removeIf(waiter -> waiter.future().isDone());
            while (turns.held() < most && !waiters.isEmpty()) {
                Waiter next = next();
                waiters.remove(next);
                turns.take(next.user());
                waitNanos.addAndGet(nanoTime() - next.startNanos());
                Permit permit = new Permit(next.user());
                held.add(permit);
                grants.add(() -> {
                    if (!next.future().complete(permit)) {
                        permit.close();
                    }
                });
            }
            keepTicking();
        }
        // Completing a future runs code of whoever waited: never under our lock.
        grants.forEach(Runnable::run);
    }

    @GuardedBy("this")
    private Waiter next()
    {
        Waiter next = waiters.iterator().next();
        for (Waiter waiter : waiters) {
            if (turns.compare(waiter.user(), next.user()) < 0) {
                next = waiter;
            }
        }
        return next;
    }

    @GuardedBy("this")
    private void keepTicking()
    {
        if (waiters.isEmpty()) {
            turns.forget();
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

    // Shares may have grown, and waits may be over. Those who can go on do so first. If the limit is no longer known, they fail at once.
    private void look()
    {
        heldTooLong().forEach(Permit::close);
        grant();
        waiting(waiter -> nanoTime() - waiter.startNanos() > timeout.roundTo(NANOSECONDS)).forEach(waiter -> waiter.future().completeExceptionally(tooLate()));
    }

    private synchronized List<Permit> heldTooLong()
    {
        return held.stream().filter(permit -> permit.hasBeenOpenFor(longest.roundTo(NANOSECONDS))).collect(toImmutableList());
    }

    private synchronized List<Waiter> waiting(Predicate<Waiter> condition)
    {
        return waiters.stream().filter(condition).collect(toImmutableList());
    }

    private TrinoException tooLate()
    {
        return new TrinoException(
                MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT,
                "No connection %s was free within %s: other queries hold all %s of them. Run the query later, or raise connection-queue-timeout or max-connections-per-server. The account's MAX_USER_CONNECTIONS limits connections too".formatted(purpose, timeout, limit.getAsInt()));
    }

    private record Waiter(String user, long startNanos, CompletableFuture<Permit> future)
    {}

    /** Is the right to have one connection, until it is closed. */
    public final class Permit
            implements AutoCloseable
    {
        private final String user;
        private final AtomicBoolean closed = new AtomicBoolean();

        private volatile OptionalLong openedNanos = OptionalLong.empty();

        private Permit(String user)
        {
            this.user = user;
        }

        /** Tells that MySQL has accepted the connection. */
        public void opened()
        {
            openedNanos = OptionalLong.of(nanoTime());
        }

        private boolean hasBeenOpenFor(long nanos)
        {
            OptionalLong opened = openedNanos;
            return opened.isPresent() && nanoTime() - opened.getAsLong() > nanos;
        }

        @Override
        public void close()
        {
            if (!closed.compareAndSet(false, true)) {
                return;
            }
            synchronized (ConnectionQueue.this) {
                turns.giveBack(user);
                held.remove(this);
            }
            grant();
        }
    }
}
