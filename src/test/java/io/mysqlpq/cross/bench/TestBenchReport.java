package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestBenchReport
{
    private static final List<Figures> Q1 = List.of(figures("Q1", "stock", 7), figures("Q1", "ranges", 2));
    private static final List<Figures> Q6 = List.of(figures("Q6", "stock", 3), figures("Q6", "ranges", 1));

    @Test
    void testResume(@TempDir Path folder)
            throws IOException
    {
        BenchReport ended = new BenchReport("1", 7, "abc");
        ended.add(ScalingModel.of(TestScalingModel.points()));
        ended.add(Q1);
        BenchReport resumed = new BenchReport("1", 7, "def");
        assertThat(resumed.has("Q1")).isFalse();
        assertThat(resumed.hasModel()).isFalse();
        resumed.resume(json(ended, folder));
        assertThat(resumed.has("Q1")).isTrue();
        assertThat(resumed.hasModel()).isTrue();
        assertThat(resumed.has("Q6")).isFalse();
        resumed.add(Q6);
        assertThat(resumed.results().figures()).containsExactly(Q1.get(0), Q1.get(1), Q6.get(0), Q6.get(1));
        assertThat(resumed.results().model()).isEqualTo(ended.results().model());
        WrittenResults written = WrittenResults.read(json(resumed, folder));
        assertThat(written.commit()).isEqualTo("abc, def");
        assertThat(written.cases()).containsExactly(Q1, Q6);
    }

    @Test
    void testResumeUnderOtherConditions(@TempDir Path folder)
            throws IOException
    {
        BenchReport ended = new BenchReport("1", 7, "abc");
        ended.add(Q1);
        Path file = json(ended, folder);
        assertThatThrownBy(() -> new BenchReport("1", 3, "abc").resume(file))
                .hasMessage("The results to resume are of rounds 7, and this run is of rounds 3: run with the same, or without --resume");
        assertThatThrownBy(() -> new BenchReport("0.1", 7, "abc").resume(file)).hasMessageContaining("of scale 1, and this run is of scale 0.1");
    }

    private static Path json(BenchReport report, Path folder)
            throws IOException
    {
        return report.write(folder);
    }

    private static Figures figures(String query, String side, double seconds)
    {
        Work work = Work.many(seconds, List.of(seconds / 2, seconds), 1);
        return new Figures(query, side, Counted.QUERIES, List.of(new Sample(work, new CpuTimes(1, 2), new MemoryPeaks(3, 4), 5)));
    }
}
