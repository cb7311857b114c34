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
 * Holds the connection and the permit of one read, and gives both back exactly once. The connection is clean after the last row, and is
 * discarded on cancel. Any thread may cancel, even before there is anything to cancel.
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

    /** Connects, unless the read was cancelled. In any case it owns the permit until the connection is given back, or MySQL has ended its session. */
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

    /** Asks what became of the read: on its own connection, or on another one in its place if it is lost. The permit covers both. */
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
