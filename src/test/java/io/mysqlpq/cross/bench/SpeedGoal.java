package io.mysqlpq.cross.bench;

import java.util.Optional;

/**
 * Demands that the side at default settings does a query so many times as fast as another side.
 */
record SpeedGoal(String query, String against, double factor)
        implements Goal
{
    private static final String SIDE = TrinoSide.RANGES.name();

    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        Optional<Figures> ours = results.find(query, SIDE);
        Optional<Figures> theirs = results.find(query, against);
        if (ours.isEmpty() || theirs.isEmpty()) {
            return Optional.of("%s: absent, no figures of %s".formatted(query, ours.isEmpty() ? SIDE : against));
        }
        double speed = ours.get().speedOver(theirs.get());
        return speed >= factor ? Optional.empty() : Optional.of("%s: %.2f times as fast as %s, wanted %.2f".formatted(query, speed, against, factor));
    }
}
