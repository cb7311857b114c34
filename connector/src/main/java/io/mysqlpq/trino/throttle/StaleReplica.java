package io.mysqlpq.trino.throttle;

import io.airlift.units.Duration;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.spi.TrinoException;

import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_REPLICA_LAG;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static java.util.Objects.requireNonNull;

/** Keeps a query from a replica that lags more than the query accepts. */
final class StaleReplica
        implements Condition
{
    private final Duration maxLag;
    private final LagHandling handling;

    StaleReplica(Duration maxLag, LagHandling handling)
    {
        this.maxLag = requireNonNull(maxLag, "maxLag is null");
        this.handling = requireNonNull(handling, "handling is null");
    }

    @Override
    public Optional<Obstacle> obstacle(ServerReadings readings)
            throws SQLException
    {
        ReplicaLag lag = readings.replicaLag();
        Optional<Obstacle> found = lag.stopped()
                .map(channel -> stopped(channel))
                .or(() -> lag.running().compareTo(maxLag) > 0 ? Optional.of(obstacle("lags by %s".formatted(lag.running()))) : Optional.empty());
        if (found.isPresent() && handling == LagHandling.REFUSE) {
            throw found.get().toException();
        }
        return found;
    }

    @Override
    public Optional<Obstacle> unreadable(String query, SQLException cause)
    {
        if (MysqlError.isPrivilegeMissing(cause)) {
            throw DeniedReading.ofLag("max_replica_lag", cause);
        }
        if (MysqlError.isLoginRefused(cause)) {
            throw new TrinoException(JDBC_ERROR, cause.getMessage(), cause);
        }
        Obstacle unknown = obstacle("did not report its lag (%s)".formatted(cause.getMessage()));
        if (handling == LagHandling.REFUSE) {
            throw unknown.toException();
        }
        return Optional.of(unknown);
    }

    // No lag that is accepted makes it replicate.
    private Obstacle stopped(String channel)
    {
        return new Obstacle(
                MYSQL_PQ_REPLICA_LAG,
                "The replica is not replicating (channel '%s'), so its lag is unknown, and max_replica_lag is %s. Run START REPLICA there, run the query on the source, or set max_replica_lag to 0ms to accept any lag".formatted(channel, maxLag));
    }

    private Obstacle obstacle(String what)
    {
        return new Obstacle(
                MYSQL_PQ_REPLICA_LAG,
                "The replica %s, and max_replica_lag is %s. Run the query later or on the source, %s".formatted(what, maxLag, hint()));
    }

    private String hint()
    {
        return switch (handling) {
            case REFUSE -> "raise max_replica_lag, or set replica_lag_handling to WAIT to wait for up to throttle-wait-timeout";
            case WAIT -> "or raise max_replica_lag or throttle-wait-timeout";
        };
    }
}
