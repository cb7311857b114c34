package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * Holds one range of a plan with the server's estimate of its rows, if the user may see it.
 *
 * @param partitions the (sub)partitions that are read; none of a table that has none
 */
public record PlannedRange(List<String> partitions, KeyRange range, OptionalLong estimatedRows)
{
    public PlannedRange(KeyRange range, OptionalLong estimatedRows)
    {
        this(ImmutableList.of(), range, estimatedRows);
    }

    public PlannedRange
    {
        partitions = ImmutableList.copyOf(partitions);
        requireNonNull(range, "range is null");
        requireNonNull(estimatedRows, "estimatedRows is null");
    }

    // How the rows are shared out among the partitions is not known here.
    Stream<PlannedRange> ofOnePartitionEach()
    {
        OptionalLong rows = estimatedRows.isPresent() && !partitions.isEmpty() ? OptionalLong.of(estimatedRows.getAsLong() / partitions.size()) : estimatedRows;
        return partitions.size() <= 1 ? Stream.of(this) : partitions.stream().map(partition -> new PlannedRange(ImmutableList.of(partition), range, rows));
    }

    PlannedRange ofPartition(String partition)
    {
        return new PlannedRange(ImmutableList.of(partition), range, estimatedRows);
    }
}
