package io.mysqlpq.trino.connection;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Names the server that a part of the catalog plans and reads on.
 *
 * @param replica empty for the server of {@code connection-url}
 */
public record ReadServer(Optional<ServerAddress> replica)
{
    public static final ReadServer PRIMARY = new ReadServer(Optional.empty());

    public ReadServer
    {
        requireNonNull(replica, "replica is null");
    }
}
