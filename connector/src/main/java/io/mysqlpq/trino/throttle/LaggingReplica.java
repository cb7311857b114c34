package io.mysqlpq.trino.throttle;

import io.airlift.units.Duration;
import io.mysqlpq.trino.error.MysqlError;

import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Holds reads back while a replica falls behind. It does not while replication is stopped, because no read makes that slower. */
final class LaggingReplica
        implements Condition
{
    // In milliseconds.
    private final Hysteresis bounds;

    LaggingReplica(Hysteresis bounds)
    {
        this.bounds = requireNonNull(bounds, "bounds is null");
    }

    @Override
    public Optional<Obstacle> obstacle(ServerReadings readings)
            throws SQLException
    {
        Duration lag = readings.replicaLag().running();
        return bounds.isHolding(lag.toMillis()) ? Optional.of(obstacle("it lags by %s".formatted(lag))) : Optional.empty();
    }

    @Override
    public Optional<Obstacle> unreadable(String query, SQLException cause)
    {
        if (MysqlError.isPrivilegeMissing(cause)) {
            throw DeniedReading.ofLag("throttle-replica-lag", cause);
        }
        if (MysqlError.isLoginRefused(cause)) {
            // The read itself will say so.
            return Optional.empty();
        }
        return Optional.of(obstacle("its lag could not be read (%s)".formatted(cause.getMessage())));
    }

    private Obstacle obstacle(String what)
    {
        return new Obstacle(
                MYSQL_PQ_SERVER_BUSY,
                "The replica falls behind: %s. Reading stops at %s (throttle-replica-lag) and continues at %s (throttle-replica-lag-resume). Run the query later, or raise throttle-replica-lag or throttle-wait-timeout"
                        .formatted(what, new Duration(bounds.upper(), MILLISECONDS), new Duration(bounds.lower(), MILLISECONDS)));
    }
}
