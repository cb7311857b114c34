package io.mysqlpq.trino.key;

import com.google.common.collect.ImmutableList;

import java.util.List;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Describes an index by its full physical key: its own columns, and for a secondary index the primary key's
 * columns that it does not already hold.
 */
public record IndexKey(String index, boolean clustered, List<KeyColumn> columns)
{
    /** MySQL's name of every primary key. */
    public static final String PRIMARY = "PRIMARY";

    public IndexKey
    {
        requireNonNull(index, "index is null");
        columns = ImmutableList.copyOf(columns);
        checkArgument(!columns.isEmpty(), "columns is empty");
    }
}
