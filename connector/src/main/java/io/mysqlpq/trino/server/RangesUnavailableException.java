package io.mysqlpq.trino.server;

import static java.util.Objects.requireNonNull;

/** Signals that the extension gives no ranges for a table, which can be read all the same. */
public class RangesUnavailableException
        extends Exception
{
    private final FallbackCause fallbackCause;

    RangesUnavailableException(FallbackCause fallbackCause, Exception cause)
    {
        super(cause.getMessage(), cause);
        this.fallbackCause = requireNonNull(fallbackCause, "fallbackCause is null");
    }

    RangesUnavailableException(FallbackCause fallbackCause, String message)
    {
        super(message);
        this.fallbackCause = requireNonNull(fallbackCause, "fallbackCause is null");
    }

    public FallbackCause fallbackCause()
    {
        return fallbackCause;
    }
}
