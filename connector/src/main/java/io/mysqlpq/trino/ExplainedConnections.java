package io.mysqlpq.trino;

import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static com.google.common.base.Throwables.getRootCause;
import static java.util.Objects.requireNonNull;

/** Says why MySQL could not be reached: after several attempts the driver's own message only counts them. */
final class ExplainedConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;

    ExplainedConnections(ConnectionFactory connections)
    {
        this.connections = requireNonNull(connections, "connections is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        try {
            return connections.openConnection(session);
        }
        catch (SQLException e) {
            Throwable reason = getRootCause(e);
            if (reason.getMessage() == null || e.getMessage().contains(reason.getMessage())) {
                throw e;
            }
            throw new SQLException("%s %s".formatted(e.getMessage(), reason.getMessage()), e.getSQLState(), e.getErrorCode(), e);
        }
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
    }
}
