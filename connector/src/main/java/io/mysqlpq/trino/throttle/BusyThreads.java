package io.mysqlpq.trino.throttle;

import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static java.util.Objects.requireNonNull;

/** Holds reads back while too many threads of MySQL run. */
final class BusyThreads
        implements Condition
{
    private final Hysteresis bounds;

    BusyThreads(Hysteresis bounds)
    {
        this.bounds = requireNonNull(bounds, "bounds is null");
    }

    @Override
    public Optional<Obstacle> obstacle(ServerReadings readings)
            throws SQLException
    {
        long running = readings.threadsRunning();
        return bounds.isHolding(running) ? Optional.of(obstacle("Threads_running is %d".formatted(running))) : Optional.empty();
    }

    // Everybody may read it who may log in; who may not will be told so by the query itself.
    @Override
    public Optional<Obstacle> unreadable(SQLException cause)
    {
        return DeniedReading.is(cause) ? Optional.empty() : Optional.of(obstacle("Threads_running could not be read (%s)".formatted(cause.getMessage())));
    }

    private Obstacle obstacle(String what)
    {
        return new Obstacle(
                MYSQL_PQ_SERVER_BUSY,
                "MySQL is busy: %s, reading stops at %d (throttle-threads-running) and goes on at %d (throttle-threads-running-resume). Run the query later, or raise throttle-threads-running or throttle-wait-timeout"
                        .formatted(what, bounds.upper(), bounds.lower()));
    }
}
