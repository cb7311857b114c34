package io.mysqlpq.trino.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
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
            boolean taken = take(opened);
            if (!taken) {
                opened.close();
            }
            return taken;
        }
        finally {
            if (!connected) {
                granted.close();
            }
        }
    }

    // A connection that is given back frees a permit, which runs code of whoever waits for one: never under our lock.
    private synchronized boolean take(PooledConnection opened)
    {
        if (!cancelled) {
            connection = opened;
        }
        return !cancelled;
    }

    synchronized Connection connection()
            throws SQLException
    {
        if (connection == null) {
            throw new SQLException("The read was cancelled");
        }
        return connection.connection();
    }

    /** A connection to ask what became of the read: its own, or, where that is lost, another one in its place. The permit is for that, too. */
    <T> T ask(boolean lost, Function<Connection, T> question)
            throws SQLException
    {
        if (!lost) {
            return question.apply(connection());
        }
        try (PooledConnection other = connections.openInPlaceOfLost(session)) {
            return question.apply(other.connection());
        }
    }

    /** Gives the connection back to its pool. The caller has read all rows and ended its transaction. */
    void finish()
            throws SQLException
    {
        Optional<PooledConnection> finished = release();
        if (finished.isEmpty()) {
            return;
        }
        boolean closed = false;
        try {
            finished.get().close();
            closed = true;
        }
        finally {
            if (!closed) {
                finished.get().discard();
            }
        }
    }

    private synchronized Optional<PooledConnection> release()
    {
        Optional<PooledConnection> released = Optional.ofNullable(connection);
        connection = null;
        return released;
    }

    synchronized boolean isCancelled()
    {
        return cancelled;
    }

    /** Ends the session in MySQL if there is one. A statement in progress fails soon after. */
    void cancel()
    {
        synchronized (this) {
            cancelled = true;
        }
        release().ifPresent(PooledConnection::discard);
    }
}
