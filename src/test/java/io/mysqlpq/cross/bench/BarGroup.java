package io.mysqlpq.cross.bench;

import java.util.Map;

import static java.util.Collections.max;

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

    double longest()
    {
        return max(seconds.values());
    }
}
