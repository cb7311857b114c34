package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class TestGoals
{
    private static final Optional<ScalingModel> MODEL = Optional.of(ScalingModel.of(TestScalingModel.points()));

    @Test
    void testReached()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("1", 7, everything(1), MODEL))).isEmpty();
    }

    @Test
    void testMissed()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("1", 7, everything(11), MODEL)))
                .contains("all 16 columns: 9.09 times as fast as stock, wanted 18.00")
                .noneMatch(line -> line.contains("absent"))
                .noneMatch(line -> line.startsWith("Q3: "));
    }

    @Test
    void testAbsent()
            throws IOException
    {
        List<Figures> withoutStock = everything(1).stream().filter(figures -> !figures.side().equals("stock")).toList();
        assertThat(Goals.shortfalls(new BenchResults("1", 7, withoutStock, MODEL))).contains("Q22: absent, no figures of stock").allMatch(line -> line.contains("absent"));
        assertThat(Goals.shortfalls(new BenchResults("1", 7, List.of(), MODEL))).hasSizeGreaterThan(22).contains("Q6: absent, no figures of ranges");
    }

    @Test
    void testOtherConditions()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("0.1", 3, everything(1), MODEL))).containsExactly("scale 0.1: the goals are for scale 1", "3 rounds: the goals are for 7");
    }

    @Test
    void testSpeedIsMedianOfRatios()
    {
        List<Figures> figures = List.of(figures("Q7", "ranges", 1, 2, 9), figures("Q7", "stock", 3, 2, 3));
        assertThat(new SpeedGoal("Q7", "stock", 1).shortfall(new BenchResults("1", 3, figures, MODEL))).isEmpty();
        assertThat(new SpeedGoal("Q7", "stock", 1.1).shortfall(new BenchResults("1", 3, figures, MODEL))).contains("Q7: 1.00 times as fast as stock, wanted 1.10");
    }

    @Test
    void testFailedLookups()
    {
        Goal goal = new NoErrorsGoal("point lookup x 200");
        assertThat(goal.shortfall(results(load(200, 50, 0)))).isEmpty();
        assertThat(goal.shortfall(results(load(200, 50, 2)))).contains("point lookup x 200: 2 queries failed, wanted none");
        assertThat(goal.shortfall(results())).contains("point lookup x 200: absent, no figures of ranges");
    }

    @Test
    void testLoadThatFails()
            throws IOException
    {
        Sample failed = new Sample(Work.many(5, List.of(), 50), new CpuTimes(0, 0), new MemoryPeaks(0, 0), 0);
        for (BenchCase load : BenchCases.all(List.of(1L)).stream().filter(LoadCase.class::isInstance).toList()) {
            List<Figures> figures = new ArrayList<>(everything(1).stream().filter(each -> !each.query().equals(load.name()) || !each.side().equals("ranges")).toList());
            figures.add(new Figures(load.name(), "ranges", Counted.QUERIES, List.of(failed)));
            assertThat(Goals.shortfalls(new BenchResults("1", 7, figures, MODEL)))
                    .contains(load.name() + ": 50 queries failed, wanted none")
                    .contains(load.name() + ": absent, no figures of ranges");
        }
        assertThat(new PresenceGoal("Q7").shortfall(results(new Figures("Q7", "ranges", Counted.QUERIES, List.of())))).isPresent();
    }

    @Test
    void testLatency()
    {
        Goal goal = new LatencyGoal("point lookup x 8", "Trino alone", 0.005);
        assertThat(goal.shortfall(results(figures("point lookup x 8", "ranges", 0.015), figures("point lookup x 8", "Trino alone", 0.0101)))).isEmpty();
        assertThat(goal.shortfall(results(figures("point lookup x 8", "ranges", 0.015), figures("point lookup x 8", "Trino alone", 0.009))))
                .contains("point lookup x 8: takes 6.0 ms more than Trino alone, wanted 5.0 at most");
        assertThat(goal.shortfall(results(figures("point lookup x 8", "ranges", 0.015)))).contains("point lookup x 8: absent, no figures of Trino alone");
    }

    @Test
    void testRatio()
    {
        Goal goal = new RatioGoal("with", "without", 1.1);
        assertThat(goal.shortfall(results(figures("with", "ranges", 1, 3, 1), figures("without", "ranges", 1)))).isEmpty();
        assertThat(goal.shortfall(results(figures("with", "ranges", 1.2), figures("without", "ranges", 1)))).contains("with: 1.20 times as long as without, wanted 1.10");
        assertThat(goal.shortfall(results(figures("with", "ranges", 1)))).contains("with: absent, no figures of ranges");
    }

    @Test
    void testPeak()
    {
        Goal goal = new PeakGoal(List.of("point lookup x 100", "point lookup x 200"), 0.9);
        assertThat(goal.shortfall(results(load(100, 50, 0), load(200, 45, 0)))).isEmpty();
        assertThat(goal.shortfall(results(load(100, 50, 0), load(200, 44, 0)))).contains("point lookup x 200: keeps 0.88 of the peak, wanted 0.90");
        assertThat(goal.shortfall(results(load(200, 44, 0)))).hasValueSatisfying(line -> assertThat(line).contains("absent"));
    }

    @Test
    void testShareOfLink()
    {
        Goal goal = new LinkGoal("all 16 columns over 1 Gb/s", 0.8);
        assertThat(goal.shortfall(results(figures("all 16 columns over 1 Gb/s", "ranges", 1)))).isEmpty();
        assertThat(goal.shortfall(results(figures("all 16 columns over 1 Gb/s", "ranges", 2)))).contains("all 16 columns over 1 Gb/s: fills 0.44 of the link, wanted 0.80");
        assertThat(goal.shortfall(results())).contains("all 16 columns over 1 Gb/s: absent, no figures of ranges");
    }

    @Test
    void testEachCaseMustHaveFigures()
            throws IOException
    {
        for (BenchCase absent : BenchCases.all(List.of(1L))) {
            List<Figures> others = everything(1).stream().filter(figures -> !figures.query().equals(absent.name())).toList();
            assertThat(Goals.shortfalls(new BenchResults("1", 7, others, MODEL))).as(absent.name()).anyMatch(line -> line.startsWith(absent.name() + ": absent"));
        }
    }

    @Test
    void testModelMustBeThere()
            throws IOException
    {
        assertThat(Goals.shortfalls(new BenchResults("1", 7, everything(1), Optional.empty()))).containsExactly("scaling model: absent");
    }

    private static BenchResults results(Figures... figures)
    {
        return new BenchResults("1", 7, List.of(figures), MODEL);
    }

    private static Figures load(int clients, long perSecond, long errors)
    {
        Sample sample = new Sample(new Work(1, perSecond, errors, 0.1, 0.2, ScanFacts.NONE), new CpuTimes(0, 0), new MemoryPeaks(0, 0), 0);
        return new Figures("point lookup x " + clients, "ranges", Counted.QUERIES, List.of(sample));
    }

    // Every query on all sides, the others taking 100 s.
    private static List<Figures> everything(double seconds)
            throws IOException
    {
        return BenchCases.all(List.of(1L)).stream()
                .flatMap(query -> Stream.of(figures(query.name(), "ranges", seconds), figures(query.name(), "stock", 100), figures(query.name(), "one split", 100), figures(query.name(), "MySQL alone", 100), figures(query.name(), "Trino alone", 100), figures(query.name(), "no readahead", 100), figures(query.name(), "ConnectorX", 100)))
                .toList();
    }

    private static Figures figures(String query, String side, double... seconds)
    {
        return new Figures(query, side, Counted.SINGLE_QUERY, Arrays.stream(seconds).mapToObj(each -> new Sample(Work.one(each), new CpuTimes(0, 0), new MemoryPeaks(0, 0), 110_000_000)).toList());
    }
}
