package io.mysqlpq.trino.driver;

import io.airlift.units.Duration;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static java.lang.Math.toIntExact;
import static java.util.Objects.requireNonNull;

/** Limits the wait for each reply of MySQL to metadata, writes and SQL of users: a thread that waits in a socket hears of no cancelling. */
public final class ReplyLimitedConnections
        implements ConnectionFactory
{
    private final ConnectionFactory connections;
    private final int limitMillis;

    public ReplyLimitedConnections(ConnectionFactory connections, Duration limit)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.limitMillis = toIntExact(limit.toMillis());
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        Connection connection = connections.openConnection(session);
        try {
            connection.setNetworkTimeout(directExecutor(), limitMillis);
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
