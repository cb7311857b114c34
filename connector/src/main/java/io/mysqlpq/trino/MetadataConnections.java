package io.mysqlpq.trino;

import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.ConnectionQueue.Slot;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.ForwardingConnection;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Opens base-jdbc's connections, for metadata and writes: as many at once as their reserve has. Where MySQL refuses one, because it or the account has too many,
 * it has pooled connections closed that nobody uses.
 */
final class MetadataConnections
        implements ConnectionFactory
{
    // In which MySQL notices that sessions have ended.
    private static final long PATIENCE_NANOS = SECONDS.toNanos(5);
    private static final long STEP_MILLIS = 20;

    private final ConnectionFactory connections;
    private final ConnectionPools pools;

    MetadataConnections(ConnectionFactory connections, ConnectionPools pools)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.pools = requireNonNull(pools, "pools is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        Slot slot = pools.metadataSlot(session);
        boolean opened = false;
        try {
            Connection connection = open(session);
            opened = true;
            return new ReservedConnection(connection, slot);
        }
        finally {
            if (!opened) {
                slot.close();
            }
        }
    }

    private Connection open(ConnectorSession session)
            throws SQLException
    {
        long start = nanoTime();
        boolean madeRoom = false;
        while (true) {
            try {
                return connections.openConnection(session);
            }
            catch (SQLException e) {
                madeRoom |= MysqlError.isServerFull(e) && pools.giveIdleUp();
                if (!MysqlError.isServerFull(e) || !madeRoom || nanoTime() - start > PATIENCE_NANOS) {
                    throw e;
                }
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
    }

    private static final class ReservedConnection
            extends ForwardingConnection
    {
        private final Connection connection;
        private final Slot slot;

        ReservedConnection(Connection connection, Slot slot)
        {
            this.connection = connection;
            this.slot = slot;
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
                slot.close();
            }
        }
    }
}
