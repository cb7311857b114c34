package io.mysqlpq.trino.statistics;

import java.util.HashMap;
import java.util.Map;

/** Counts the values of a column in some rows. */
final class SampledColumn
{
    private final Map<Long, Integer> counts = new HashMap<>();
    private long rows;
    private long nulls;

    void add(long value)
    {
        rows++;
        counts.merge(value, 1, Integer::sum);
    }

    void addNull()
    {
        rows++;
        nulls++;
    }

    boolean isEmpty()
    {
        return rows == 0;
    }

    /** 0 to 1, if there were rows. */
    double nullFraction()
    {
        return (double) nulls / rows;
    }

    /**
     * Distinct values but NULL of a whole table, if these are some of its rows.
     *
     * <p>By the estimator "Duj1" of Haas and Stokes, "Estimating the number of classes in a finite population" (1998), as in
     * PostgreSQL: values that were seen only once tell how many were not seen at all.
     */
    long distinctValues(long tableRows)
    {
        long seen = rows - nulls;
        if (seen == 0) {
            return 0;
        }
        double all = Math.max(tableRows * (1 - nullFraction()), seen);
        long once = counts.values().stream().filter(count -> count == 1).count();
        double estimate = seen * (double) counts.size() / (seen - once + once * seen / all);
        return Math.round(Math.clamp(estimate, counts.size(), all));
    }
}
