package io.mysqlpq.trino.snapshot;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ConnectionQueue.Permit;
import io.mysqlpq.trino.connection.ConnectionQueue;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.server.AwaitedPosition;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.Nullable;

import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

import static com.google.common.base.Preconditions.checkState;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.stream.Collectors.joining;

/** Gives all scans of one query, or of one read-only transaction, the same snapshot. */
final class SnapshotScope
{
    private final Donors donors;
    private final SnapshotGroups groups;
    private final SnapshotStats stats;
    private final boolean oneQuery;
    // Held while the snapshot opens: one scan opens it, the others wait for it.
    private final ReentrantLock opening = new ReentrantLock();

    @GuardedBy("this")
    private final Set<RemoteTableName> tables = new LinkedHashSet<>();
    private final TableReads reads = new TableReads();
    @GuardedBy("this")
    private int scans;
    // Counts those scans that read in the snapshot.
    @GuardedBy("this")
    private int scansOfTables;
    // Counts scans in all runs of the query.
    @GuardedBy("this")
    private int begun;
    @GuardedBy("this")
    private boolean closed;
    // One permit serves all scans of the query. A group's snapshots have permits of their own.
    @GuardedBy("this")
    @Nullable
    private CompletableFuture<Permit> permit;
    // This scope ends its donor, unless the donor is a group's.
    @GuardedBy("this")
    @Nullable
    private Donor owned;
    @GuardedBy("this")
    @Nullable
    private SnapshotGroups.Membership membership;
    @GuardedBy("this")
    private boolean positionGivenUp;

    // The run of the query whose scans ask now.
    @GuardedBy("opening")
    private int run;
    @GuardedBy("opening")
    @Nullable
    private Donor donor;
    @GuardedBy("opening")
    @Nullable
    private ExtensionUnavailableException refusal;
    // Opens, or has opened, a snapshot of which is known which transactions it has.
    @GuardedBy("opening")
    @Nullable
    private Donor positioned;

    /** @param oneQuery whether only one query of the transaction reads in the snapshot. Other queries of a group may still share it */
    SnapshotScope(Donors donors, SnapshotGroups groups, SnapshotStats stats, boolean oneQuery)
    {
        this.donors = donors;
        this.groups = groups;
        this.stats = stats;
        this.oneQuery = oneQuery;
    }

    /** Adds a table before the first scan, so that it is locked before the snapshot opens. */
    synchronized void add(RemoteTableName table)
    {
        tables.add(table);
    }

    /** Adds a scan of the tables that the query will run, before its first scan is planned. */
    synchronized void addScan(List<RemoteTableName> scanned)
    {
        scans++;
        scansOfTables += scanned.isEmpty() ? 0 : 1;
        reads.addScan(scanned);
    }

    /** Keeps the table locked until the query ends. */
    void keep(RemoteTableName table)
    {
        reads.keep(table);
    }

    /**
     * Takes note that a scan of the tables was planned, and that each of its tables will be read {@code readsOfEach} times. Some tables may
     * then be free before the query ends.
     */
    synchronized void planned(List<RemoteTableName> scanned, int scanRun, long readsOfEach)
    {
        List<TableReads.Expected> complete = reads.planned(scanned, scanRun, readsOfEach);
        if (owned != null && !complete.isEmpty()) {
            donors.expect(owned, complete);
        }
    }

    synchronized boolean hasOneScan()
    {
        return scans == 1;
    }

    /** Completes when there is a connection for the query's snapshot. Completes at once if the query opens no snapshot of its own. */
    CompletableFuture<?> admit(ConnectorSession session, SnapshotOptions options)
    {
        return options.group().isPresent() || !options.mode().isShared() ? completedFuture(null) : permit(session);
    }

    // Returns a wait for the query's permit that each scan may give up by itself.
    private CompletableFuture<Permit> permit(ConnectorSession session)
    {
        Optional<CompletableFuture<Permit>> present = presentPermit();
        if (present.isPresent()) {
            return present.get().copy();
        }
        // To ask for a permit, and to give one back, runs code of others who get one. It is never done under our lock.
        CompletableFuture<Permit> asked = donors.admit(session);
        boolean isSurplus = true;
        try {
            Optional<CompletableFuture<Permit>> sooner = keepPermit(asked);
            isSurplus = sooner.isPresent();
            return sooner.orElse(asked).copy();
        }
        finally {
            if (isSurplus) {
                ConnectionQueue.release(asked);
            }
        }
    }

    private synchronized Optional<CompletableFuture<Permit>> presentPermit()
    {
        throwIfClosed();
        return Optional.ofNullable(permit).filter(asked -> !asked.isCompletedExceptionally());
    }

    // Keeps the wait, and returns nothing. If another scan has asked sooner, returns that scan's wait.
    private synchronized Optional<CompletableFuture<Permit>> keepPermit(CompletableFuture<Permit> asked)
    {
        Optional<CompletableFuture<Permit>> sooner = presentPermit();
        if (sooner.isEmpty()) {
            permit = asked;
        }
        return sooner;
    }

    /**
     * Takes note that a scan of tables begins.
     *
     * @return in which run of the query. Under {@code retry-policy=QUERY} Trino begins all scans once more after a failure
     */
    synchronized int beginScan()
    {
        int before = begun;
        begun++;
        return scansOfTables == 0 ? 0 : before / scansOfTables;
    }

    /**
     * Blocks for some statements where the snapshot has to be opened.
     *
     * @param scanRun what {@link #beginScan} said
     */
    ScanSnapshot scan(ConnectorSession session, List<RemoteTableName> scanned, int scanRun, SnapshotOptions options)
    {
        return switch (options.mode()) {
            case NONE -> new ScanSnapshot.Unshared();
            case PER_SCAN -> new ScanSnapshot.PerScan(Optional.empty());
            case AUTO, EXACT -> shared(session, scanned, scanRun, options);
        };
    }

    private ScanSnapshot shared(ConnectorSession session, List<RemoteTableName> scanned, int scanRun, SnapshotOptions options)
    {
        donors.lock(opening, this::checkOpen);
        try {
            if (scanRun > run) {
                run = scanRun;
                beginAnew();
            }
            if (donor == null && refusal == null) {
                giveUpUnlent();
                open(session, options);
            }
            if (donor == null) {
                return refused(options);
            }
            return donor.scan(scanned, options.mode());
        }
        finally {
            opening.unlock();
        }
    }

    // A snapshot that tells its transactions comes too late.
    @GuardedBy("opening")
    private void giveUpUnlent()
    {
        if (positioned != null) {
            giveUpPosition();
            return;
        }
        synchronized (this) {
            positionGivenUp = true;
        }
    }

    // All scans of the query begin anew, and nothing counts that was read before. The earlier run's snapshot is of no use, because tables may have
    // been altered since that run read them to their end. A transaction of several queries keeps its snapshot: what its earlier queries have told
    // stays true.
    @GuardedBy("opening")
    private void beginAnew()
    {
        if (oneQuery && donor != null) {
            donor = null;
            letGo();
        }
    }

    @GuardedBy("opening")
    private void open(ConnectorSession session, SnapshotOptions options)
    {
        try {
            donor = options.group().isPresent()
                    ? join(groups.join(session, options, tables(), SnapshotUse.GROUP, this::checkOpen))
                    : open(session);
        }
        catch (ExtensionUnavailableException e) {
            refusal = e;
            stats.recordDegraded();
            // The donor that was to hold the snapshot is of no use.
            letGo();
        }
        catch (SQLException e) {
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, "Failed to open the query's snapshot of %s: %s".formatted(names(), ErrorHints.explain(e, "planning-timeout")), e);
        }
    }

    @GuardedBy("opening")
    private Donor open(ConnectorSession session)
            throws SQLException, ExtensionUnavailableException
    {
        Permit _ = ConnectionQueue.await(permit(session), this::checkOpen);
        return donors.open(session, tables(), SnapshotUse.ONE_QUERY, this::own);
    }

    /**
     * Opens the query's snapshot, and tells which transactions it has. Asked again, it opens another snapshot in place of that one. Scans see it when it
     * is {@link #lend lent}. Blocks for some statements.
     *
     * @throws IllegalStateException if the server may have other rows than its source where both have the same transactions
     */
    SnapshotPosition openAt(ConnectorSession session, AwaitedPosition awaited)
            throws SQLException, ExtensionUnavailableException
    {
        donors.lock(opening, this::checkPositioned);
        try {
            checkState(donor == null && refusal == null && run == 0, "The query has its snapshot");
            if (positioned == null) {
                Permit _ = ConnectionQueue.await(permit(session), this::checkPositioned);
                positioned = donors.connect(session, this::ownPositioned);
                positioned.whyOtherRows().ifPresent(reason -> {
                    throw new IllegalStateException("The server may have other rows than its source: " + reason);
                });
            }
            return donors.openAt(positioned, tables(), awaited);
        }
        finally {
            opening.unlock();
        }
    }

    /** Has the query's scans see the snapshot that {@link #openAt} has opened last. Returns the definitions of the tables that it holds. */
    Map<RemoteTableName, String> lend()
            throws SQLException, ExtensionUnavailableException
    {
        donors.lock(opening, this::checkPositioned);
        try {
            Map<RemoteTableName, String> definitions = donors.lend(requireNonNull(positioned, "positioned is null"));
            checkPositioned();
            donor = positioned;
            return definitions;
        }
        finally {
            opening.unlock();
        }
    }

    /** Returns the snapshot of tables that was opened by {@link #openAt} and lent. Empty if they have none, or if Trino has run the query again since. */
    Optional<ScanSnapshot.Exact> lent(List<RemoteTableName> scanned, SnapshotOptions options)
    {
        donors.lock(opening, this::checkOpen);
        try {
            return donor != null && donor == positioned && run == 0 && donor.scan(scanned, options.mode()) instanceof ScanSnapshot.Exact exact
                    ? Optional.of(exact)
                    : Optional.empty();
        }
        finally {
            opening.unlock();
        }
    }

    /** Has the query's scans see a snapshot that opens when they ask. Any thread may call it at any time. Waits for nothing. */
    void giveUpPosition()
    {
        synchronized (this) {
            positionGivenUp = true;
        }
        letGo();
    }

    private synchronized void checkPositioned()
    {
        throwIfClosed();
        checkState(!positionGivenUp, "The query reads from other servers");
    }

    private synchronized void ownPositioned(Donor opened)
    {
        checkPositioned();
        checkState(owned == null, "The query has its snapshot");
        owned = opened;
    }

    @GuardedBy("opening")
    private ScanSnapshot refused(SnapshotOptions options)
    {
        if (options.mode() == SnapshotMode.EXACT) {
            throw new TrinoException(
                    MYSQL_PQ_SNAPSHOT_UNAVAILABLE,
                    "The extension lends no snapshot, and snapshot_mode is EXACT: %s. %s, or set snapshot_mode to AUTO".formatted(refusal.getMessage(), refusal.fallbackCause().hint()),
                    refusal);
        }
        return new ScanSnapshot.PerScan(Optional.of(refusal));
    }

    private String names()
    {
        return tables().stream().map(RemoteTableName::toString).collect(joining(", "));
    }

    synchronized List<RemoteTableName> tables()
    {
        return List.copyOf(tables);
    }

    private synchronized void checkOpen()
    {
        throwIfClosed();
    }

    private synchronized void own(Donor opened)
    {
        throwIfClosed();
        owned = opened;
    }

    private Donor join(SnapshotGroups.Membership joined)
    {
        boolean kept = false;
        try {
            keep(joined);
            kept = true;
            return joined.donor();
        }
        finally {
            if (!kept) {
                joined.leave();
            }
        }
    }

    private synchronized void keep(SnapshotGroups.Membership joined)
    {
        throwIfClosed();
        membership = joined;
    }

    @GuardedBy("this")
    private void throwIfClosed()
    {
        if (closed) {
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_LOST, "The query has ended");
        }
    }

    /** Lets go of the snapshot. Any thread may call it at any time. Waits for nothing. */
    void close()
    {
        synchronized (this) {
            closed = true;
        }
        letGo();
    }

    private void letGo()
    {
        Optional<Donor> ended;
        Optional<CompletableFuture<Permit>> freed;
        Optional<SnapshotGroups.Membership> left;
        synchronized (this) {
            ended = Optional.ofNullable(owned);
            freed = Optional.ofNullable(permit);
            left = Optional.ofNullable(membership);
            owned = null;
            permit = null;
            membership = null;
        }
        // These may run code of whoever waits, so they are never called under our lock.
        left.ifPresent(SnapshotGroups.Membership::leave);
        if (ended.isPresent()) {
            donors.release(ended.get(), freed.orElseThrow().join());
        }
        else {
            freed.ifPresent(ConnectionQueue::release);
        }
    }
}
