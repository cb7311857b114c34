package io.mysqlpq.trino.scan;

import io.airlift.units.Duration;

import java.sql.SQLException;

import static io.airlift.units.Duration.nanosSince;
import static java.lang.Math.min;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;

/** Waits longer and longer for MySQL to have room, up to a limit. */
final class Backoff
{
    private static final long FIRST_WAIT_MILLIS = 10;
    private static final long LONGEST_WAIT_MILLIS = 500;

    private final Duration limit;
    private final long start = nanoTime();
    private long waitMillis = FIRST_WAIT_MILLIS;

    Backoff(Duration limit)
    {
        this.limit = requireNonNull(limit, "limit is null");
    }

    boolean isOver()
    {
        return nanosSince(start).compareTo(limit) >= 0;
    }

    void pause()
            throws SQLException
    {
        try {
            Thread.sleep(waitMillis);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for MySQL to allow a scan", e);
        }
        waitMillis = min(2 * waitMillis, LONGEST_WAIT_MILLIS);
    }
}
