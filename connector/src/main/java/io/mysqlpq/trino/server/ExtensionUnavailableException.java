package io.mysqlpq.trino.server;

import io.mysqlpq.trino.protocol.ExtensionError;

import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/** Signals that the extension does not help with a table. The table can still be read without it. */
public class ExtensionUnavailableException
        extends Exception
{
    private final FallbackCause fallbackCause;

    ExtensionUnavailableException(FallbackCause fallbackCause, Exception cause)
    {
        super(cause instanceof SQLException e ? ExtensionError.of(e).map(error -> error.explain(e)).orElse(e.getMessage()) : cause.getMessage(), cause);
        this.fallbackCause = requireNonNull(fallbackCause, "fallbackCause is null");
    }

    public ExtensionUnavailableException(FallbackCause fallbackCause, String message)
    {
        super(message);
        this.fallbackCause = requireNonNull(fallbackCause, "fallbackCause is null");
    }

    public FallbackCause fallbackCause()
    {
        return fallbackCause;
    }
}
