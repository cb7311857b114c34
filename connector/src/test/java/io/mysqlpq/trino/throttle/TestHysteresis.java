package io.mysqlpq.trino.throttle;

import io.airlift.testing.TestingTicker;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestHysteresis
{
    private static final Duration MEMORY = new Duration(3, SECONDS);

    private final TestingTicker ticker = new TestingTicker();

    @Test
    void testHoldsFromTheUpperBoundDownToTheLower()
    {
        Hysteresis bounds = new Hysteresis(10, 6, MEMORY, ticker);
        assertThat(bounds.isHolding(9)).isFalse();
        assertThat(bounds.isHolding(10)).isTrue();
        assertThat(bounds.isHolding(7)).isTrue();
        // Asked again with the same value, it says the same.
        assertThat(bounds.isHolding(7)).isTrue();
        assertThat(bounds.isHolding(6)).isFalse();
        assertThat(bounds.isHolding(9)).isFalse();
    }

    /** Meanwhile it may have been down at the lower bound, and up again. */
    @Test
    void testForgetsWhatNobodyWatched()
    {
        Hysteresis bounds = new Hysteresis(10, 6, MEMORY, ticker);
        assertThat(bounds.isHolding(10)).isTrue();
        ticker.increment(3, SECONDS);
        assertThat(bounds.isHolding(7)).isTrue();
        ticker.increment(3001, MILLISECONDS);
        assertThat(bounds.isHolding(7)).isFalse();
        assertThat(bounds.isHolding(10)).isTrue();
    }

    @Test
    void testLowerBoundThatNobodySet()
    {
        assertThat(Hysteresis.of(10, 0, MEMORY, ticker).lower()).isEqualTo(8);
        assertThat(Hysteresis.of(3, 0, MEMORY, ticker).lower()).isEqualTo(2);
        assertThat(Hysteresis.of(10, 3, MEMORY, ticker).lower()).isEqualTo(3);
    }

    @Test
    void testBoundsInTheWrongOrder()
    {
        assertThatThrownBy(() -> new Hysteresis(5, 6, MEMORY, ticker)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("6, 5");
    }
}
