package io.mysqlpq.trino.protocol;

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Keeps rows whose value of a column is in one of the intervals, or NULL if that is wanted. */
public record ScanFilter(String column, List<Interval> intervals, boolean nullPasses)
{
    public ScanFilter
    {
        requireNonNull(column, "column is null");
        intervals = ImmutableList.copyOf(intervals);
    }

    /** Ends as the protocol writes values of the column; none where the interval is open. */
    public record Interval(Optional<String> low, boolean lowInclusive, Optional<String> high, boolean highInclusive)
    {
        public Interval
        {
            requireNonNull(low, "low is null");
            requireNonNull(high, "high is null");
        }
    }
}
