package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class TestGoals
{
    @Test
    void testReached()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("1", 7, everything(1)))).isEmpty();
    }

    @Test
    void testMissed()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("1", 7, everything(11))))
                .contains("all 16 columns: 9.09 times as fast as stock, wanted 10.00")
                .noneMatch(line -> line.contains("absent"))
                .noneMatch(line -> line.startsWith("Q1: "));
    }

    @Test
    void testAbsent()
            throws IOException
    {
        List<Figures> withoutStock = everything(1).stream().filter(figures -> !figures.side().equals("stock")).toList();
        assertThat(Goals.shortfalls(new BenchResults("1", 7, withoutStock))).contains("Q22: absent, no figures of stock").allMatch(line -> line.contains("absent"));
        assertThat(Goals.shortfalls(new BenchResults("1", 7, List.of()))).hasSizeGreaterThan(22).contains("Q6: absent, no figures of ranges");
    }

    @Test
    void testOtherConditions()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("0.1", 3, everything(1)))).containsExactly("scale 0.1: the goals are for scale 1", "3 rounds: the goals are for 7");
    }

    @Test
    void testSpeedIsMedianOfRatios()
    {
        List<Figures> figures = List.of(figures("Q7", "ranges", 1, 2, 9), figures("Q7", "stock", 3, 2, 3));
        assertThat(new SpeedGoal("Q7", "stock", 1).shortfall(new BenchResults("1", 3, figures))).isEmpty();
        assertThat(new SpeedGoal("Q7", "stock", 1.1).shortfall(new BenchResults("1", 3, figures))).contains("Q7: 1.00 times as fast as stock, wanted 1.10");
    }

    // Every query on all sides, the others taking 100 s.
    private static List<Figures> everything(double seconds)
            throws IOException
    {
        return BenchQuery.all().stream()
                .flatMap(query -> Stream.of(figures(query.name(), "ranges", seconds), figures(query.name(), "stock", 100), figures(query.name(), "MySQL alone", 100)))
                .toList();
    }

    private static Figures figures(String query, String side, double... seconds)
    {
        return new Figures(query, side, Arrays.stream(seconds).mapToObj(each -> new Sample(each, new CpuTimes(0, 0), new MemoryPeaks(0, 0))).toList());
    }
}
