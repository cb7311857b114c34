package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.MergedAggregation;
import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.nativescan.NativeFilter;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Tells a worker how to compute an aggregation range by range. If MySQL computes the groups and the worker cannot merge them, it asks for the
 * whole at once.
 *
 * @param ranges gap-free, of one index; none to read the table as one
 * @param nativeFilter keeps the rows that pass what was pushed down as expressions, if the extension computes the groups
 */
public record RangedAggregation(MergedAggregation aggregation, List<SplitRange> ranges, AggregationOptions options, Optional<NativeFilter> nativeFilter)
{
    public RangedAggregation
    {
        requireNonNull(aggregation, "aggregation is null");
        ranges = ImmutableList.copyOf(ranges);
        requireNonNull(options, "options is null");
        requireNonNull(nativeFilter, "nativeFilter is null");
        checkArgument(!ranges.isEmpty() || aggregation instanceof NativeAggregation, "ranges is empty");
    }
}
