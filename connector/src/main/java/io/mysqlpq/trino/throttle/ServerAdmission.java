package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.throttle.ServerReadings.Gauges;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.PreDestroy;
import org.weakref.jmx.Managed;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Lets queries and their ranges begin when the server is fit for them. While it is not, they wait for a limited time.
 *
 * <p>One thread asks MySQL and decides for all. A node therefore asks once in an interval, however many wait, and waiting takes no thread.
 */
public final class ServerAdmission
        implements JdbcQueryEventListener
{
    private static final Logger log = Logger.get(ServerAdmission.class);
    private static final int INTERVALS_REMEMBERED = 3;
    private static final long LEAST_MEMORY_MILLIS = 10_000;

    private final ConnectionPools connections;
    private final RemoteQueryModifier queryModifier;
    private final Duration interval;
    private final Gauges gauges;
    private final List<Condition> ofQueries;
    private final List<Condition> ofRanges;
    private final AdmittedQueries admittedQueries = new AdmittedQueries();
    private final AdmissionQueue queue;

    @Inject
    public ServerAdmission(ConnectionPools connections, CatalogName catalog, RemoteQueryModifier queryModifier, ThrottleConfig config, Ticker ticker)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.interval = config.getThrottlePollInterval();
        this.gauges = Gauges.of(interval, ticker);
        this.ofRanges = throttles(config, ticker);
        this.ofQueries = config.isGroupMemberCheckEnabled() ? ImmutableList.of(new UnreadyMember()) : ImmutableList.of();
        this.queue = new AdmissionQueue(catalog.toString(), interval, config.getThrottleWaitTimeout(), this::obstacle, ticker);
    }

    private static List<Condition> throttles(ThrottleConfig config, Ticker ticker)
    {
        // Some readings are remembered, for the next one may be late.
        Duration memory = new Duration(max(INTERVALS_REMEMBERED * config.getThrottlePollInterval().toMillis(), LEAST_MEMORY_MILLIS), MILLISECONDS);
        ImmutableList.Builder<Condition> throttles = ImmutableList.builder();
        if (config.getThrottleThreadsRunning() > 0) {
            throttles.add(new BusyThreads(Hysteresis.of(config.getThrottleThreadsRunning(), config.getThrottleThreadsRunningResume(), memory, ticker)));
        }
        if (config.getThrottleReplicaLag().toMillis() > 0) {
            throttles.add(new LaggingReplica(Hysteresis.of(config.getThrottleReplicaLag().toMillis(), config.getThrottleReplicaLagResume().toMillis(), memory, ticker)));
        }
        return throttles.build();
    }

    /** Completes when the query may begin to read. Each of its scans asks for that. Cancel the future to give up waiting. */
    public CompletableFuture<Void> admitQuery(ConnectorSession session)
    {
        String query = session.getQueryId();
        return admit(session, conditions(session), () -> admittedQueries.contains(query), () -> admittedQueries.add(query));
    }

    // Conditions that may fail the query at once come first, before others keep it waiting.
    private List<Condition> conditions(ConnectorSession session)
    {
        ImmutableList.Builder<Condition> conditions = ImmutableList.<Condition>builder().addAll(ofQueries);
        Duration maxLag = ThrottleSessionProperties.maxReplicaLag(session);
        if (maxLag.toMillis() > 0) {
            conditions.add(new StaleReplica(maxLag, ThrottleSessionProperties.replicaLagHandling(session)));
        }
        return conditions.addAll(ofRanges).build();
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
     * Completes when one range of an admitted query may begin.
     *
     * @param exempt whether to go on in any case by now: a scan of which nothing is read could be what the query's other scans wait for,
     * while they keep MySQL's threads
     */
    public CompletableFuture<Void> admitRange(ConnectorSession session, BooleanSupplier exempt)
    {
        return admit(session, ofRanges, exempt, () -> {});
    }

    /**
     * Completes with whether a range that was admitted would have to wait again by now.
     *
     * @param ago when it was admitted
     */
    public CompletableFuture<Boolean> isHeldBack(ConnectorSession session, Duration ago)
    {
        return ofRanges.isEmpty() || ago.compareTo(interval) < 0 ? completedFuture(false) : queue.isHeldBack(session, ofRanges);
    }

    /** Completes with what the server says of itself to the session's account. The answer may be as old as {@code throttle-poll-interval}. */
    public CompletableFuture<ServerState> state(ConnectorSession session)
    {
        return queue.ask(() -> ask(session));
    }

    private ServerState ask(ConnectorSession session)
    {
        try (ServerReadings readings = new ServerReadings(connections, queryModifier, session, gauges)) {
            return readings.state(!ofQueries.isEmpty());
        }
        catch (SQLException e) {
            return new ServerState.Unfit(MysqlError.reason(e));
        }
    }

    private CompletableFuture<Void> admit(ConnectorSession session, List<Condition> conditions, BooleanSupplier exempt, Runnable admitted)
    {
        if (conditions.isEmpty() || exempt.getAsBoolean()) {
            return completedFuture(null);
        }
        return queue.admit(session, conditions, exempt, admitted);
    }

    @Managed(description = "Queries and ranges that wait for a busy or lagging server")
    public int getWaiting()
    {
        return queue.waiting();
    }

    @Managed(description = "Queries and ranges that had to wait for a busy or lagging server")
    public long getHeldBack()
    {
        return queue.heldBack();
    }

    @Managed(description = "Queries and ranges that failed because the server was not fit for them")
    public long getRefused()
    {
        return queue.refused();
    }

    private Optional<Obstacle> obstacle(ConnectorSession session, List<Condition> conditions)
    {
        try (ServerReadings readings = new ServerReadings(connections, queryModifier, session, gauges)) {
            for (Condition condition : conditions) {
                Optional<Obstacle> obstacle = obstacle(session.getQueryId(), condition, readings);
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

    private static Optional<Obstacle> obstacle(String query, Condition condition, ServerReadings readings)
    {
        try {
            return condition.obstacle(readings);
        }
        catch (SQLException e) {
            return condition.unreadable(query, e);
        }
    }

    @PreDestroy
    public void close()
    {
        queue.close();
    }
}
