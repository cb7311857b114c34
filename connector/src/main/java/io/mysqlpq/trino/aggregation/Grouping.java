package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.planning.ScanDecision;

import static io.mysqlpq.trino.planning.OneSplitReason.PUSHED_QUERY;
import static java.util.Objects.requireNonNull;

/** Says who computes an aggregation. */
public sealed interface Grouping
{
    /** Trino computes it from rows, which it reads by ranges. */
    record ByTrino()
            implements Grouping
    {}

    /** MySQL computes it as one statement. */
    record OneStatement()
            implements Grouping
    {}

    /**
     * Ranges compute it, each a part.
     *
     * @param decision how the ranges are read
     */
    record ByRanges(AggregationByRanges aggregation, ScanDecision decision)
            implements Grouping
    {
        public ByRanges
        {
            requireNonNull(aggregation, "aggregation is null");
            requireNonNull(decision, "decision is null");
        }

        /** Returns the text that EXPLAIN shows. If the table turns out to have no ranges, MySQL computes all as one statement. */
        @Override
        public String toString()
        {
            return decision.isDecidedWhole() ? "one split: " + PUSHED_QUERY : "%s %s".formatted(aggregation.kind(), decision);
        }
    }
}
