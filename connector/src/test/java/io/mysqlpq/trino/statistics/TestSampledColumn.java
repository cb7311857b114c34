package io.mysqlpq.trino.statistics;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.function.LongUnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/** Estimates from a part of known rows how many values all of them have. */
class TestSampledColumn
{
    private static final int TABLE_ROWS = 1_000_000;
    private static final int SAMPLED_ROWS = 2000;

    private static SampledColumn sample(LongUnaryOperator value)
    {
        Random random = new Random(7);
        SampledColumn.Counter sample = new SampledColumn.Counter();
        for (int i = 0; i < SAMPLED_ROWS; i++) {
            sample.add(value.applyAsLong(random.nextInt(TABLE_ROWS)));
        }
        return sample.counted();
    }

    @Test
    void testDistinctValues()
    {
        assertThat(sample(row -> 1).distinctValues(TABLE_ROWS)).isEqualTo(1);
        assertThat(sample(row -> row % 7).distinctValues(TABLE_ROWS)).isEqualTo(7);
        assertThat(sample(row -> row % 300).distinctValues(TABLE_ROWS)).isCloseTo(300, withinPercentage(5));
        assertThat(sample(row -> row % 1000).distinctValues(TABLE_ROWS)).isCloseTo(1000, withinPercentage(35));
        assertThat(sample(row -> row).distinctValues(TABLE_ROWS)).isCloseTo(TABLE_ROWS, withinPercentage(60));
    }

    @Test
    void testAllRowsSampled()
    {
        SampledColumn.Counter sample = new SampledColumn.Counter();
        for (int i = 0; i < 90; i++) {
            sample.add(i / 2);
        }
        for (int i = 0; i < 10; i++) {
            sample.addNull();
        }
        assertThat(sample.counted().distinctValues(100)).isEqualTo(45);
        assertThat(sample.counted().nullFraction()).isEqualTo(0.1);
        // The row count is an estimate, and may be less.
        assertThat(sample.counted().distinctValues(3)).isEqualTo(45);
    }

    @Test
    void testNothingButNulls()
    {
        SampledColumn.Counter sample = new SampledColumn.Counter();
        assertThat(sample.counted().isEmpty()).isTrue();
        sample.addNull();
        assertThat(sample.counted().isEmpty()).isFalse();
        assertThat(sample.counted().nullFraction()).isEqualTo(1);
        assertThat(sample.counted().distinctValues(1000)).isZero();
    }
}
