package io.mysqlpq.trino.driver;

import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.ConnectionQueue.Permit;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.ForwardingConnection;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import static io.airlift.units.Duration.nanosSince;
import static java.lang.Math.min;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;

/**
 * Opens base-jdbc's connections, for metadata and writes, as many at once as their reserve has.
 *
 * <p>MySQL may refuse a connection because the server or the account has too many. This class then has idle pooled connections closed, and
 * tries again for {@code connection-wait-timeout}.
 */
public final class MetadataConnections
        implements ConnectionFactory
{
    // The account's own limit if it has one, else the server's for each account.
    private static final String LIMIT_OF_ACCOUNT = "SELECT @@SESSION.max_user_connections";
    // MySQL soon notices that sessions have ended.
    private static final long STEP_MILLIS = 20;

    private final ConnectionFactory connections;
    private final ConnectionFactory promptConnections;
    private final ConnectionPools pools;

    /**
     * @param promptConnections the same connections from a driver that tries once only. Between attempts a driver sleeps for seconds. Such
     * a connection does not reconnect later, which is no loss, because nobody uses a connection that failed again
     */
    public MetadataConnections(ConnectionFactory connections, ConnectionFactory promptConnections, ConnectionPools pools)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.promptConnections = requireNonNull(promptConnections, "promptConnections is null");
        this.pools = requireNonNull(pools, "pools is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        Permit permit = pools.metadataPermit(session);
        boolean opened = false;
        try {
            Connection connection = PreparedConnections.prepared(connect(session), opening -> learnLimit(session, opening));
            opened = true;
            permit.opened();
            return new ReservedConnection(connection, permit);
        }
        finally {
            if (!opened) {
                permit.close();
            }
        }
    }

    // A query asks for metadata first, so the limit is known before a query asks for connections that are divided by it.
    private void learnLimit(ConnectorSession session, Connection connection)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet limit = statement.executeQuery(LIMIT_OF_ACCOUNT)) {
            limit.next();
            pools.learnLimit(session, (int) min(limit.getLong(1), Integer.MAX_VALUE));
        }
    }

    private Connection connect(ConnectorSession session)
            throws SQLException
    {
        long start = nanoTime();
        while (true) {
            try {
                return promptConnections.openConnection(session);
            }
            catch (SQLException e) {
                // A wrong password or certificate stays wrong, and MySQL may count attempts.
                if (MysqlError.isLoginRefused(e) || MysqlError.tlsRefusal(e).isPresent()) {
                    throw e;
                }
                if (!MysqlError.isServerFull(e) || nanosSince(start).compareTo(pools.waitTimeout()) > 0) {
                    return connections.openConnection(session);
                }
                boolean _ = pools.giveIdleUp();
            }
            pause();
        }
    }

    private static void pause()
            throws SQLException
    {
        try {
            Thread.sleep(STEP_MILLIS);
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while waiting for a connection", e);
        }
    }

    @Override
    public void close()
            throws SQLException
    {
        connections.close();
        promptConnections.close();
    }

    private static final class ReservedConnection
            extends ForwardingConnection
    {
        private final Connection connection;
        private final Permit permit;

        ReservedConnection(Connection connection, Permit permit)
        {
            this.connection = connection;
            this.permit = permit;
        }

        @Override
        protected Connection delegate()
        {
            return connection;
        }

        @Override
        public void close()
                throws SQLException
        {
            try {
                connection.close();
            }
            finally {
                permit.close();
            }
        }
    }
}
