package io.mysqlpq.trino.connection;

import com.google.common.base.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Measures how fast bytes come from the server to this node. */
public final class LinkSpeed
{
    // With its packet's head, it is no larger than the least max_allowed_packet that servers have.
    private static final int PROBE_BYTES = 1_000_000;
    // Only the last two count: many networks let bytes pass at once after a pause, and other work of the machine, or of the server, makes
    // some probes slow.
    private static final int PROBES = 4;
    // After two such probes, no other one would be fast enough to matter.
    private static final long SLOW_PROBE_NANOS = MILLISECONDS.toNanos(40);
    private static final long LONGEST_WAIT_MILLIS = SECONDS.toMillis(1);
    private static final long GOOD_NANOS = MINUTES.toNanos(10);

    private final Ticker ticker;
    // Held while the link is measured. Others would make it look slower.
    private final ReentrantLock measuring = new ReentrantLock();

    @GuardedBy("this")
    private OptionalDouble known = OptionalDouble.empty();
    @GuardedBy("this")
    private long knownSince;

    @Inject
    public LinkSpeed(Ticker ticker)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /**
     * Returns bytes per second, as they were measured within the last ten minutes. Blocks for some statements if there is no such measurement. Empty if
     * the server sends no such text.
     */
    public OptionalDouble bytesPerSecond(Connection connection, UnaryOperator<String> queryComment)
            throws SQLException
    {
        OptionalDouble speed = known();
        if (speed.isPresent()) {
            return speed;
        }
        try {
            if (!measuring.tryLock(LONGEST_WAIT_MILLIS, MILLISECONDS)) {
                // Somebody waits for as long as that for so few bytes.
                return OptionalDouble.of(0);
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return OptionalDouble.empty();
        }
        try {
            speed = known();
            if (speed.isEmpty()) {
                speed = measure(connection, queryComment);
                keep(speed);
            }
            return speed;
        }
        finally {
            measuring.unlock();
        }
    }

    private synchronized OptionalDouble known()
    {
        return known.isPresent() && ticker.read() - knownSince < GOOD_NANOS ? known : OptionalDouble.empty();
    }

    private synchronized void keep(OptionalDouble speed)
    {
        known = speed;
        knownSince = ticker.read();
    }

    // Empty if the server's max_allowed_packet is too small.
    private static OptionalDouble measure(Connection connection, UnaryOperator<String> queryComment)
            throws SQLException
    {
        double last = 0;
        double before = 0;
        String sql = queryComment.apply("SELECT REPEAT('x', %d)".formatted(PROBE_BYTES));
        int slow = 0;
        try (Statement statement = connection.createStatement()) {
            for (int i = 0; i < PROBES && slow < 2; i++) {
                long start = System.nanoTime();
                try (ResultSet row = statement.executeQuery(sql)) {
                    row.next();
                    if (row.getBytes(1) == null) {
                        return OptionalDouble.empty();
                    }
                }
                long nanos = System.nanoTime() - start;
                before = last;
                last = PROBE_BYTES * 1e9 / nanos;
                if (nanos > SLOW_PROBE_NANOS) {
                    slow++;
                }
            }
        }
        return OptionalDouble.of(max(last, before));
    }
}
