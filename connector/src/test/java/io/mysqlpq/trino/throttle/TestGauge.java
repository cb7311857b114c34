package io.mysqlpq.trino.throttle;

import io.airlift.testing.TestingTicker;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestGauge
{
    private static final int TABLE_ACCESS_DENIED = 1142;

    private final TestingTicker ticker = new TestingTicker();
    private final Gauge<Integer> gauge = new Gauge<>(new Duration(1, SECONDS), ticker);
    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void testReadsOnceInAnInterval()
            throws SQLException
    {
        assertThat(count()).isEqualTo(1);
        ticker.increment(999, MILLISECONDS);
        assertThat(count()).isEqualTo(1);
        ticker.increment(1, MILLISECONDS);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void testFailureIsKeptAsLong()
            throws SQLException
    {
        assertThatThrownBy(() -> fail(0)).hasMessage("reading 1");
        assertThatThrownBy(this::count).hasMessage("reading 1");
        ticker.increment(1, SECONDS);
        assertThat(count()).isEqualTo(2);
    }

    /** Another account may be allowed to read. */
    @Test
    void testMissingPrivilegeIsNotKept()
            throws SQLException
    {
        assertThatThrownBy(() -> fail(TABLE_ACCESS_DENIED)).hasMessage("reading 1");
        assertThat(count()).isEqualTo(2);
    }

    private int count()
            throws SQLException
    {
        return gauge.get(() -> null, _ -> reads.incrementAndGet());
    }

    private int fail(int code)
            throws SQLException
    {
        return gauge.get(() -> null, _ -> {
            throw new SQLException("reading " + reads.incrementAndGet(), "HY000", code);
        });
    }
}
