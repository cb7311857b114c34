package io.mysqlpq.trino.snapshot;

import com.google.common.base.Ticker;
import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.ConnectionQueue.Permit;
import io.mysqlpq.trino.connection.ConnectionQueue;
import io.mysqlpq.trino.connection.NodeConnections;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.server.AwaitedPosition;
import io.mysqlpq.trino.server.ExtensionSnapshots;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.TrinoException;
import io.trino.spi.catalog.CatalogName;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.PreDestroy;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_LOST;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Opens donors, keeps their sessions alive, and ends them without making anyone wait. */
final class Donors
{
    private static final Logger log = Logger.get(Donors.class);
    // One late or lost heartbeat does no harm.
    private static final int HEARTBEATS_PER_TIMEOUT = 3;
    private static final int LOCK_STEP_MILLIS = 100;

    // A query that takes no longer than this soon gives all its locks back. A statement for each table would not be worth it.
    private static final long EXPECT_DELAY_MILLIS = 200;

    private final ConnectionPools connections;
    private final ConnectionQueue permits;
    private final ExtensionSnapshots extension;
    private final JdbcClient client;
    private final RemoteQueryModifier queryModifier;
    private final SnapshotConfig config;
    private final SnapshotStats stats;
    private final Ticker ticker;
    private final Set<Donor> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock;
    private final ExecutorService executor;

    @Inject
    Donors(
            ConnectionPools connections,
            NodeConnections node,
            ExtensionSnapshots extension,
            JdbcClient client,
            RemoteQueryModifier queryModifier,
            CatalogName catalog,
            SnapshotConfig config,
            SnapshotStats stats,
            Ticker ticker)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.permits = node.snapshots();
        this.extension = requireNonNull(extension, "extension is null");
        this.client = requireNonNull(client, "client is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.config = requireNonNull(config, "config is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.clock = newSingleThreadScheduledExecutor(daemonThreadsNamed(catalog + "-snapshot-clock-%s"));
        this.executor = newCachedThreadPool(daemonThreadsNamed(catalog + "-snapshot-%s"));
        long interval = config.getSnapshotSessionTimeout().toMillis() / HEARTBEATS_PER_TIMEOUT;
        ScheduledFuture<?> _ = clock.scheduleWithFixedDelay(this::pingAll, interval, interval, MILLISECONDS);
    }

    /** Returns the account whose readers may adopt a snapshot that is opened for the session. */
    Optional<String> accountName(ConnectorSession session)
    {
        return connections.accountName(session);
    }

    /** Completes when there is a connection for one more snapshot. The user has the connection until the permit is closed. Cancel the future to give up waiting. */
    CompletableFuture<Permit> admit(ConnectorSession session)
    {
        return permits.acquire(session.getUser());
    }

    /**
     * Opens a snapshot that covers the tables. The caller has a permit for it.
     *
     * @param connected takes the donor as soon as there is something to close
     */
    Donor open(ConnectorSession session, Collection<RemoteTableName> tables, SnapshotUse use, Consumer<Donor> connected)
            throws SQLException, ExtensionUnavailableException
    {
        Donor donor = connect(session, connected);
        boolean isOpen = false;
        try {
            donor.open(tables, config.getSnapshotSessionTimeout(), extension, use);
            isOpen = true;
        }
        finally {
            if (!isOpen) {
                donor.close();
            }
        }
        keep(donor);
        return donor;
    }

    /**
     * Connects a donor that opens its snapshot later. The caller has a permit for it, and closes the donor.
     *
     * @param connected takes the donor; if it throws, the donor is closed
     */
    Donor connect(ConnectorSession session, Consumer<Donor> connected)
            throws SQLException
    {
        PooledConnection connection = connections.openForSnapshot(session);
        Donor donor = new Donor(
                connection,
                new DonorStatements(connection.connection(), client::quoted, sql -> queryModifier.apply(session, sql), extension),
                () -> connections.openInPlaceOfLost(session),
                stats::recordGaveWay,
                ticker);
        boolean isTaken = false;
        try {
            connected.accept(donor);
            isTaken = true;
        }
        finally {
            if (!isTaken) {
                donor.close();
            }
        }
        return donor;
    }

    /** Opens, or opens anew, the snapshot of a donor that was connected. It is not lent yet. */
    SnapshotPosition openAt(Donor donor, Collection<RemoteTableName> tables, AwaitedPosition awaited)
            throws SQLException, ExtensionUnavailableException
    {
        return donor.openAt(tables, config.getSnapshotSessionTimeout(), extension, awaited);
    }

    /** Lends the snapshot that {@link #openAt} opened, and returns the definitions of the tables that it holds. */
    Map<RemoteTableName, String> lend(Donor donor)
            throws SQLException, ExtensionUnavailableException
    {
        Map<RemoteTableName, String> definitions = donor.lend(extension);
        keep(donor);
        return definitions;
    }

    private void keep(Donor donor)
    {
        stats.recordOpened(donor);
        open.add(donor);
    }

    /** Whether MySQL still holds the snapshot. Blocks for a statement, and if it is lost for a connection that asks why, with short waits. */
    boolean isAlive(Donor donor)
    {
        if (donor.ping()) {
            return true;
        }
        if (open.remove(donor)) {
            stats.recordLost(donor);
        }
        return false;
    }

    /** Ends a snapshot. Its permit comes free when its session in MySQL has ended, or the connection serves somebody else. */
    void release(Donor donor, Permit permit)
    {
        if (open.remove(donor)) {
            stats.recordClosed(donor);
        }
        donor.whenEnded(permit::close);
        try {
            executor.execute(donor::close);
        }
        catch (RuntimeException | Error e) {
            // No thread, or the catalog is shut down.
            log.warn(e, "Could not end a snapshot in the background. Closing its connection instead");
            donor.discard();
        }
    }

    /** Lets the donor give up tables once they have been read as often as expected. Does nothing if the query ends before that. */
    void expect(Donor donor, List<TableReads.Expected> tables)
    {
        schedule(() -> donor.expect(tables), EXPECT_DELAY_MILLIS);
    }

    void schedule(Runnable task, long delayMillis)
    {
        ScheduledFuture<?> _ = clock.schedule(() -> onThread(task), delayMillis, MILLISECONDS);
    }

    /**
     * Waits while another scan or query opens the snapshot. Each wait inside that opening has a limit of its own.
     *
     * @param checkOpen throws if the query has ended meanwhile
     */
    void lock(ReentrantLock opening, Runnable checkOpen)
    {
        try {
            while (!opening.tryLock(LOCK_STEP_MILLIS, MILLISECONDS)) {
                checkOpen.run();
            }
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_LOST, "The query has ended", e);
        }
    }

    // Each ping has a thread of its own: a connection that hangs must not let the other donors die.
    private void pingAll()
    {
        open.forEach(donor -> onThread(() -> {
            boolean _ = isAlive(donor);
        }));
    }

    // A task that throws would stop the clock.
    private void onThread(Runnable task)
    {
        try {
            executor.execute(task);
        }
        catch (RejectedExecutionException e) {
            log.debug(e, "The catalog is shut down");
        }
        catch (RuntimeException | Error e) {
            log.warn(e, "Could not start a thread for a snapshot. Waiting for the task instead");
            task.run();
        }
    }

    @PreDestroy
    void close()
    {
        clock.shutdownNow();
        open.forEach(Donor::close);
        executor.shutdown();
    }
}
