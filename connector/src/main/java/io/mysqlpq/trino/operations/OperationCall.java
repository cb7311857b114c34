package io.mysqlpq.trino.operations;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static io.trino.spi.StandardErrorCode.USER_CANCELED;
import static java.util.Objects.requireNonNull;

/**
 * Asks for the rows of one call of a table function, over a connection of its own. Any thread may cancel, even before there is anything to
 * cancel.
 *
 * @param <H> what is asked for
 */
final class OperationCall<H extends OperationHandle>
{
    private final ConnectionPools connections;
    private final ConnectorSession session;
    private final OperationRows<H> source;
    private final H handle;

    @GuardedBy("this")
    @Nullable
    private PooledConnection connection;
    @GuardedBy("this")
    private boolean cancelled;

    OperationCall(ConnectionPools connections, ConnectorSession session, OperationRows<H> source, H handle)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.session = requireNonNull(session, "session is null");
        this.source = requireNonNull(source, "source is null");
        this.handle = requireNonNull(handle, "handle is null");
    }

    List<List<Object>> rows()
    {
        try (PooledConnection opened = open()) {
            return source.rows(session, opened.connection(), handle);
        }
        catch (SQLException | RuntimeException e) {
            throw failure(e);
        }
    }

    private PooledConnection open()
            throws SQLException
    {
        throwIfCancelled();
        PooledConnection opened = connections.openForPlanning(session);
        try {
            keep(opened);
            return opened;
        }
        catch (SQLException e) {
            opened.close();
            throw e;
        }
    }

    private synchronized void keep(PooledConnection opened)
            throws SQLException
    {
        throwIfCancelled();
        connection = opened;
    }

    private synchronized void throwIfCancelled()
            throws SQLException
    {
        if (cancelled) {
            throw new SQLException("The call was cancelled");
        }
    }

    private synchronized RuntimeException failure(Exception e)
    {
        if (cancelled) {
            return new TrinoException(USER_CANCELED, "The query of the table function was cancelled", e);
        }
        throwIfUnchecked(e);
        return source.failure(handle, (SQLException) e);
    }

    /** Ends the session in MySQL, unless it was given back already. A statement in progress fails soon after. */
    void cancel()
    {
        Optional<PooledConnection> abandoned;
        synchronized (this) {
            cancelled = true;
            abandoned = Optional.ofNullable(connection);
        }
        // It runs code of whoever waits for the connection: never under our lock.
        abandoned.ifPresent(PooledConnection::discard);
    }
}
