package io.mysqlpq.trino.driver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.Account;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.ForwardingConnection;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.PreDestroy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/**
 * Keeps a query's connection for its next call of metadata, for two seconds at most, and only as long as nobody waits for a connection.
 *
 * <p>base-jdbc would keep it whether others wait or not.
 */
public final class ReusedConnections
        implements ConnectionFactory, JdbcQueryEventListener
{
    private static final Logger log = Logger.get(ReusedConnections.class);
    private static final int LONGEST_IDLE_MILLIS = 2_000;

    private final ConnectionFactory connections;
    private final ConnectionPools pools;
    private final boolean reuses;

    @GuardedBy("this")
    private final Map<User, Connection> idle = new HashMap<>();

    /** @param reuses whether connections are kept at all */
    public ReusedConnections(ConnectionFactory connections, ConnectionPools pools, boolean reuses)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.pools = requireNonNull(pools, "pools is null");
        this.reuses = reuses;
        pools.whenMetadataWaits(this::giveIdleUp);
    }

    @Override
    public Connection openConnection(ConnectorSession session)
            throws SQLException
    {
        if (!reuses) {
            return connections.openConnection(session);
        }
        User user = new User(session.getQueryId(), pools.account(session));
        Optional<Connection> kept = take(user);
        return new ReusedConnection(user, kept.isPresent() ? kept.get() : connections.openConnection(session));
    }

    private synchronized Optional<Connection> take(User user)
    {
        return Optional.ofNullable(idle.remove(user));
    }

    private void keep(User user, Connection connection)
            throws SQLException
    {
        Connection other;
        synchronized (this) {
            other = idle.put(user, connection);
        }
        if (other != null) {
            other.close();
        }
        pools.later(() -> closeIfIdle(user, connection), LONGEST_IDLE_MILLIS);
        // Somebody may have begun to wait before this connection was idle, and have found nothing to close.
        if (pools.isMetadataWaitedFor()) {
            giveIdleUp();
        }
    }

    private void closeIfIdle(User user, Connection connection)
    {
        boolean isIdle;
        synchronized (this) {
            isIdle = idle.remove(user, connection);
        }
        if (isIdle) {
            close(connection);
        }
    }

    private void giveIdleUp()
    {
        close(_ -> true);
    }

    private void close(Predicate<User> condition)
    {
        List<Connection> closed;
        synchronized (this) {
            closed = idle.entrySet().stream().filter(kept -> condition.test(kept.getKey())).map(Map.Entry::getValue).collect(toImmutableList());
            idle.keySet().removeIf(condition);
        }
        closed.forEach(ReusedConnections::close);
    }

    private static void close(Connection connection)
    {
        try {
            connection.close();
        }
        catch (SQLException | RuntimeException e) {
            log.debug(e, "Could not close an idle connection for metadata");
        }
    }

    @Override
    public void beginQuery(ConnectorSession session)
    {}

    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        close(user -> user.query().equals(session.getQueryId()));
    }

    @Override
    @PreDestroy
    public void close()
            throws SQLException
    {
        giveIdleUp();
        connections.close();
    }

    // A query reads a view with the rights of the view's owner, perhaps by another account.
    private record User(String query, Account account)
    {
        private User
        {
            requireNonNull(query, "query is null");
            requireNonNull(account, "account is null");
        }
    }

    private final class ReusedConnection
            extends ForwardingConnection
    {
        private final User user;
        private final Connection connection;
        // A connection that was never used is not connected.
        private volatile boolean used;
        // Whether it was changed in a way that this class does not undo.
        private volatile boolean changed;
        private volatile boolean closed;

        ReusedConnection(User user, Connection connection)
        {
            this.user = user;
            this.connection = connection;
        }

        @Override
        protected Connection delegate()
                throws SQLException
        {
            if (closed) {
                throw new SQLException("The connection is closed");
            }
            used = true;
            return connection;
        }

        @Override
        public void setAutoCommit(boolean autoCommit)
                throws SQLException
        {
            changed = true;
            super.setAutoCommit(autoCommit);
        }

        @Override
        public void setReadOnly(boolean readOnly)
                throws SQLException
        {
            changed = true;
            super.setReadOnly(readOnly);
        }

        @Override
        public boolean isClosed()
                throws SQLException
        {
            return closed || super.isClosed();
        }

        @Override
        public void close()
                throws SQLException
        {
            if (closed) {
                return;
            }
            closed = true;
            if (used && !changed && !connection.isClosed()) {
                keep(user, connection);
            }
            else {
                connection.close();
            }
        }
    }
}
