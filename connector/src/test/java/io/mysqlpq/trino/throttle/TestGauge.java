package io.mysqlpq.trino.throttle;

import io.airlift.testing.TestingTicker;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.Account;
import org.junit.jupiter.api.Test;

import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestGauge
{
    private static final Account ALICE = new Account(Optional.of("alice"), Optional.of("first"));
    private static final Account BOB = new Account(Optional.of("bob"), Optional.of("second"));

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
        assertThatThrownBy(this::fail).hasMessage("reading 1");
        assertThatThrownBy(this::count).hasMessage("reading 1");
        ticker.increment(1, SECONDS);
        assertThat(count()).isEqualTo(2);
    }

    /** It may lack a privilege, or have no connection left, that another one has. */
    @Test
    void testFailureIsThatOfOneAccount()
            throws SQLException
    {
        assertThatThrownBy(this::fail).hasMessage("reading 1");
        assertThat(gauge.get(BOB, () -> null, _ -> reads.incrementAndGet())).isEqualTo(2);
        // The value is the server's.
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void testFailureToConnect()
    {
        assertThatThrownBy(() -> gauge.get(
                ALICE,
                () -> {
                    throw new SQLException("no connection " + reads.incrementAndGet());
                },
                _ -> 7)).hasMessage("no connection 1");
        assertThatThrownBy(this::count).hasMessage("no connection 1");
    }

    private int count()
            throws SQLException
    {
        return gauge.get(ALICE, () -> null, _ -> reads.incrementAndGet());
    }

    private int fail()
            throws SQLException
    {
        return gauge.get(ALICE, () -> null, _ -> {
            throw new SQLException("reading " + reads.incrementAndGet());
        });
    }
}
