package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.Account;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/**
 * Asks MySQL for one value, at most once in an interval, however many want to know. Used by one thread.
 *
 * <p>A value is the server's, and good for all. A failure is the account's: it may not log in, has too many connections, or lacks a
 * privilege.
 */
final class Gauge<T>
{
    private static final int MOST_FAILURES = 1024;
    // One thread asks for all accounts. Attempts of one account that fail slowly may take a tenth of the thread's time.
    private static final int REST_AFTER_FAILURE = 10;

    interface Reader<T>
    {
        T read(Connection connection)
                throws SQLException;
    }

    interface Opener
    {
        Connection open()
                throws SQLException;
    }

    private final Duration interval;
    private final Ticker ticker;
    @Nullable
    private T value;
    private long readAtNanos;
    // The longest ago first.
    private final Map<Account, Failure> failures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Account, Failure> eldest)
        {
            return size() > MOST_FAILURES;
        }
    };

    Gauge(Duration interval, Ticker ticker)
    {
        this.interval = requireNonNull(interval, "interval is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /** @param account that the connection is of */
    T get(Account account, Opener connection, Reader<T> reader)
            throws SQLException
    {
        if (value != null && isOfThisInterval(readAtNanos)) {
            return value;
        }
        failures.values().removeIf(failure -> failure.endNanos() - ticker.read() <= 0);
        Failure failure = failures.get(account);
        if (failure != null) {
            throw failure.cause();
        }
        long start = ticker.read();
        try {
            value = reader.read(connection.open());
            readAtNanos = ticker.read();
            return value;
        }
        catch (SQLException e) {
            long end = ticker.read();
            failures.put(account, new Failure(e, end + max(interval.roundTo(NANOSECONDS), REST_AFTER_FAILURE * (end - start))));
            throw e;
        }
    }

    private boolean isOfThisInterval(long nanos)
    {
        return NANOSECONDS.toMillis(ticker.read() - nanos) < interval.toMillis();
    }

    private record Failure(SQLException cause, long endNanos)
    {}
}
