package io.mysqlpq.cross.bench;

import java.util.Optional;

/**
 * Demands that MySQL's answers to the side at default settings fill so much of a link.
 *
 * @param query that ran over it
 */
record LinkGoal(String query, double share)
        implements Goal
{
    private static final String SIDE = TrinoSide.RANGES.name();

    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        Optional<Figures> figures = results.find(query, SIDE);
        if (figures.isEmpty()) {
            return Optional.of("%s: absent, no figures of %s".formatted(query, SIDE));
        }
        double filled = figures.get().median(Sample::sentBitsPerSecond) / Link.BITS_PER_SECOND;
        return filled >= share ? Optional.empty() : Optional.of("%s: fills %.2f of the link, wanted %.2f".formatted(query, filled, share));
    }
}
