package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.SnapshotAgeReply;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_GAVE_WAY;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_READ_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_ADOPT_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.snapshotAdoptSql;
import static io.mysqlpq.trino.protocol.ExtensionError.GAVE_WAY;
import static io.mysqlpq.trino.protocol.ExtensionError.SNAPSHOT_EXPIRED;
import static io.mysqlpq.trino.protocol.ExtensionError.TOO_MANY_SCANS;

/**
 * Makes sure that a read sees the query's snapshot.
 *
 * <p>The donor holds the metadata locks of all tables from before the snapshot. The reader has its own before it adopts,
 * and adopting shows that the donor lives; so no DDL can come in between, also if the reader stops early. The snapshot lends
 * them, so that the reader does not wait behind DDL that waits for the donor; of an older extension the reader asks MySQL.
 */
final class SnapshotFence
        implements ReadFence
{
    private final SnapshotToken token;
    private final TableAccess access;
    private final Duration scanWaitTimeout;

    SnapshotFence(SnapshotToken token, TableAccess access, Duration scanWaitTimeout)
    {
        this.token = token;
        this.access = access;
        this.scanWaitTimeout = scanWaitTimeout;
    }

    @Override
    public void enter(Connection connection)
            throws SQLException
    {
        if (token.lendsTableLocks()) {
            access.beginUnlocked(connection);
            adopt(connection, access.tables());
        }
        else {
            access.begin(connection);
            adopt(connection, ImmutableList.of());
        }
    }

    // MySQL limits the scans of all its clients together.
    private void adopt(Connection connection, List<RemoteTableName> lent)
            throws SQLException
    {
        Patience patience = new Patience(scanWaitTimeout);
        while (true) {
            try {
                call(connection, SNAPSHOT_ADOPT_FUNCTION, snapshotAdoptSql(lent.size()), lent);
                return;
            }
            catch (SQLException e) {
                if (!isExtensionError(e, TOO_MANY_SCANS)) {
                    throw e;
                }
                if (patience.isOver()) {
                    throw new TrinoException(
                            MYSQL_PQ_CONNECTION_WAIT_TIMEOUT,
                            "MySQL allowed no further scan within %s. Raise mysql_pq_max_scans in MySQL or connection-wait-timeout, or lower max-connections-per-server".formatted(scanWaitTimeout),
                            e);
                }
            }
            patience.pause();
        }
    }

    @Override
    public void prove(Connection connection)
            throws SQLException
    {
        call(connection, SNAPSHOT_VERIFY_FUNCTION, SNAPSHOT_VERIFY_SQL, ImmutableList.of());
    }

    // The extension interrupts whoever reads in a snapshot that passed a limit, and says why when it is asked.
    @Override
    public boolean hidesCause(SQLException error)
    {
        return MysqlError.isInterrupted(error) || MysqlError.isConnectionLost(error);
    }

    @Override
    public SQLException causeOf(SQLException error, Connection connection)
    {
        try {
            prove(connection);
            return error;
        }
        catch (SQLException e) {
            // Another session than the reader's has adopted nothing.
            return ExtensionError.of(e).filter(found -> MysqlError.isInterrupted(error) || found == GAVE_WAY || found == SNAPSHOT_EXPIRED).isPresent() ? e : error;
        }
    }

    private void call(Connection connection, String function, String sql, List<RemoteTableName> tables)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(access.queryComment().apply(sql))) {
            statement.setString(1, token.value());
            int parameter = 2;
            for (RemoteTableName table : tables) {
                statement.setString(parameter++, table.getCatalogName().orElseThrow());
                statement.setString(parameter++, table.getTableName());
            }
            try (ResultSet reply = statement.executeQuery()) {
                reply.next();
                SnapshotAgeReply.decode(function, reply.getString(1));
            }
        }
        catch (UnsupportedReplyException e) {
            throw lost(e, "");
        }
    }

    @Override
    public Optional<TrinoException> explain(SQLException error)
    {
        return ExtensionError.of(error)
                .flatMap(extensionError -> switch (extensionError) {
                    case BAD_SNAPSHOT, SNAPSHOT_EXPIRED, NOT_INSTALLED, NOT_INSTALLED_WITHOUT_DATABASE, DISABLED -> Optional.of(lost(error, ""));
                    case GAVE_WAY -> Optional.of(new TrinoException(
                            MYSQL_PQ_GAVE_WAY,
                            "The query gave table %s up, since another statement waited for its locks: %s. Run the query again, or raise mysql_pq_ddl_wait_limit in MySQL".formatted(access.names(), error.getMessage()),
                            error));
                    // SQL would hold the row's page for as long, and writers would wait for it.
                    case HISTORY_TOO_LONG -> Optional.of(new TrinoException(
                            MYSQL_PQ_READ_FAILED,
                            "Failed to read table %s: %s. Run the query again: it sees a newer moment. A shorter query, or a smaller snapshot_group_age, has fewer versions to go back".formatted(access.names(), error.getMessage()),
                            error));
                    case UNUSABLE_TABLE -> Optional.of(access.changed(error));
                    // So it says too when another account exported it.
                    case NO_SUCH_SNAPSHOT -> Optional.of(lost(error, ". If it fails again: all nodes have to log in to MySQL as one account, the same user and host, or set snapshot_mode to PER_SCAN"));
                    default -> Optional.<TrinoException>empty();
                })
                .or(() -> access.explain(error));
    }

    private TrinoException lost(Exception cause, String wayOut)
    {
        return new TrinoException(
                MYSQL_PQ_SNAPSHOT_LOST,
                "The query's snapshot ended in MySQL before table %s was read to its end: %s. Run the query again%s".formatted(access.names(), cause.getMessage(), wayOut),
                cause);
    }

    private static boolean isExtensionError(SQLException e, ExtensionError error)
    {
        return ExtensionError.of(e).filter(found -> found == error).isPresent();
    }
}
