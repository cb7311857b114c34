package io.mysqlpq.cross.bench;

import java.util.Optional;

/**
 * Demands that a query takes at most so many times as long as another one, both on the side at default settings.
 */
record RatioGoal(String query, String other, double most)
        implements Goal
{
    private static final String SIDE = TrinoSide.RANGES.name();

    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        Optional<Figures> ours = results.find(query, SIDE);
        Optional<Figures> theirs = results.find(other, SIDE);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.of("%s: absent, no figures of %s".formatted(query, SIDE));
        }
        double ratio = ours.get().median(Sample::seconds) / theirs.get().median(Sample::seconds);
        return ratio <= most ? Optional.empty() : Optional.of("%s: %.2f times as long as %s, wanted %.2f".formatted(query, ratio, other, most));
    }
}
