package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.Account;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

import static java.lang.System.nanoTime;

/** Reads what a server says of its load, its lag and its group, as the account of one session. Used by one thread. */
final class ServerReadings
        implements AutoCloseable
{
    private final ConnectionPools connections;
    private final RemoteQueryModifier queryModifier;
    private final ConnectorSession session;
    private final Gauges gauges;
    @Nullable
    private PooledConnection connection;

    ServerReadings(ConnectionPools connections, RemoteQueryModifier queryModifier, ConnectorSession session, Gauges gauges)
    {
        this.connections = connections;
        this.queryModifier = queryModifier;
        this.session = session;
        this.gauges = gauges;
    }

    /** As everybody sees it: with the thread that looks, and MySQL's event scheduler. */
    RunningThreads threadsRunning()
            throws SQLException
    {
        return gauges.threadsRunning().get(account(), this::connection, opened -> new RunningThreads(text(opened, "SHOW GLOBAL STATUS LIKE 'Threads_running'", 2).map(Long::parseLong).orElse(0L), nanoTime()));
    }

    ReplicaLag replicaLag()
            throws SQLException
    {
        return gauges.replicaLag().get(account(), this::connection, opened -> ReplicaLag.read(opened, this::withComment));
    }

    /** The state of this server as a member of its replication group; empty if it is none. */
    Optional<String> memberState()
            throws SQLException
    {
        return gauges.memberState().get(account(), this::connection, opened -> text(opened, "SELECT member_state FROM performance_schema.replication_group_members WHERE member_id = @@GLOBAL.server_uuid", 1));
    }

    /**
     * Whether the server can be read, as far as the account may see.
     *
     * @param ofMember whether a member of a replication group must not recover or have failed
     */
    ServerState state(boolean ofMember)
            throws SQLException
    {
        RunningThreads _ = threadsRunning();
        Optional<String> refused = ofMember ? unlessDenied(this::memberState, Optional.<String>empty()).filter(UnreadyMember::isRefused) : Optional.empty();
        if (refused.isPresent()) {
            return new ServerState.Unfit("it is %s in its replication group".formatted(refused.get()));
        }
        return unlessDenied(this::lag, new ServerState.Fit(Optional.empty(), false));
    }

    private ServerState lag()
            throws SQLException
    {
        ReplicaLag lag = replicaLag();
        return new ServerState.Fit(Optional.of(lag.running()).filter(_ -> lag.stopped().isEmpty()), lag.stopped().isPresent());
    }

    // What the account may not see is not known.
    private static <T> T unlessDenied(Reading<T> reading, T unknown)
            throws SQLException
    {
        try {
            return reading.read();
        }
        catch (SQLException e) {
            if (MysqlError.isPrivilegeMissing(e)) {
                return unknown;
            }
            throw e;
        }
    }

    private Optional<String> text(Connection opened, String sql, int column)
            throws SQLException
    {
        try (Statement statement = opened.createStatement(); ResultSet row = statement.executeQuery(withComment(sql))) {
            return row.next() ? Optional.ofNullable(row.getString(column)) : Optional.empty();
        }
    }

    private String withComment(String sql)
    {
        return queryModifier.apply(session, sql);
    }

    private Account account()
    {
        return connections.account(session);
    }

    private Connection connection()
            throws SQLException
    {
        if (connection == null) {
            try {
                connection = connections.openToWatch(session);
            }
            catch (TrinoException e) {
                throw new SQLException(e.getMessage(), e);
            }
        }
        return connection.connection();
    }

    @Override
    public void close()
            throws SQLException
    {
        if (connection != null) {
            connection.close();
        }
    }

    private interface Reading<T>
    {
        T read()
                throws SQLException;
    }

    /** What nodes remember for all sessions. */
    record Gauges(Gauge<RunningThreads> threadsRunning, Gauge<ReplicaLag> replicaLag, Gauge<Optional<String>> memberState)
    {
        static Gauges of(Duration interval, Ticker ticker)
        {
            return new Gauges(new Gauge<>(interval, ticker), new Gauge<>(interval, ticker), new Gauge<>(interval, ticker));
        }
    }
}
