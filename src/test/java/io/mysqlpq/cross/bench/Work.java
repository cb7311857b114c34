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
 * @param scan of a single query that counts the rows which it reads
 */
record Work(double seconds, long done, long errors, double medianSeconds, double slowSeconds, ScanFacts scan)
{
    static Work one(double seconds)
    {
        return rows(1, seconds);
    }

    static Work scan(double seconds, ScanFacts scan)
    {
        return new Work(seconds, 1, 0, seconds, seconds, scan);
    }

    static Work rows(long rows, double seconds)
    {
        return new Work(seconds, rows, 0, seconds, seconds, ScanFacts.NONE);
    }

    /** @param latencies of each query that did not fail, in seconds */
    static Work many(double seconds, List<Double> latencies, long errors)
    {
        List<Double> sorted = latencies.stream().sorted().toList();
        return new Work(seconds, sorted.size(), errors, percentile(sorted, 50), percentile(sorted, 99), ScanFacts.NONE);
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
