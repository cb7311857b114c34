package io.mysqlpq.cross.bench;

import java.util.List;
import java.util.Optional;

/**
 * Holds the figures of all queries.
 *
 * @param model what size and ranges cost, if that was asked for
 */
record BenchResults(String scale, int rounds, List<Figures> figures, Optional<ScalingModel> model)
{
    BenchResults
    {
        figures = List.copyOf(figures);
    }

    Optional<Figures> find(String query, String side)
    {
        return figures.stream().filter(each -> each.query().equals(query) && each.side().equals(side)).findFirst();
    }
}
