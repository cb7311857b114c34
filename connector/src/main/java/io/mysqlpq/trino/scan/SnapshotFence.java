package io.mysqlpq.trino.scan;

import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.snapshot.AdoptedSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_WAIT_TIMEOUT;
import static io.mysqlpq.trino.protocol.ExtensionError.TOO_MANY_SCANS;
import static io.mysqlpq.trino.protocol.ExtensionError.UNUSABLE_TABLE;

/**
 * Makes sure that a read sees the query's snapshot.
 *
 * <p>The donor has held the metadata locks of all tables since before the snapshot opened. The reader gets its own locks before it adopts,
 * and adopting proves that the donor lives. No DDL can come in between, even if the reader stops early. The snapshot lends its locks, so
 * that the reader does not wait behind DDL that waits for the donor. With an older extension the reader asks MySQL for them.
 */
final class SnapshotFence
        implements ReadFence
{
    private final boolean lendsTableLocks;
    private final AdoptedSnapshot snapshot;
    private final TableAccess access;
    private final Duration scanWaitTimeout;

    SnapshotFence(SnapshotToken token, TableAccess access, Duration scanWaitTimeout)
    {
        this.lendsTableLocks = token.features().lendsTableLocks();
        this.snapshot = new AdoptedSnapshot(token, access.names(), access.queryComment());
        this.access = access;
        this.scanWaitTimeout = scanWaitTimeout;
    }

    @Override
    public void enter(Connection connection)
            throws SQLException
    {
        if (lendsTableLocks) {
            access.beginUnlocked(connection);
            adopt(connection, access.tables());
        }
        else {
            access.begin(connection);
            adopt(connection, ImmutableList.of());
        }
    }

    // MySQL limits the sessions of all its clients together that read in snapshots.
    private void adopt(Connection connection, List<RemoteTableName> lent)
            throws SQLException
    {
        Backoff backoff = new Backoff(scanWaitTimeout);
        while (true) {
            try {
                snapshot.adopt(connection, lent);
                return;
            }
            catch (SQLException e) {
                if (!isExtensionError(e, TOO_MANY_SCANS)) {
                    throw e;
                }
                if (backoff.isOver()) {
                    throw new TrinoException(
                            MYSQL_PQ_CONNECTION_WAIT_TIMEOUT,
                            "MySQL let no further session read in a snapshot within %s. Raise mysql_pq_max_scans in MySQL or connection-wait-timeout, or lower max-connections-per-server".formatted(scanWaitTimeout),
                            e);
                }
            }
            backoff.pause();
        }
    }

    @Override
    public void prove(Connection connection)
            throws SQLException
    {
        snapshot.verify(connection);
    }

    @Override
    public boolean hidesCause(SQLException error)
    {
        return AdoptedSnapshot.hidesCause(error);
    }

    @Override
    public SQLException causeOf(SQLException error, Connection connection)
    {
        return snapshot.causeOf(error, connection);
    }

    @Override
    public Optional<TrinoException> explain(SQLException error)
    {
        return isExtensionError(error, UNUSABLE_TABLE)
                ? Optional.of(access.unusable(error))
                : snapshot.explain(error).or(() -> access.explain(error));
    }

    private static boolean isExtensionError(SQLException e, ExtensionError error)
    {
        return ExtensionError.of(e).filter(found -> found == error).isPresent();
    }
}
