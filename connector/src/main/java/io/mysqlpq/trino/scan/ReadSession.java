package io.mysqlpq.trino.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;

/**
 * Holds the connection of one read, and gives it back exactly once, and the permit with it: clean after the last row,
 * discarded on cancel. Any thread may cancel, also one that finds nothing to cancel yet.
 */
final class ReadSession
{
    private final ConnectionPools connections;
    private final ConnectorSession session;

    @GuardedBy("this")
    @Nullable
    private PooledConnection connection;
    @GuardedBy("this")
    private boolean cancelled;

    ReadSession(ConnectionPools connections, ConnectorSession session)
    {
        this.connections = connections;
        this.session = session;
    }

    /** Connects, unless the read was cancelled. Takes the permit over in any case, until the connection is given back or MySQL has ended its session. */
    boolean open(Permit granted)
            throws SQLException
    {
        boolean connected = false;
        try {
            if (isCancelled()) {
                return false;
            }
            PooledConnection opened = connections.open(session);
            opened.whenReturned(granted::close);
            connected = true;
            return take(opened);
        }
        finally {
            if (!connected) {
                granted.close();
            }
        }
    }

    private synchronized boolean take(PooledConnection opened)
            throws SQLException
    {
        if (cancelled) {
            opened.close();
            return false;
        }
        connection = opened;
        return true;
    }

    synchronized Connection connection()
            throws SQLException
    {
        if (connection == null) {
            throw new SQLException("The read was cancelled");
        }
        return connection.connection();
    }

    /** A connection to ask what became of the read: its own, or another where that is lost. */
    <T> T ask(boolean lost, Function<Connection, T> question)
            throws SQLException
    {
        if (!lost) {
            return question.apply(connection());
        }
        try (PooledConnection other = connections.openBriefly(session)) {
            return question.apply(other.connection());
        }
    }

    /** Gives the connection back to its pool. The caller has read all rows and ended its transaction. */
    synchronized void finish()
            throws SQLException
    {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }

    synchronized boolean isCancelled()
    {
        return cancelled;
    }

    /** Ends the session in MySQL if there is one. A statement in progress fails soon after. */
    synchronized void cancel()
    {
        cancelled = true;
        if (connection != null) {
            connection.discard();
            connection = null;
        }
    }
}
