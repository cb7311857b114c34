package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.ConnectionSettings;
import io.mysqlpq.trino.throttle.ServerReadings.Gauges;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.PreDestroy;
import org.weakref.jmx.Managed;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Lets queries and their ranges begin when the server is fit for them, and makes them wait, for a limited time, while it is not.
 *
 * <p>One thread asks MySQL and decides for all: so a node asks once in an interval, however many wait, and waiting takes no thread.
 */
public final class ServerAdmission
        implements JdbcQueryEventListener
{
    private static final Logger log = Logger.get(ServerAdmission.class);

    private final ConnectionPools connections;
    private final RemoteQueryModifier queryModifier;
    private final Duration interval;
    private final Duration waitTimeout;
    private final Gauges gauges;
    private final List<Condition> ofQueries;
    private final List<Condition> ofRanges;
    // One of whose scans was let in. The others go on: it may be what the first one waits for, with MySQL's threads in its hands.
    private final Set<String> admittedQueries = ConcurrentHashMap.newKeySet();
    private final ScheduledThreadPoolExecutor clock;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong heldBack = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    // Of the clock's thread.
    private final List<Waiter> waiters = new ArrayList<>();

    @Inject
    public ServerAdmission(ConnectionPools connections, ConnectionSettings settings, RemoteQueryModifier queryModifier, ThrottleConfig config)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.interval = config.getThrottlePollInterval();
        this.waitTimeout = config.getThrottleWaitTimeout();
        this.gauges = Gauges.of(interval, Ticker.systemTicker());
        this.ofRanges = throttles(config);
        this.ofQueries = config.isGroupMemberCheckEnabled() ? ImmutableList.<Condition>builder().add(new UnreadyMember()).addAll(ofRanges).build() : ofRanges;
        // Starts its thread with the first task.
        this.clock = new ScheduledThreadPoolExecutor(1, daemonThreadsNamed(settings.catalog() + "-throttle-%s"));
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    private static List<Condition> throttles(ThrottleConfig config)
    {
        ImmutableList.Builder<Condition> throttles = ImmutableList.builder();
        if (config.getThrottleThreadsRunning() > 0) {
            throttles.add(new BusyThreads(Hysteresis.of(config.getThrottleThreadsRunning(), config.getThrottleThreadsRunningResume())));
        }
        if (config.getThrottleReplicaLag().toMillis() > 0) {
            throttles.add(new LaggingReplica(Hysteresis.of(config.getThrottleReplicaLag().toMillis(), config.getThrottleReplicaLagResume().toMillis())));
        }
        return throttles.build();
    }

    /** Completes when the query may begin to read, which each of its scans asks for. Cancel the future to give up waiting. */
    public CompletableFuture<Void> admitQuery(ConnectorSession session)
    {
        String query = session.getQueryId();
        return admit(session, conditions(session), () -> admittedQueries.contains(query), () -> admittedQueries.add(query));
    }

    private List<Condition> conditions(ConnectorSession session)
    {
        Duration maxLag = LagSessionProperties.maxReplicaLag(session);
        if (maxLag.toMillis() == 0) {
            return ofQueries;
        }
        return ImmutableList.<Condition>builder()
                .addAll(ofQueries)
                .add(new StaleReplica(maxLag, LagSessionProperties.replicaLagHandling(session)))
                .build();
    }

    @Override
    public void beginQuery(ConnectorSession session)
    {}

    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        admittedQueries.remove(session.getQueryId());
    }

    /**
     * The same of one range of a query that was admitted.
     *
     * @param exempt whether to go on in any case by now: a scan of which nothing is read could be what the others of its query wait for,
     * while they keep MySQL's threads
     */
    public CompletableFuture<Void> admitRange(ConnectorSession session, BooleanSupplier exempt)
    {
        return admit(session, ofRanges, exempt, () -> {});
    }

    private CompletableFuture<Void> admit(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted)
    {
        if (conditions.isEmpty() || exempt.getAsBoolean()) {
            return completedFuture(null);
        }
        Waiter waiter = new Waiter(session, conditions, exempt, admitted, nanoTime(), new CompletableFuture<>());
        try {
            clock.execute(() -> begin(waiter));
            return waiter.future();
        }
        catch (RejectedExecutionException e) {
            return failedFuture(new TrinoException(MYSQL_PQ_SERVER_BUSY, "The catalog is shut down", e));
        }
    }

    @Managed(description = "Queries and ranges that wait for a busy or lagging server")
    public int getWaiting()
    {
        return waiting.get();
    }

    @Managed(description = "Queries and ranges that had to wait for a busy or lagging server")
    public long getHeldBack()
    {
        return heldBack.get();
    }

    @Managed(description = "Queries and ranges that failed because the server was not fit for them")
    public long getRefused()
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
            Optional<Obstacle> obstacle = waiter.exempt().getAsBoolean() ? Optional.empty() : obstacle(waiter);
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

    private Optional<Obstacle> obstacle(Waiter waiter)
    {
        try (ServerReadings readings = new ServerReadings(connections, queryModifier, waiter.session(), gauges)) {
            for (Condition condition : waiter.conditions()) {
                Optional<Obstacle> obstacle = obstacle(condition, readings);
                if (obstacle.isPresent()) {
                    return obstacle;
                }
            }
        }
        catch (SQLException e) {
            log.debug(e, "Returning a connection that asked for the state of MySQL");
        }
        return Optional.empty();
    }

    private static Optional<Obstacle> obstacle(Condition condition, ServerReadings readings)
    {
        try {
            return condition.obstacle(readings);
        }
        catch (SQLException e) {
            return condition.unreadable(e);
        }
    }

    @PreDestroy
    public void close()
    {
        clock.execute(() -> waiters.forEach(waiter -> waiter.future().completeExceptionally(new TrinoException(MYSQL_PQ_SERVER_BUSY, "The catalog is shut down"))));
        clock.shutdown();
    }

    private record Waiter(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted, long startNanos, CompletableFuture<Void> future)
    {}
}
