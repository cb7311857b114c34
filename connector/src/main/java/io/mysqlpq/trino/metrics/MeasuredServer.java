package io.mysqlpq.trino.metrics;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Names the server whose reads are counted.
 *
 * @param replica empty for the server of {@code connection-url}
 */
public record MeasuredServer(Optional<String> replica)
{
    public MeasuredServer
    {
        requireNonNull(replica, "replica is null");
    }
}
