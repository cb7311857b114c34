package io.mysqlpq.trino.throttle;

import io.mysqlpq.trino.error.MysqlError;

import java.sql.SQLException;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SERVER_BUSY;
import static java.util.Objects.requireNonNull;

/** Holds reads back while too many threads of MySQL run. */
final class BusyThreads
        implements Condition
{
    private final Hysteresis bounds;
    // Requests that waited and were let in since MySQL was asked. MySQL's answer does not count them yet.
    private long letIn;
    private long readAtNanos;

    BusyThreads(Hysteresis bounds)
    {
        this.bounds = requireNonNull(bounds, "bounds is null");
    }

    @Override
    public Optional<Obstacle> obstacle(ServerReadings readings)
            throws SQLException
    {
        RunningThreads running = readings.threadsRunning();
        if (running.readAtNanos() != readAtNanos) {
            readAtNanos = running.readAtNanos();
            letIn = 0;
        }
        if (!bounds.isHolding(running.count() + letIn)) {
            return Optional.empty();
        }
        return Optional.of(obstacle("Threads_running is %d%s".formatted(running.count(), letIn == 0 ? "" : ", and %d more were admitted since".formatted(letIn))));
    }

    @Override
    public void letIn()
    {
        letIn++;
    }

    // Everybody who may log in may read it. The query itself tells a user who may not log in.
    @Override
    public Optional<Obstacle> unreadable(String query, SQLException cause)
    {
        return MysqlError.isLoginRefused(cause) ? Optional.empty() : Optional.of(obstacle("Threads_running could not be read (%s)".formatted(cause.getMessage())));
    }

    private Obstacle obstacle(String what)
    {
        return new Obstacle(
                MYSQL_PQ_SERVER_BUSY,
                "MySQL is busy: %s. Reading stops at %d (throttle-threads-running) and continues at %d (throttle-threads-running-resume). Run the query later, or raise throttle-threads-running or throttle-wait-timeout"
                        .formatted(what, bounds.upper(), bounds.lower()));
    }
}
