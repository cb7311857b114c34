package io.mysqlpq.cross.bench;

import java.util.Locale;
import java.util.Optional;

/**
 * Demands that the side at default settings takes for one query of a load at most so much longer than another side does.
 *
 * @param seconds of medians
 */
record LatencyGoal(String load, String against, double seconds)
        implements Goal
{
    private static final String SIDE = TrinoSide.RANGES.name();

    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        Optional<Figures> ours = results.find(load, SIDE);
        Optional<Figures> theirs = results.find(load, against);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.of("%s: absent, no figures of %s".formatted(load, ours.isEmpty() ? SIDE : against));
        }
        double more = medianSeconds(ours.get()) - medianSeconds(theirs.get());
        return more <= seconds
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "%s: takes %.1f ms more than %s, wanted %.1f at most", load, more * 1000, against, seconds * 1000));
    }

    private static double medianSeconds(Figures figures)
    {
        return figures.median(sample -> sample.work().medianSeconds());
    }
}
