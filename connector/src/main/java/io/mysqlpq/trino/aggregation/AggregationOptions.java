package io.mysqlpq.trino.aggregation;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Holds a session's wishes for aggregations that Trino does not compute.
 *
 * @param parallelism ranges that are aggregated at the same time; with 1 the aggregation is one statement
 * @param maxGroups the expected groups up to which one node merges those of all ranges
 * @param natively whether the extension may compute groups
 */
public record AggregationOptions(int parallelism, int maxGroups, boolean natively)
{
    public AggregationOptions
    {
        checkArgument(parallelism > 0, "parallelism is not positive: %s", parallelism);
        checkArgument(maxGroups > 0, "maxGroups is not positive: %s", maxGroups);
    }

    /** Whether the extension may compute groups, and the expressions that they need. */
    @Override
    public boolean natively()
    {
        return natively && isParallel();
    }

    public boolean isParallel()
    {
        return parallelism > 1;
    }
}
