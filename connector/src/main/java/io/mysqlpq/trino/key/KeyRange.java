package io.mysqlpq.trino.key;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Spans the keys in [lower, upper), in index order; an absent bound leaves that side open. */
public record KeyRange(Optional<KeyBound> lower, Optional<KeyBound> upper)
{
    public KeyRange
    {
        requireNonNull(lower, "lower is null");
        requireNonNull(upper, "upper is null");
    }

    public static KeyRange all()
    {
        return new KeyRange(Optional.empty(), Optional.empty());
    }

    public boolean isAll()
    {
        return lower.isEmpty() && upper.isEmpty();
    }
}
