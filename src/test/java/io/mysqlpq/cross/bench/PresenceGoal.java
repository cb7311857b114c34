package io.mysqlpq.cross.bench;

import java.util.Optional;

/**
 * Demands that there are figures of the side at default settings.
 */
record PresenceGoal(String query)
        implements Goal
{
    private static final String SIDE = TrinoSide.RANGES.name();

    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        boolean isPresent = results.find(query, SIDE).stream().anyMatch(figures -> !figures.samples().isEmpty() && figures.samples().stream().allMatch(sample -> sample.work().perSecond() > 0));
        return isPresent ? Optional.empty() : Optional.of("%s: absent, no figures of %s".formatted(query, SIDE));
    }
}
