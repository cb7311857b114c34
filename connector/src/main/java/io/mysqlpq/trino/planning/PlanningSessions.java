package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.snapshot.AdoptedSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_LOCKED;
import static io.mysqlpq.trino.protocol.ExtensionError.TOO_MANY_SCANS;
import static io.mysqlpq.trino.server.FallbackCause.LOCK_WAIT_TIMEOUT;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;

/**
 * Asks MySQL what planning needs to know.
 *
 * <p>EXPLAIN and the extension lock a table; the dictionary does not. DDL may wait for a table that the query's snapshot holds. A session
 * that asked for a new lock would wait behind that DDL, and the DDL waits for the snapshot. The session therefore borrows the lock, as
 * readers do.
 *
 * <p>There are few connections that plan. A question that waits for a locked table gives its connection back each second, so that one table
 * does not keep others from being planned.
 */
final class PlanningSessions
{
    private static final Logger log = Logger.get(PlanningSessions.class);

    private final ConnectionPools connections;
    private final RemoteQueryModifier queryModifier;

    @Inject
    PlanningSessions(ConnectionPools connections, RemoteQueryModifier queryModifier)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
    }

    /** @param snapshot the one that holds the table, if one does */
    <T, E extends Exception> T ask(ConnectorSession session, RemoteTableName table, Optional<SnapshotToken> snapshot, Question<T, E> question)
            throws E
    {
        long start = nanoTime();
        while (true) {
            try {
                return askOnce(session, table, snapshot, question);
            }
            catch (Exception e) {
                if (!isLocked(e) || nanosSince(start).compareTo(connections.lockWaitTimeout()) >= 0) {
                    throw e;
                }
            }
        }
    }

    private static boolean isLocked(Exception failure)
    {
        return switch (failure) {
            case TrinoException e -> e.getErrorCode().equals(MYSQL_PQ_TABLE_LOCKED.toErrorCode());
            case ExtensionUnavailableException e -> e.fallbackCause() == LOCK_WAIT_TIMEOUT;
            default -> false;
        };
    }

    private <T, E extends Exception> T askOnce(ConnectorSession session, RemoteTableName table, Optional<SnapshotToken> snapshot, Question<T, E> question)
            throws E
    {
        try (PooledConnection connection = connections.openForTurnOfPlanning(session)) {
            Optional<SnapshotToken> lender = snapshot.filter(token -> token.features().lendsTableLocks());
            return lender.isEmpty()
                    ? question.ask(connection.connection())
                    : askInSnapshot(connection.connection(), table, new AdoptedSnapshot(lender.get(), table.toString(), sql -> queryModifier.apply(session, sql)), question);
        }
        catch (SQLException e) {
            throw PlanningFailure.of(table, e);
        }
    }

    private static <T, E extends Exception> T askInSnapshot(Connection connection, RemoteTableName table, AdoptedSnapshot snapshot, Question<T, E> question)
            throws SQLException, E
    {
        execute(connection, "START TRANSACTION READ ONLY");
        try {
            adopt(connection, table, snapshot);
            return question.ask(connection);
        }
        catch (SQLException e) {
            SQLException cause = AdoptedSnapshot.hidesCause(e) ? snapshot.causeOf(e, connection) : e;
            throw snapshot.explain(cause).orElseGet(() -> PlanningFailure.of(table, cause));
        }
        finally {
            end(connection);
        }
    }

    // Where MySQL allows no further reader, planning goes on without the lock, and may wait for it.
    private static void adopt(Connection connection, RemoteTableName table, AdoptedSnapshot snapshot)
            throws SQLException
    {
        try {
            snapshot.adopt(connection, ImmutableList.of(table));
        }
        catch (SQLException e) {
            if (ExtensionError.of(e).filter(error -> error == TOO_MANY_SCANS).isEmpty()) {
                throw e;
            }
        }
    }

    // A session whose transaction does not end is given up when it is returned.
    private static void end(Connection connection)
    {
        try {
            execute(connection, "COMMIT");
        }
        catch (SQLException e) {
            log.debug(e, "A transaction of planning did not end");
        }
    }

    private static void execute(Connection connection, String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    interface Question<T, E extends Exception>
    {
        T ask(Connection connection)
                throws SQLException, E;
    }
}
