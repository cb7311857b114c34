package io.mysqlpq.cross.bench;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

class TestScalingModel
{
    @Test
    void testFindsWhatPointsWereMadeOf()
    {
        LinearFit fit = LinearFit.of(points(), ScalingPoint::seconds);
        assertThat(fit.fixed()).isCloseTo(0.2, within(1e-9));
        assertThat(fit.perRow()).isCloseTo(1e-6, within(1e-15));
        assertThat(fit.perRange()).isCloseTo(0.01, within(1e-9));
        assertThat(fit.explained()).isCloseTo(1, within(1e-9));
    }

    @Test
    void testEstimateIsTheSlowestPart()
    {
        ScalingEstimate estimate = estimate(600_000_000, 1);
        // 100 bytes a row over 10 Gb/s. On 32 cores, 2e-6 s a row would be 37.5 s.
        assertThat(estimate.slowest().name()).isEqualTo("the link");
        assertThat(estimate.slowest().seconds()).isCloseTo(48, within(1e-6));
        assertThat(estimate.seconds()).isCloseTo(48.2, within(1e-6));
    }

    @Test
    void testServersShareAllButWhatIsFixed()
    {
        assertThat(estimate(600_000_000, 10).seconds()).isCloseTo(5, within(1e-6));
    }

    // 162 bytes a row, and 2 GB/s.
    @Test
    void testLargeTablesComeFromDisk()
    {
        List<ScalingPoint> fewBytes = points().stream().map(point -> new ScalingPoint(point.rows(), point.ranges(), point.seconds(), point.mysqlCpu(), point.trinoCpu(), point.rows() * 10.0)).toList();
        ScalingEstimate estimate = estimate(fewBytes, 62_000_000_000L, 1);
        assertThat(estimate.rows() * 162).isCloseTo(10_000_000_000_000L, within(50_000_000_000L));
        assertThat(estimate.slowest().name()).isEqualTo("the disk");
        assertThat(estimate.slowest().seconds()).isCloseTo(5022, within(1e-6));
        assertThat(estimate(fewBytes, 62_000_000_000L, 10).slowest().seconds()).isCloseTo(502.2, within(1e-6));
    }

    private static ScalingEstimate estimate(long rows, int servers)
    {
        return estimate(points(), rows, servers);
    }

    private static ScalingEstimate estimate(List<ScalingPoint> points, long rows, int servers)
    {
        return ScalingModel.of(points).estimates().stream().filter(estimate -> estimate.rows() == rows && estimate.servers() == servers).findFirst().orElseThrow();
    }

    @Test
    void testOneSizeIsNoModel()
    {
        List<ScalingPoint> points = points().stream().filter(point -> point.rows() == 60_000).toList();
        assertThatThrownBy(() -> LinearFit.of(points, ScalingPoint::seconds)).hasMessageContaining("several sizes");
    }

    static List<ScalingPoint> points()
    {
        List<ScalingPoint> points = new ArrayList<>();
        for (long rows : List.of(60_000L, 600_000L, 6_000_000L)) {
            for (long ranges : List.of(1, 4, 16)) {
                points.add(new ScalingPoint(rows, ranges, 0.2 + rows * 1e-6 + ranges * 0.01, rows * 2e-6, rows * 1e-6, rows * 100.0));
            }
        }
        return points;
    }
}
