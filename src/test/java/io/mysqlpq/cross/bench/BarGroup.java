package io.mysqlpq.cross.bench;

import java.util.List;
import java.util.Map;

import static java.util.Collections.max;
import static java.util.stream.Collectors.toMap;

/**
 * Holds the bars of one query.
 *
 * @param seconds by side; one that does not run the query has none
 */
record BarGroup(String name, Map<String, Double> seconds)
{
    BarGroup
    {
        seconds = Map.copyOf(seconds);
    }

    static BarGroup of(List<Figures> sides)
    {
        return new BarGroup(sides.getFirst().query(), sides.stream().collect(toMap(Figures::side, side -> side.median(Sample::seconds))));
    }

    double longest()
    {
        return max(seconds.values());
    }
}
