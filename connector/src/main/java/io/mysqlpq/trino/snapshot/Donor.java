package io.mysqlpq.trino.snapshot;

import com.google.common.base.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.protocol.ExtensionError;
import io.mysqlpq.trino.protocol.ExtensionFeatures;
import io.mysqlpq.trino.protocol.SnapshotReply;
import io.mysqlpq.trino.server.AwaitedPosition;
import io.mysqlpq.trino.server.ExtensionSnapshots;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.mysqlpq.trino.server.TableKeys;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import static io.airlift.units.Duration.succinctNanos;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static io.mysqlpq.trino.protocol.ExtensionError.GAVE_WAY;
import static java.lang.Math.max;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Holds the MySQL session whose snapshot the readers of a query share, and the metadata locks of the query's tables.
 *
 * <p>The tables are locked first, and the snapshot is opened after that. In the opposite order a table could be replaced in between, and
 * readers would see rows of two points in time.
 */
final class Donor
{
    private static final Logger log = Logger.get(Donor.class);
    private static final String INNODB = "InnoDB";
    // No limit of MySQL ends a snapshot sooner than this.
    private static final long SOONEST_EXPIRY_MILLIS = 200;

    private final PooledConnection connection;
    private final DonorStatements statements;
    private final Opener others;
    private final Runnable gaveWay;
    private final Ticker ticker;
    // Held while a statement runs: a connection takes one at a time.
    private final ReentrantLock busy = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();
    // Set as soon as the snapshot is known to have ended, and its cause after that.
    private volatile boolean lost;
    @Nullable
    private volatile SQLException end;
    // Done unless a connection that asks for the cause stands in for the lost one.
    private volatile CompletableFuture<Void> asked = completedFuture(null);

    // Read by scans while a statement runs for another.
    private final Map<RemoteTableName, TableLock> tables = new ConcurrentHashMap<>();
    private final Set<RemoteTableName> locked = ConcurrentHashMap.newKeySet();
    // The tables that the donor waited for in vain when it opened.
    private final Map<RemoteTableName, TableLock.Failed> failures = new ConcurrentHashMap<>();
    private final TableKeys keys = new TableKeys(locked);
    // Set once, before the donor is shared.
    private SnapshotToken token;
    private Optional<String> containsAtLeast = Optional.empty();
    private Optional<SnapshotPosition> position = Optional.empty();
    private long openedNanos;
    @GuardedBy("busy")
    private boolean begun;

    /**
     * @param others opens a connection in place of a lost one
     * @param gaveWay runs if the snapshot ended because another statement waited for one of its tables
     */
    Donor(PooledConnection connection, DonorStatements statements, Opener others, Runnable gaveWay, Ticker ticker)
    {
        this.connection = connection;
        this.statements = statements;
        this.others = others;
        this.gaveWay = gaveWay;
        this.ticker = ticker;
    }

    /** Locks what can be locked of the tables, then opens and lends the snapshot. */
    void open(Collection<RemoteTableName> names, Duration sessionTimeout, ExtensionSnapshots extension, SnapshotUse use)
            throws SQLException, ExtensionUnavailableException
    {
        busy.lock();
        try {
            begin(names, sessionTimeout, extension);
            if (use == SnapshotUse.GROUP_WITH_POSITION) {
                tellPosition(extension, Optional.empty());
            }
            else {
                containsAtLeast = statements.committedTransactions();
            }
            lend(extension, use);
        }
        finally {
            busy.unlock();
        }
    }

    /**
     * Opens a snapshot as {@link #open} does, but does not lend it yet. A snapshot that was so opened before ends.
     *
     * @param awaited transactions that the snapshot waits for
     */
    SnapshotPosition openAt(Collection<RemoteTableName> names, Duration sessionTimeout, ExtensionSnapshots extension, AwaitedPosition awaited)
            throws SQLException, ExtensionUnavailableException
    {
        busy.lock();
        try {
            if (begun) {
                statements.rollBack();
                locked.clear();
                tables.clear();
                failures.clear();
            }
            begin(names, sessionTimeout, extension);
            return tellPosition(extension, Optional.of(awaited));
        }
        finally {
            busy.unlock();
        }
    }

    /** Says why the server may have other rows than its source where both have the same transactions. Empty if nothing speaks for that. */
    Optional<String> whyOtherRows()
            throws SQLException
    {
        busy.lock();
        try {
            throwIfLost(null);
            return statements.whyOtherRows();
        }
        finally {
            busy.unlock();
        }
    }

    /** Lends the snapshot that {@link #openAt} opened, and returns the definitions of the tables that it holds. */
    Map<RemoteTableName, String> lend(ExtensionSnapshots extension)
            throws SQLException, ExtensionUnavailableException
    {
        busy.lock();
        try {
            throwIfLost(null);
            lend(extension, SnapshotUse.ONE_QUERY);
            return statements.definitions(locked);
        }
        finally {
            busy.unlock();
        }
    }

    @GuardedBy("busy")
    private void begin(Collection<RemoteTableName> names, Duration sessionTimeout, ExtensionSnapshots extension)
            throws SQLException, ExtensionUnavailableException
    {
        // Once closed, the connection may be somebody else's.
        throwIfLost(null);
        ExtensionFeatures _ = extension.features(connection.connection());
        openedNanos = ticker.read();
        Map<RemoteTableName, String> engines = statements.engines(names);
        statements.begin(sessionTimeout);
        begun = true;
        lock(engines);
    }

    @GuardedBy("busy")
    private SnapshotPosition tellPosition(ExtensionSnapshots extension, Optional<AwaitedPosition> awaited)
            throws SQLException, ExtensionUnavailableException
    {
        SnapshotPosition told = extension.position(connection.connection(), statements.queryComment(), awaited);
        position = Optional.of(told);
        containsAtLeast = Optional.of(told.gtidExecuted());
        return told;
    }

    @GuardedBy("busy")
    private void lend(ExtensionSnapshots extension, SnapshotUse use)
            throws SQLException, ExtensionUnavailableException
    {
        SnapshotReply reply = extension.export(connection.connection(), statements.queryComment());
        checkStillTables();
        token = new SnapshotToken(reply.token(), use.isOfGroup(), extension.features(connection.connection()));
    }

    // MySQL may read a view's rows to open it, and would open the snapshot before the other tables are locked.
    @GuardedBy("busy")
    private void lock(Map<RemoteTableName, String> engines)
            throws SQLException
    {
        List<RemoteTableName> wanted = new ArrayList<>();
        engines.forEach((table, engine) -> {
            if (engine.equals(INNODB)) {
                wanted.add(table);
            }
            else {
                tables.put(table, new TableLock.WithoutSnapshot(engine));
            }
        });
        Set<RemoteTableName> waitedFor = new HashSet<>();
        while (!lockAll(wanted, waitedFor)) {
            statements.beginAgain();
            locked.clear();
        }
    }

    // While one table is waited for, other tables that are already locked keep DDL out, and all that queues behind the DDL. A long wait is therefore
    // for the first table only, and once for each. Returns false if a table that is now the first one is to be waited for in that way.
    @GuardedBy("busy")
    private boolean lockAll(List<RemoteTableName> wanted, Set<RemoteTableName> waitedFor)
            throws SQLException
    {
        for (RemoteTableName table : List.copyOf(wanted)) {
            TableLock lock = locked.isEmpty() ? statements.lock(table) : statements.lockBriefly(table);
            switch (lock) {
                case TableLock.Failed failed when failed.isTimeout() && !locked.isEmpty() && waitedFor.add(table) -> {
                    wanted.remove(table);
                    wanted.addFirst(table);
                    return false;
                }
                // The failure does not matter unless a scan asks for the table: a query's tables include those that it writes.
                case TableLock.Failed failed -> {
                    wanted.remove(table);
                    failures.put(table, failed);
                }
                default -> locked.add(table);
            }
        }
        locked.forEach(table -> tables.put(table, new TableLock.Locked()));
        return true;
    }

    // Looks at the tables in the snapshot, which sees what the locks hold.
    @GuardedBy("busy")
    private void checkStillTables()
            throws SQLException
    {
        Map<RemoteTableName, String> engines = statements.engines(locked);
        for (RemoteTableName table : locked) {
            if (!INNODB.equals(engines.get(table))) {
                throw DonorStatements.changed(table);
            }
        }
    }

    /** Says what a scan of the tables may see: their snapshot, unless one of them has none. */
    ScanSnapshot scan(List<RemoteTableName> names, SnapshotMode mode)
    {
        boolean covered = true;
        for (RemoteTableName name : names) {
            covered &= covers(name, mode);
        }
        return covered ? new ScanSnapshot.Exact(token, age(), containsAtLeast, keys) : new ScanSnapshot.PerScan(Optional.empty());
    }

    // A table that was not locked before the snapshot has to be unchanged since.
    private boolean covers(RemoteTableName name, SnapshotMode mode)
    {
        TableLock table = tables.get(name);
        if (table == null) {
            // Once: a later statement asks MySQL anew.
            table = failures.remove(name);
        }
        if (table == null) {
            table = lockLate(name);
        }
        throwIfLost(null);
        return switch (table) {
            case TableLock.Locked _ -> true;
            case TableLock.Failed failed -> throw failed.toException();
            case TableLock.WithoutSnapshot other when mode == SnapshotMode.EXACT -> throw unavailable(
                    "Table %s is not an InnoDB table (%s), so the query's snapshot does not cover it, and snapshot_mode is EXACT. Set snapshot_mode to AUTO".formatted(name, other.engine()), null);
            case TableLock.WithoutSnapshot _ -> false;
        };
    }

    private TableLock lockLate(RemoteTableName name)
    {
        busy.lock();
        try {
            throwIfLost(null);
            TableLock lock = tryLockLate(name);
            if (lock instanceof TableLock.Locked) {
                locked.add(name);
            }
            if (!(lock instanceof TableLock.Failed)) {
                tables.put(name, lock);
            }
            return lock;
        }
        catch (SQLException e) {
            // An error that ended the transaction, such as a deadlock, ended the snapshot too.
            learnEnd();
            throwIfLost(e);
            throw unavailable("MySQL could not lock table %s: %s".formatted(name, e.getMessage()), e);
        }
        catch (ExtensionUnavailableException e) {
            learnEnd();
            throwIfLost(e);
            throw unavailable("The extension could not check whether table %s has changed since the query's snapshot: %s".formatted(name, e.getMessage()), e);
        }
        finally {
            busy.unlock();
        }
    }

    @GuardedBy("busy")
    private TableLock tryLockLate(RemoteTableName name)
            throws SQLException, ExtensionUnavailableException
    {
        String engine = statements.engines(List.of(name)).getOrDefault(name, INNODB);
        if (!engine.equals(INNODB)) {
            return new TableLock.WithoutSnapshot(engine);
        }
        // Without this the donor would go on with the lock of a table that the snapshot does not cover, and nobody would know.
        statements.beforeLate();
        boolean covered = false;
        try {
            TableLock lock = statements.lock(name);
            if (lock instanceof TableLock.Locked) {
                statements.checkUnchanged(name);
                covered = true;
            }
            return lock;
        }
        finally {
            if (covered) {
                statements.keepLate();
            }
            else {
                unlockLate();
            }
        }
    }

    @GuardedBy("busy")
    private void unlockLate()
    {
        try {
            statements.unlockLate();
        }
        catch (SQLException e) {
            log.debug(e, "The transaction has ended, or its connection is lost");
        }
    }

    private static TrinoException unavailable(String message, Exception cause)
    {
        return new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, message, cause);
    }

    // Asks MySQL whether the snapshot has ended, and why.
    @GuardedBy("busy")
    private void learnEnd()
    {
        statements.endOf(token).ifPresent(error -> {
            lost = true;
            end = whyElsewhere(error);
            if (hasGivenWay()) {
                gaveWay.run();
            }
        });
    }

    // The extension may have closed the connection, and says why on another one.
    @GuardedBy("busy")
    private SQLException whyElsewhere(SQLException error)
    {
        if (!AdoptedSnapshot.hidesCause(error)) {
            return error;
        }
        CompletableFuture<Void> asking = new CompletableFuture<>();
        asked = asking;
        connection.discard();
        SQLException why = error;
        try (PooledConnection other = others.open()) {
            why = statements.endOf(token, other.connection()).orElse(error);
        }
        catch (SQLException | RuntimeException e) {
            log.debug(e, "Why a snapshot ended is not known");
        }
        finally {
            asking.complete(null);
        }
        return why;
    }

    private boolean hasGivenWay()
    {
        return end != null && ExtensionError.of(end).filter(error -> error == GAVE_WAY).isPresent();
    }

    private void throwIfLost(Exception cause)
    {
        if (!lost && !closed.get()) {
            return;
        }
        // Another thread may still ask for the cause.
        busy.lock();
        try {
            if (hasGivenWay()) {
                throw AdoptedSnapshot.gaveWay(end, cause);
            }
            SQLException known = end != null ? end : cause instanceof SQLException error ? error : null;
            throw new TrinoException(
                    MYSQL_PQ_SNAPSHOT_LOST,
                    "The query's snapshot ended in MySQL: %s. Run the query again".formatted(known == null ? "a limit, KILL, DDL that waited for a table, or a lost connection ended it" : ErrorHints.firstLine(known)),
                    cause);
        }
        finally {
            busy.unlock();
        }
    }

    /** Gives up tables once they have been read as often as expected: in the snapshot, and here at once. */
    void expect(List<TableReads.Expected> expected)
    {
        if (!token.features().lendsTableLocks()) {
            return;
        }
        busy.lock();
        try {
            for (TableReads.Expected table : expected) {
                // Once closed, the connection may be somebody else's.
                if (closed.get() || lost) {
                    return;
                }
                if (locked.contains(table.table())) {
                    statements.expect(table);
                }
            }
        }
        catch (SQLException e) {
            log.debug(e, "Tables stay locked until the query ends");
        }
        finally {
            busy.unlock();
        }
    }

    /** Tells which transactions the snapshot has. Empty if it was not opened for that. */
    Optional<SnapshotPosition> position()
    {
        return position;
    }

    Duration age()
    {
        // A clock that was set back makes nothing younger than new.
        return succinctNanos(max(ticker.read() - openedNanos, 0));
    }

    boolean isLost()
    {
        return lost;
    }

    /** Keeps the session alive. Returns whether the snapshot still is. */
    boolean ping()
    {
        if (closed.get() || lost) {
            return false;
        }
        if (!busy.tryLock()) {
            // A statement keeps it alive, or asks why it ended.
            return !lost;
        }
        try {
            // Once closed, the connection may be somebody else's.
            if (closed.get()) {
                return false;
            }
            learnEnd();
            if (!lost) {
                return true;
            }
        }
        finally {
            busy.unlock();
        }
        connection.discard();
        return false;
    }

    /** @param onEnd runs once, when no session of MySQL stands for the snapshot any more */
    void whenEnded(Runnable onEnd)
    {
        connection.whenReturned(() -> {
            CompletableFuture<Void> _ = asked.thenRun(onEnd);
        });
    }

    /** Ends the snapshot with its session. Waits for nothing. */
    void discard()
    {
        closed.set(true);
        connection.discard();
    }

    /** Ends the snapshot, even in the middle of a statement. Blocks for some statements. */
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
            if (token != null && !lost && age().toMillis() > SOONEST_EXPIRY_MILLIS) {
                learnEnd();
            }
            statements.end();
            connection.close();
        }
        catch (SQLException e) {
            log.debug(e, "Discarding the connection of a snapshot");
            connection.discard();
        }
        catch (RuntimeException | Error e) {
            log.warn(e, "Discarding the connection of a snapshot");
            connection.discard();
        }
        finally {
            busy.unlock();
        }
    }

    /** Opens another connection of the donor's account. */
    interface Opener
    {
        PooledConnection open()
                throws SQLException;
    }
}
