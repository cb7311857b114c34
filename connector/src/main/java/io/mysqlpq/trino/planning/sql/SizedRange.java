package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyRange;

import static java.util.Objects.requireNonNull;

/** Holds a range and an estimate of its rows. */
public record SizedRange(KeyRange range, long rows)
{
    public SizedRange
    {
        requireNonNull(range, "range is null");
    }
}
