package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
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
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Keeps requests that have to wait for a server. In each interval it asks again what stands in their way, and it gives up after a time. One
 * thread does it for all.
 */
final class AdmissionQueue
{
    private static final Logger log = Logger.get(AdmissionQueue.class);

    private final Duration interval;
    private final Duration waitTimeout;
    private final BiFunction<ConnectorSession, List<Condition>, Optional<Obstacle>> judge;
    private final Ticker ticker;
    private final ScheduledThreadPoolExecutor clock;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong heldBack = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    // Only the clock's thread touches it.
    private final List<Waiter> waiters = new ArrayList<>();
    private boolean closed;

    /** @param judge tells what stands in a session's way. It runs on the queue's thread, and may block there */
    AdmissionQueue(String catalog, Duration interval, Duration waitTimeout, BiFunction<ConnectorSession, List<Condition>, Optional<Obstacle>> judge, Ticker ticker)
    {
        this.interval = requireNonNull(interval, "interval is null");
        this.waitTimeout = requireNonNull(waitTimeout, "waitTimeout is null");
        this.judge = requireNonNull(judge, "judge is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        // Starts its thread with the first task.
        this.clock = new ScheduledThreadPoolExecutor(1, daemonThreadsNamed(catalog + "-throttle-%s"));
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /**
     * Completes when nothing stands in the way. Cancel the future to give up waiting.
     *
     * @param admitted runs right after that, unless the request was exempt or the future was cancelled
     */
    CompletableFuture<Void> admit(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted)
    {
        Waiter waiter = new Waiter(session, conditions, exempt, admitted, ticker.read(), new CompletableFuture<>());
        try {
            clock.execute(() -> begin(waiter));
            return waiter.future();
        }
        catch (RejectedExecutionException _) {
            return failedFuture(shutDown());
        }
    }

    /** Completes with whether something stands in the way now. */
    CompletableFuture<Boolean> isHeldBack(ConnectorSession session, List<Condition> conditions)
    {
        return ask(() -> judge.apply(session, conditions).isPresent());
    }

    /** Completes with the answer to a question, which is asked on the queue's thread. */
    <T> CompletableFuture<T> ask(Supplier<T> question)
    {
        try {
            return supplyAsync(question, clock);
        }
        catch (RejectedExecutionException _) {
            return failedFuture(shutDown());
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
        if (closed) {
            waiter.future().completeExceptionally(shutDown());
            return;
        }
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
            if (waiter.exempt().getAsBoolean()) {
                waiter.future().complete(null);
                return true;
            }
            Optional<Obstacle> obstacle = judge.apply(waiter.session(), waiter.conditions());
            if (obstacle.isEmpty()) {
                if (letIn(waiter) && !waiters.isEmpty()) {
                    waiter.conditions().forEach(Condition::letIn);
                }
                return true;
            }
            if (ticker.read() - waiter.startNanos() < waitTimeout.roundTo(NANOSECONDS)) {
                return false;
            }
            log.debug("Query %s ended its wait for MySQL without being admitted: %s", waiter.session().getQueryId(), obstacle.get().message());
            throw new TrinoException(obstacle.get().code(), "Waited for %s. %s".formatted(waitTimeout, obstacle.get().message()));
        }
        // A clock that throws stops.
        catch (RuntimeException | Error e) {
            refused.incrementAndGet();
            waiter.future().completeExceptionally(e);
            return true;
        }
    }

    // Nobody is told of a request that was cancelled while MySQL was asked: nobody would take it back.
    private static boolean letIn(Waiter waiter)
    {
        boolean isLetIn = waiter.future().complete(null);
        if (isLetIn) {
            waiter.admitted().run();
        }
        return isLetIn;
    }

    void close()
    {
        clock.execute(() -> {
            closed = true;
            waiters.forEach(waiter -> waiter.future().completeExceptionally(shutDown()));
        });
        clock.shutdown();
    }

    private static TrinoException shutDown()
    {
        return new TrinoException(MYSQL_PQ_SERVER_BUSY, "The catalog was dropped or shut down while the query waited. Run the query again in an existing catalog");
    }

    private record Waiter(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted, long startNanos, CompletableFuture<Void> future)
    {}
}
