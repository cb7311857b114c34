package io.mysqlpq.trino.planning.sql;

import io.mysqlpq.trino.key.KeyRange;

import static java.util.Objects.requireNonNull;

/** Holds a range and an estimate of its rows. */
public record EstimatedRange(KeyRange range, long estimatedRows)
{
    public EstimatedRange
    {
        requireNonNull(range, "range is null");
    }
}
