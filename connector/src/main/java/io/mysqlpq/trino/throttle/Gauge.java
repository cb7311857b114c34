package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Asks MySQL for one value, at most once in an interval whoever wants to know. Used by one thread. */
final class Gauge<T>
{
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
    @Nullable
    private SQLException failure;
    private long readAtNanos;

    Gauge(Duration interval, Ticker ticker)
    {
        this.interval = requireNonNull(interval, "interval is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    T get(Opener connection, Reader<T> reader)
            throws SQLException
    {
        if ((value == null && failure == null) || NANOSECONDS.toMillis(ticker.read() - readAtNanos) >= interval.toMillis()) {
            read(connection, reader);
        }
        if (failure != null) {
            throw failure;
        }
        return value;
    }

    private void read(Opener connection, Reader<T> reader)
            throws SQLException
    {
        value = null;
        failure = null;
        try {
            value = reader.read(connection.open());
        }
        catch (SQLException e) {
            if (DeniedReading.is(e)) {
                // True of this account only.
                throw e;
            }
            failure = e;
        }
        readAtNanos = ticker.read();
    }
}
