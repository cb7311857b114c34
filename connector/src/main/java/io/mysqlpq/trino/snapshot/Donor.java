package io.mysqlpq.trino.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.server.ExtensionSnapshots;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static java.lang.System.nanoTime;

/**
 * Holds the MySQL session whose snapshot the readers of a query share, and the metadata locks of the query's tables.
 *
 * <p>The tables are locked first and the snapshot is opened after that: the other way round a table could be replaced
 * in between, and readers would see rows that no moment ever had.
 */
final class Donor
{
    private static final Logger log = Logger.get(Donor.class);
    private static final int PING_TIMEOUT_SECONDS = 5;

    private final PooledConnection connection;
    private final DonorStatements statements;
    // Held while a statement runs: a connection takes one at a time.
    private final ReentrantLock busy = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean lost;

    @GuardedBy("busy")
    private final Map<RemoteTableName, TableLock> tables = new HashMap<>();
    // Set once, before the donor is shared.
    private SnapshotToken token;
    private Optional<String> containsAtLeast = Optional.empty();
    private long openedNanos;

    Donor(PooledConnection connection, DonorStatements statements)
    {
        this.connection = connection;
        this.statements = statements;
    }

    /** Locks what can be locked of the tables, then opens and lends the snapshot. */
    void open(Collection<RemoteTableName> names, Duration sessionTimeout, ExtensionSnapshots extension)
            throws SQLException, ExtensionUnavailableException
    {
        busy.lock();
        try {
            openedNanos = nanoTime();
            statements.begin(sessionTimeout);
            List<RemoteTableName> locked = new ArrayList<>();
            for (RemoteTableName name : names) {
                // A failure is no matter unless a scan asks for the table: a query's tables include those that it writes.
                if (statements.lock(name) instanceof TableLock.Locked) {
                    locked.add(name);
                }
            }
            containsAtLeast = statements.committedTransactions();
            token = new SnapshotToken(extension.export(connection.connection(), statements.queryComment()).token());
            // Reads the dictionary by the snapshot, so it comes last.
            tables.putAll(statements.byEngine(locked));
        }
        finally {
            busy.unlock();
        }
    }

    /** What a scan of the table may see. A table that was not locked before the snapshot has to be unchanged since. */
    ScanSnapshot scan(RemoteTableName name, SnapshotMode mode)
    {
        TableLock table;
        busy.lock();
        try {
            throwIfLost(null);
            table = tables.get(name);
            if (table == null) {
                table = lockLate(name);
            }
        }
        catch (SQLException | ExtensionUnavailableException e) {
            lost = lost || statements.isSessionLost();
            throwIfLost(e);
            throw unavailable("MySQL could not lock table %s: %s".formatted(name, e.getMessage()), e);
        }
        finally {
            busy.unlock();
        }
        return switch (table) {
            case TableLock.Locked _ -> new ScanSnapshot.Exact(token, nanosSince(openedNanos), containsAtLeast);
            case TableLock.Failed failed -> throw failed.toException();
            case TableLock.NotTransactional notTransactional when mode == SnapshotMode.EXACT -> throw unavailable(
                    "Table %s is of engine %s, which has no snapshots, and snapshot_mode is EXACT. Way out: snapshot_mode AUTO".formatted(name, notTransactional.engine()), null);
            case TableLock.NotTransactional _ -> new ScanSnapshot.PerScan(Optional.empty());
        };
    }

    @GuardedBy("busy")
    private TableLock lockLate(RemoteTableName name)
            throws SQLException, ExtensionUnavailableException
    {
        TableLock lock = statements.lock(name);
        if (!(lock instanceof TableLock.Locked)) {
            return lock;
        }
        lock = statements.byEngine(List.of(name)).get(name);
        if (lock instanceof TableLock.Locked) {
            statements.checkUnchanged(name);
        }
        tables.put(name, lock);
        return lock;
    }

    private static TrinoException unavailable(String message, Exception cause)
    {
        return new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, message, cause);
    }

    private void throwIfLost(Exception cause)
    {
        if (lost || closed.get()) {
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_LOST, "The query's snapshot ended in MySQL: a limit there, KILL, or a lost connection. Run the query again", cause);
        }
    }

    Duration age()
    {
        return nanosSince(openedNanos);
    }

    boolean isLost()
    {
        return lost;
    }

    /** Keeps the session alive. Returns whether it is. */
    boolean ping()
    {
        if (closed.get() || lost) {
            return false;
        }
        if (!busy.tryLock()) {
            // A statement keeps it alive.
            return true;
        }
        try {
            // Once closed, the connection may be somebody else's.
            if (closed.get()) {
                return false;
            }
            if (connection.connection().isValid(PING_TIMEOUT_SECONDS)) {
                return true;
            }
        }
        catch (SQLException e) {
            log.debug(e, "A snapshot's session is lost");
        }
        finally {
            busy.unlock();
        }
        lost = true;
        connection.discard();
        return false;
    }

    /** Ends the snapshot, also in the midst of a statement. Blocks for one statement. */
    void close()
    {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (!busy.tryLock()) {
            connection.discard();
            return;
        }
        try {
            statements.end();
            connection.close();
        }
        catch (SQLException e) {
            log.debug(e, "Discarding the connection of a snapshot");
            connection.discard();
        }
        finally {
            busy.unlock();
        }
    }
}
