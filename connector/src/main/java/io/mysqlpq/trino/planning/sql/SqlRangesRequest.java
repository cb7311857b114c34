package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyRange;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Says what to cut, and into how many ranges.
 *
 * @param range the part of the index with the rows that matter. Other rows end up in the first and the last range
 */
public record SqlRangesRequest(String schema, String table, String index, KeyRange range, long targetRows, int maxRanges)
{
    public SqlRangesRequest
    {
        requireNonNull(schema, "schema is null");
        requireNonNull(table, "table is null");
        requireNonNull(index, "index is null");
        requireNonNull(range, "range is null");
        checkArgument(targetRows > 0, "targetRows is not positive: %s", targetRows);
        checkArgument(maxRanges > 0, "maxRanges is not positive: %s", maxRanges);
    }
}
