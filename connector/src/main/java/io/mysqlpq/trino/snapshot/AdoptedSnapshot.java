package io.mysqlpq.trino.snapshot;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.trino.error.MysqlError;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.SnapshotAgeReply;
import io.mysqlpq.trino.protocol.UnsupportedReplyException;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_GAVE_WAY;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_READ_FAILED;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_ADOPT_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_FUNCTION;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_VERIFY_SQL;
import static io.mysqlpq.trino.protocol.BoundaryProtocol.snapshotAdoptSql;
import static io.mysqlpq.trino.protocol.ExtensionError.DISABLED;
import static io.mysqlpq.trino.protocol.ExtensionError.GAVE_WAY;
import static io.mysqlpq.trino.protocol.ExtensionError.NOT_INSTALLED;
import static io.mysqlpq.trino.protocol.ExtensionError.NOT_INSTALLED_WITHOUT_DATABASE;
import static io.mysqlpq.trino.protocol.ExtensionError.SNAPSHOT_EXPIRED;
import static java.util.Objects.requireNonNull;

/** Makes sessions read in a snapshot, and lends them the locks of its tables if it can. */
public final class AdoptedSnapshot
{
    // What any session is told of a snapshot whose sessions the extension has ended.
    private static final Set<ExtensionError> ENDS_OF_SNAPSHOTS = ImmutableSet.of(GAVE_WAY, SNAPSHOT_EXPIRED, DISABLED, NOT_INSTALLED, NOT_INSTALLED_WITHOUT_DATABASE);

    private final SnapshotToken token;
    private final String tables;
    private final UnaryOperator<String> queryComment;

    /** @param tables as messages name them */
    public AdoptedSnapshot(SnapshotToken token, String tables, UnaryOperator<String> queryComment)
    {
        this.token = requireNonNull(token, "token is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.queryComment = requireNonNull(queryComment, "queryComment is null");
    }

    /**
     * Lets the session's transaction read in the snapshot. The transaction must have read nothing before.
     *
     * @param lent tables whose locks the transaction is to hold too
     */
    public void adopt(Connection connection, List<RemoteTableName> lent)
            throws SQLException
    {
        call(connection, SNAPSHOT_ADOPT_FUNCTION, snapshotAdoptSql(lent.size()), lent);
    }

    /** Fails unless all that the session has read is of the snapshot. */
    public void verify(Connection connection)
            throws SQLException
    {
        call(connection, SNAPSHOT_VERIFY_FUNCTION, SNAPSHOT_VERIFY_SQL, ImmutableList.of());
    }

    /** Whether the extension may have caused an error. It interrupts readers of a snapshot that passed a limit, and says why when it is asked. */
    public static boolean hidesCause(SQLException error)
    {
        return MysqlError.isInterrupted(error) || MysqlError.isConnectionLost(error);
    }

    public SQLException causeOf(SQLException error, Connection connection)
    {
        try {
            verify(connection);
            return error;
        }
        catch (SQLException e) {
            // Another session than the one that failed has adopted nothing.
            return ExtensionError.of(e).filter(found -> MysqlError.isInterrupted(error) || ENDS_OF_SNAPSHOTS.contains(found)).isPresent() ? e : error;
        }
    }

    /** Explains an error about the snapshot. Empty for any other error. */
    public Optional<TrinoException> explain(SQLException error)
    {
        return ExtensionError.of(error).flatMap(extensionError -> switch (extensionError) {
            case BAD_SNAPSHOT, SNAPSHOT_EXPIRED, NOT_INSTALLED, NOT_INSTALLED_WITHOUT_DATABASE, DISABLED -> Optional.of(lost(error, ""));
            case GAVE_WAY -> Optional.of(gaveWay(error, error));
            // SQL would hold the row's page latched just as long, and writers would wait for it.
            case HISTORY_TOO_LONG -> Optional.of(new TrinoException(
                    MYSQL_PQ_READ_FAILED,
                    "Failed to read table %s: %s. Run the query again: it gets a newer snapshot. If it fails again, read less in one query, or lower snapshot_group_age".formatted(tables, error.getMessage()),
                    error));
            // The extension says the same of a snapshot that another account exported.
            case NO_SUCH_SNAPSHOT -> Optional.of(lost(error, ". If it fails again, let all nodes log in to MySQL as one account (the same user and host), or set snapshot_mode to PER_SCAN"));
            default -> Optional.empty();
        });
    }

    static TrinoException gaveWay(SQLException reason, Exception cause)
    {
        return new TrinoException(
                MYSQL_PQ_GAVE_WAY,
                "The query gave up its snapshot, because another statement waited for one of its tables: %s. Run the query again, or raise mysql_pq_ddl_wait_limit in MySQL".formatted(reason.getMessage()),
                cause);
    }

    private void call(Connection connection, String function, String sql, List<RemoteTableName> lent)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(queryComment.apply(sql))) {
            statement.setString(1, token.value());
            int parameter = 2;
            for (RemoteTableName table : lent) {
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

    private TrinoException lost(Exception cause, String hint)
    {
        return new TrinoException(
                MYSQL_PQ_SNAPSHOT_LOST,
                "The query's snapshot ended in MySQL before all of table %s was read: %s. Run the query again%s".formatted(tables, cause.getMessage(), hint),
                cause);
    }
}
