package io.mysqlpq.trino.driver;

import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/** Opens sessions whose time zone is UTC, for statements that read or compare instants. */
public record UtcConnections(ConnectionFactory connections)
{
    public UtcConnections
    {
        requireNonNull(connections, "connections is null");
    }

    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        return connections.openConnection(session);
    }
}
