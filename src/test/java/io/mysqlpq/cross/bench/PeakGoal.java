package io.mysqlpq.cross.bench;

import java.util.List;
import java.util.Optional;

/**
 * Demands that the largest load keeps a share of the most queries per second that any of the loads has.
 *
 * @param loads the largest last
 */
record PeakGoal(List<String> loads, double share)
        implements Goal
{
    private static final String SIDE = TrinoSide.RANGES.name();

    PeakGoal
    {
        loads = List.copyOf(loads);
    }

    @Override
    public Optional<String> shortfall(BenchResults results)
    {
        List<Figures> figures = loads.stream().flatMap(load -> results.find(load, SIDE).stream()).toList();
        if (figures.size() < loads.size()) {
            return Optional.of("%s: absent, no figures of %s in each of %s".formatted(loads.getLast(), SIDE, loads));
        }
        double peak = figures.stream().mapToDouble(PeakGoal::perSecond).max().orElseThrow();
        double kept = perSecond(figures.getLast()) / peak;
        return kept >= share ? Optional.empty() : Optional.of("%s: keeps %.2f of the peak, wanted %.2f".formatted(loads.getLast(), kept, share));
    }

    private static double perSecond(Figures figures)
    {
        return figures.median(sample -> sample.work().perSecond());
    }
}
