package io.mysqlpq.trino.aggregation;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Holds a session's wishes for aggregations that MySQL computes.
 *
 * @param parallelism ranges that are aggregated at the same time; with 1 the aggregation is one statement
 * @param maxGroups most groups that are merged from ranges
 * @param beforeNativeScan whether MySQL is to compute them also where the extension could read the rows itself
 * @param natively whether the extension may compute groups
 */
public record AggregationOptions(int parallelism, int maxGroups, boolean beforeNativeScan, boolean natively)
{
    public AggregationOptions
    {
        checkArgument(parallelism > 0, "parallelism is not positive: %s", parallelism);
        checkArgument(maxGroups > 0, "maxGroups is not positive: %s", maxGroups);
    }

    public boolean isParallel()
    {
        return parallelism > 1;
    }
}
