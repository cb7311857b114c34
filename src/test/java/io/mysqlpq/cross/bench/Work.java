package io.mysqlpq.cross.bench;

import java.util.List;

/**
 * Holds what was done in one run, and how long its parts took.
 *
 * @param seconds from the begin of the first part to the end of the last
 * @param done queries, or rows where these are counted, without those that failed
 * @param errors queries that failed
 * @param medianSeconds of one query
 * @param slowSeconds of the query that one in a hundred is slower than
 */
record Work(double seconds, long done, long errors, double medianSeconds, double slowSeconds)
{
    static Work one(double seconds)
    {
        return rows(1, seconds);
    }

    static Work rows(long rows, double seconds)
    {
        return new Work(seconds, rows, 0, seconds, seconds);
    }

    /** @param latencies of each query that did not fail, in seconds */
    static Work many(double seconds, List<Double> latencies, long errors)
    {
        List<Double> sorted = latencies.stream().sorted().toList();
        return new Work(seconds, sorted.size(), errors, percentile(sorted, 50), percentile(sorted, 99));
    }

    // The least value that so many percent are not above; 0 of none.
    private static double percentile(List<Double> sorted, int percent)
    {
        return sorted.isEmpty() ? 0 : sorted.get(Math.ceilDiv(sorted.size() * percent, 100) - 1);
    }

    double perSecond()
    {
        return done / seconds;
    }
}
