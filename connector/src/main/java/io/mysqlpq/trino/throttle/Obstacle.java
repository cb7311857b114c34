package io.mysqlpq.trino.throttle;

import io.mysqlpq.trino.error.MysqlPqErrorCode;
import io.trino.spi.TrinoException;

import static java.util.Objects.requireNonNull;

/**
 * Says why a read has to wait, and how it fails if it waits in vain.
 *
 * @param message what is the matter, by which rule, and the way out
 */
record Obstacle(MysqlPqErrorCode code, String message)
{
    Obstacle
    {
        requireNonNull(code, "code is null");
        requireNonNull(message, "message is null");
    }

    TrinoException toException()
    {
        return new TrinoException(code, message);
    }
}
