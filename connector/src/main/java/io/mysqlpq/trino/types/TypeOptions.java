package io.mysqlpq.trino.types;

import static java.util.Objects.requireNonNull;

/** Holds a session's settings about types. */
public record TypeOptions(boolean extendedTypes, InvalidDateHandling invalidDates)
{
    public TypeOptions
    {
        requireNonNull(invalidDates, "invalidDates is null");
    }
}
