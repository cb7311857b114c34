package io.mysqlpq.trino.aggregation;

import io.trino.plugin.jdbc.PreparedQuery;

import static java.util.Objects.requireNonNull;

/**
 * Holds how MySQL finds the first of some distinct rows.
 *
 * @param query finds them as one statement
 * @param byRanges whether ranges still give the same, where they did so for all rows
 */
public record FirstRows(PreparedQuery query, boolean byRanges)
{
    public FirstRows
    {
        requireNonNull(query, "query is null");
    }
}
