package io.mysqlpq.cross.bench;

import java.util.Optional;

/**
 * Demands that no query of a load fails on the side at default settings.
 */
record NoErrorsGoal(String load)
        implements Goal
{
    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        Optional<Figures> figures = results.find(load, TrinoSide.RANGES.name());
        if (figures.isEmpty()) {
            return Optional.of("%s: absent, no figures of %s".formatted(load, TrinoSide.RANGES.name()));
        }
        long errors = figures.get().samples().stream().mapToLong(sample -> sample.work().errors()).sum();
        return errors == 0 ? Optional.empty() : Optional.of("%s: %d queries failed, wanted none".formatted(load, errors));
    }
}
