package io.mysqlpq.trino.driver;

import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.SessionSetup;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static java.util.Objects.requireNonNull;

/** Opens sessions whose statements have all their rows and wait for no table without limit, whatever the server sets for new sessions: a list of columns without its end would be remembered. */
public final class CompleteConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;
    private final Duration lockWaitTimeout;

    public CompleteConnections(ConnectionFactory connections, Duration lockWaitTimeout)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.lockWaitTimeout = requireNonNull(lockWaitTimeout, "lockWaitTimeout is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        Connection connection = connections.openConnection(session);
        try {
            SessionSetup.prepare(connection, lockWaitTimeout);
            return connection;
        }
        catch (SQLException | RuntimeException e) {
            try {
                connection.close();
            }
            catch (SQLException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
    }
}
