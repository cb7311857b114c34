package io.mysqlpq.trino.throttle;

import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Keeps what has to wait for a server, asks again in each interval what is in its way, and gives up after a time. One thread does it for all. */
final class AdmissionQueue
{
    private static final Logger log = Logger.get(AdmissionQueue.class);

    private final Duration interval;
    private final Duration waitTimeout;
    private final Function<Waiter, Optional<Obstacle>> judge;
    private final ScheduledThreadPoolExecutor clock;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong heldBack = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    // Of the clock's thread.
    private final List<Waiter> waiters = new ArrayList<>();

    /** @param judge says what is in the way of a waiter, on the queue's thread, on which it may block */
    AdmissionQueue(String catalog, Duration interval, Duration waitTimeout, Function<Waiter, Optional<Obstacle>> judge)
    {
        this.interval = requireNonNull(interval, "interval is null");
        this.waitTimeout = requireNonNull(waitTimeout, "waitTimeout is null");
        this.judge = requireNonNull(judge, "judge is null");
        // Starts its thread with the first task.
        this.clock = new ScheduledThreadPoolExecutor(1, daemonThreadsNamed(catalog + "-throttle-%s"));
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Completes when nothing is in the way. Cancel the future to give up waiting. */
    CompletableFuture<Void> admit(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted)
    {
        Waiter waiter = new Waiter(session, conditions, exempt, admitted, nanoTime(), new CompletableFuture<>());
        try {
            clock.execute(() -> begin(waiter));
            return waiter.future();
        }
        catch (RejectedExecutionException e) {
            return failedFuture(new TrinoException(MYSQL_PQ_SERVER_BUSY, "The catalog is shut down", e));
        }
    }

    int waiting()
    {
        return waiting.get();
    }

    long heldBack()
    {
        return heldBack.get();
    }

    long refused()
    {
        return refused.get();
    }

    private void begin(Waiter waiter)
    {
        if (goesOn(waiter)) {
            return;
        }
        heldBack.incrementAndGet();
        waiters.add(waiter);
        waiting.set(waiters.size());
        if (waiters.size() == 1) {
            schedule();
        }
    }

    private void schedule()
    {
        ScheduledFuture<?> _ = clock.schedule(this::tick, interval.toMillis(), MILLISECONDS);
    }

    private void tick()
    {
        waiters.removeIf(this::goesOn);
        waiting.set(waiters.size());
        if (!waiters.isEmpty()) {
            schedule();
        }
    }

    // Completing a future runs code of its reader, which does nothing but begin to wait for a connection, or start a thread.
    private boolean goesOn(Waiter waiter)
    {
        if (waiter.future().isDone()) {
            return true;
        }
        try {
            Optional<Obstacle> obstacle = waiter.exempt().getAsBoolean() ? Optional.empty() : judge.apply(waiter);
            if (obstacle.isEmpty()) {
                waiter.admitted().run();
                waiter.future().complete(null);
                return true;
            }
            if (nanosSince(waiter.startNanos()).compareTo(waitTimeout) < 0) {
                return false;
            }
            log.debug("Query %s waited for MySQL in vain: %s", waiter.session().getQueryId(), obstacle.get().message());
            throw new TrinoException(obstacle.get().code(), "Waited for %s. %s".formatted(waitTimeout, obstacle.get().message()));
        }
        // A clock that throws stops.
        catch (RuntimeException | Error e) {
            refused.incrementAndGet();
            waiter.future().completeExceptionally(e);
            return true;
        }
    }

    void close()
    {
        clock.execute(() -> waiters.forEach(waiter -> waiter.future().completeExceptionally(new TrinoException(MYSQL_PQ_SERVER_BUSY, "The catalog is shut down"))));
        clock.shutdown();
    }

    record Waiter(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted, long startNanos, CompletableFuture<Void> future)
    {}
}
