package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class TestWork
{
    @Test
    void testPercentiles()
    {
        List<Double> latencies = IntStream.rangeClosed(1, 200).mapToObj(Double::valueOf).toList();
        assertThat(Work.many(4, latencies.reversed(), 3)).isEqualTo(new Work(4, 200, 3, 100, 198, ScanFacts.NONE));
        assertThat(Work.many(4, latencies.reversed(), 3).perSecond()).isEqualTo(50);
        assertThat(Work.many(1, Collections.nCopies(1, 7.0), 0)).isEqualTo(new Work(1, 1, 0, 7, 7, ScanFacts.NONE));
    }

    @Test
    void testNothingDone()
    {
        assertThat(Work.many(2, List.of(), 5)).isEqualTo(new Work(2, 0, 5, 0, 0, ScanFacts.NONE));
    }
}
