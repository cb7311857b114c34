package io.mysqlpq.trino.types;

import static java.util.Objects.requireNonNull;

/** What a session sets about types. */
public record TypeOptions(boolean extendedTypes, InvalidDateHandling invalidDates)
{
    public TypeOptions
    {
        requireNonNull(invalidDates, "invalidDates is null");
    }
}
