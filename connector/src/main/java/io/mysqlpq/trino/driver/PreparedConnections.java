package io.mysqlpq.trino.driver;

import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.SessionSetup;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/** Prepares each connection before anyone uses it. Closes a connection that cannot be prepared. */
final class PreparedConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;
    private final Preparation preparation;

    private PreparedConnections(ConnectionFactory connections, Preparation preparation)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.preparation = requireNonNull(preparation, "preparation is null");
    }

    /**
     * Lets statements have all their rows, and wait for no table without limit, whatever the server sets for new sessions. A list of columns
     * that was cut off would be remembered.
     */
    static ConnectionFactory complete(ConnectionFactory connections, Duration lockWaitTimeout)
    {
        return new PreparedConnections(connections, connection -> SessionSetup.prepare(connection, lockWaitTimeout));
    }

    /** Limits the wait for each reply of MySQL to metadata, writes and SQL of users. A thread that waits in a socket does not notice that its query was cancelled. */
    static ConnectionFactory replyLimited(ConnectionFactory connections, Duration limit)
    {
        int limitMillis = toIntExact(limit.toMillis());
        return new PreparedConnections(connections, connection -> connection.setNetworkTimeout(directExecutor(), limitMillis));
    }

    /** Returns the connection after its preparation. Closes it if the preparation fails. */
    static Connection prepared(Connection connection, Preparation preparation)
            throws SQLException
    {
        try {
            preparation.prepare(connection);
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
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        return prepared(connections.openConnection(session), preparation);
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
    }

    /** Does with a new connection what has to come before its use. */
    interface Preparation
    {
        void prepare(Connection connection)
                throws SQLException;
    }
}
