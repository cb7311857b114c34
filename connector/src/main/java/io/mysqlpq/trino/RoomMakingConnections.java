package io.mysqlpq.trino;

import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;

import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Has pooled connections that nobody uses closed, where MySQL refuses another one because it, or the account, has too many. */
final class RoomMakingConnections
        implements ConnectionFactory
{
    // In which MySQL notices that sessions have ended.
    private static final long PATIENCE_NANOS = SECONDS.toNanos(5);
    private static final long STEP_MILLIS = 20;

    private final ConnectionFactory connections;
    private final ConnectionPools pools;

    RoomMakingConnections(ConnectionFactory connections, ConnectionPools pools)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.pools = requireNonNull(pools, "pools is null");
    }

    @Override
    public Connection openConnection(ConnectorSession session)
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
}
