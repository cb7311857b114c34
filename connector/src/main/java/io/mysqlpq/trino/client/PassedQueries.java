package io.mysqlpq.trino.client;

import com.google.common.collect.ImmutableList;
import com.mysql.cj.jdbc.JdbcConnection;
import com.mysql.cj.protocol.ServerSession;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.QuerySession;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcQueryRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.PreparedQuery;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.QueryId;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.predicate.TupleDomain;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.spi.StandardErrorCode.INVALID_FUNCTION_ARGUMENT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.USER_CANCELED;
import static java.util.Objects.requireNonNull;

/**
 * Asks MySQL for the columns of a query that a user wrote. MySQL prepares the query and does not run it. The driver's own prepared
 * statements would run it.
 *
 * <p>MySQL may meanwhile wait for a locked table. Trino interrupts the thread of a cancelled query, but a wait in a socket does not notice
 * that. Another thread therefore waits for MySQL.
 */
final class PassedQueries
{
    private static final Logger log = Logger.get(PassedQueries.class);
    private static final int NO_DATABASE = 1046;

    private final ConnectionFactory connections;
    private final ConnectionFactory newConnections;
    private final RemoteQueryModifier queryModifier;
    private final ExecutorService executor;

    /**
     * @param connections may return a connection that the query has used before
     * @param newConnections returns only connections that nobody has used before
     */
    PassedQueries(ConnectionFactory connections, ConnectionFactory newConnections, RemoteQueryModifier queryModifier, ExecutorService executor)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.newConnections = requireNonNull(newConnections, "newConnections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    /** Gives the types of a result's columns. */
    interface ColumnTypes
    {
        List<JdbcColumnHandle> of(Connection connection, ResultSetMetaData columns)
                throws SQLException;
    }

    JdbcTableHandle handle(ConnectorSession session, PreparedQuery query, ColumnTypes types)
    {
        try (Connection connection = connections.openConnection(session)) {
            JdbcConnection driverConnection = connection.unwrap(JdbcConnection.class);
            ServerSession mode = driverConnection.getSession().getServerSession();
            PreparedQuery trimmed = query.transformQuery(new PassedSql(!mode.isNoBackslashEscapesSet(), mode.useAnsiQuotedIdentifiers())::withoutEnd);
            if (trimmed.query().isEmpty()) {
                throw new TrinoException(INVALID_FUNCTION_ARGUMENT, "QUERY is empty. Write a MySQL statement that returns rows");
            }
            Future<List<JdbcColumnHandle>> columns = executor.submit(() -> columns(session, driverConnection, trimmed, types));
            return handle(trimmed, await(session, columns, driverConnection));
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to get table handle for prepared query. %s%s".formatted(ErrorHints.explain(e, "reply-timeout"), e.getErrorCode() == NO_DATABASE ? ". Name each table with its database, as in shop.orders" : ""), e);
        }
    }

    private List<JdbcColumnHandle> columns(ConnectorSession session, JdbcConnection connection, PreparedQuery query, ColumnTypes types)
            throws SQLException
    {
        try (PreparedStatement statement = connection.serverPrepareStatement(queryModifier.apply(session, query.query()))) {
            ResultSetMetaData columns = statement.getMetaData();
            if (columns == null) {
                throw new TrinoException(NOT_SUPPORTED, "Query not supported: ResultSetMetaData not available for query: %s. It returns no rows. Use system.execute".formatted(query.query()));
            }
            return types.of(connection, columns);
        }
    }

    private List<JdbcColumnHandle> await(ConnectorSession session, Future<List<JdbcColumnHandle>> columns, JdbcConnection connection)
            throws SQLException
    {
        long sessionId = connection.getSession().getThreadId();
        try {
            return columns.get();
        }
        catch (InterruptedException e) {
            // Nobody is to get a connection in which the other thread still waits.
            connection.abort(directExecutor());
            // This thread stays interrupted, which its own connection might not survive.
            executor.execute(() -> end(session, sessionId));
            Thread.currentThread().interrupt();
            throw new TrinoException(USER_CANCELED, "The query was cancelled while MySQL prepared its SQL", e);
        }
        catch (ExecutionException e) {
            throwIfUnchecked(e.getCause());
            SQLException failure = (SQLException) e.getCause();
            if (MysqlError.isSilence(failure)) {
                executor.execute(() -> end(session, sessionId));
            }
            throw failure;
        }
    }

    private void end(ConnectorSession session, long sessionId)
    {
        try (Connection connection = newConnections.openConnection(session)) {
            QuerySession.end(connection, sessionId, new QueryId(session.getQueryId()));
        }
        catch (SQLException e) {
            log.debug(e, "Could not end MySQL's session %s", sessionId);
        }
    }

    private static JdbcTableHandle handle(PreparedQuery query, List<JdbcColumnHandle> columns)
    {
        return new JdbcTableHandle(
                new JdbcQueryRelationHandle(query),
                TupleDomain.all(),
                ImmutableList.of(),
                Optional.empty(),
                OptionalLong.empty(),
                Optional.of(columns),
                // Nobody knows which tables the query names.
                Optional.empty(),
                0,
                Optional.empty(),
                ImmutableList.of());
    }
}
