package io.mysqlpq.trino.split;

import io.mysqlpq.trino.key.IndexKey;
import io.mysqlpq.trino.key.KeyRange;

import java.util.stream.Stream;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Tells a worker which range of which index to read.
 *
 * @param definition the version of table and index that the range belongs to; the worker fails if it changed
 */
public record RangeRead(IndexKey key, KeyRange range, String definition)
{
    public RangeRead
    {
        requireNonNull(key, "key is null");
        requireNonNull(range, "range is null");
        requireNonNull(definition, "definition is null");
        checkArgument(
                Stream.concat(range.lower().stream(), range.upper().stream()).allMatch(bound -> bound.fits(key.columns())),
                "bounds do not fit the key of index %s",
                key.index());
    }
}
