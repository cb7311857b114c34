package io.mysqlpq.trino.error;

import io.trino.spi.TrinoException;

import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;

/** Refuses values of session properties that are outside of their range. */
public final class PropertyRange
{
    private PropertyRange()
    {}

    /** @throws TrinoException that names the property, its range and the value */
    public static void check(String property, long value, long greatest)
    {
        if (value < 1 || value > greatest) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "%s must be between 1 and %d: %d".formatted(property, greatest, value));
        }
    }
}
