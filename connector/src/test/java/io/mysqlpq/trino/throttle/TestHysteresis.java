package io.mysqlpq.trino.throttle;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestHysteresis
{
    @Test
    void testHoldsFromTheUpperBoundDownToTheLower()
    {
        Hysteresis bounds = new Hysteresis(10, 6);
        assertThat(bounds.isHolding(9)).isFalse();
        assertThat(bounds.isHolding(10)).isTrue();
        assertThat(bounds.isHolding(7)).isTrue();
        // Asked again with the same value, it says the same.
        assertThat(bounds.isHolding(7)).isTrue();
        assertThat(bounds.isHolding(6)).isFalse();
        assertThat(bounds.isHolding(9)).isFalse();
    }

    @Test
    void testLowerBoundThatNobodySet()
    {
        assertThat(Hysteresis.of(10, 0).lower()).isEqualTo(8);
        assertThat(Hysteresis.of(3, 0).lower()).isEqualTo(2);
        assertThat(Hysteresis.of(10, 3).lower()).isEqualTo(3);
    }

    @Test
    void testBoundsInTheWrongOrder()
    {
        assertThatThrownBy(() -> new Hysteresis(5, 6)).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("6, 5");
    }
}
