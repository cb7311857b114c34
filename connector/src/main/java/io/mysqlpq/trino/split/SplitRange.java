package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyRange;

import java.util.List;
import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Tells a worker which range of which index to read.
 *
 * @param partitions the (sub)partitions to read; all if it names none
 * @param definition the version of table and index that the range belongs to; the worker fails if it changed
 * @param hypergraphOptimizer whether MySQL's hypergraph optimizer is to read it
 */
public record SplitRange(IndexKey key, List<String> partitions, KeyRange range, String definition, boolean hypergraphOptimizer)
{
    public SplitRange(IndexKey key, KeyRange range, String definition)
    {
        this(key, ImmutableList.of(), range, definition, false);
    }

    public SplitRange
    {
        requireNonNull(key, "key is null");
        partitions = ImmutableList.copyOf(partitions);
        requireNonNull(range, "range is null");
        requireNonNull(definition, "definition is null");
        checkArgument(
                Stream.concat(range.lower().stream(), range.upper().stream()).allMatch(bound -> bound.fits(key.columns())),
                "bounds do not fit the key of index %s",
                key.index());
    }
}
