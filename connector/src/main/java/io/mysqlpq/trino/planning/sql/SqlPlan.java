package io.mysqlpq.trino.planning.sql;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.key.IndexKey;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Holds ordered, gap-free, half-open ranges of an index.
 *
 * @param definition the version of table and index that they belong to
 */
public record SqlPlan(IndexKey key, String definition, List<EstimatedRange> ranges)
{
    public SqlPlan
    {
        requireNonNull(key, "key is null");
        requireNonNull(definition, "definition is null");
        ranges = ImmutableList.copyOf(ranges);
        checkArgument(!ranges.isEmpty(), "ranges is empty");
    }
}
