package io.mysqlpq.cross.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Holds the runs of one case on one side, in the order of the rounds.
 */
record Figures(String query, String side, Counted counted, List<Sample> samples)
{
    Figures
    {
        samples = List.copyOf(samples);
    }

    double median(ToDoubleFunction<Sample> figure)
    {
        return median(samples.stream().mapToDouble(figure));
    }

    /** How many times as fast this side is as the other: the median over the rounds that both took part in. */
    double speedOver(Figures other)
    {
        return median(IntStream.range(0, Math.min(samples.size(), other.samples.size())).mapToDouble(round -> samples.get(round).work().perSecond() / other.samples.get(round).work().perSecond()));
    }

    private static double median(DoubleStream values)
    {
        double[] sorted = values.sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
