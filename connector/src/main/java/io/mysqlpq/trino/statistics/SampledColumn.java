package io.mysqlpq.trino.statistics;

import java.util.HashMap;
import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Counts the values of a column in some rows of a table.
 *
 * @param distinct values among them
 * @param once those of them that one row has
 */
record SampledColumn(long rows, long nulls, long distinct, long once)
{
    SampledColumn
    {
        checkArgument(0 <= once && once <= distinct && distinct <= rows - nulls && 0 <= nulls, "%s values, %s of them once, in %s rows with %s NULLs", distinct, once, rows, nulls);
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
        double estimate = seen * (double) distinct / (seen - once + once * seen / all);
        return Math.round(Math.clamp(estimate, distinct, all));
    }

    /** Takes the values of one row after the other. */
    static final class Counter
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

        SampledColumn counted()
        {
            return new SampledColumn(rows, nulls, counts.size(), counts.values().stream().filter(count -> count == 1).count());
        }
    }
}
