package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.key.KeyRange;

import java.util.OptionalLong;

import static java.util.Objects.requireNonNull;

/** Holds one range of a plan with the server's estimate of its rows, if the user may see it. */
public record PlannedRange(KeyRange range, OptionalLong estimatedRows)
{
    public PlannedRange
    {
        requireNonNull(range, "range is null");
        requireNonNull(estimatedRows, "estimatedRows is null");
    }
}
