package io.mysqlpq.trino.snapshot;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.PooledConnection;
import io.mysqlpq.trino.server.ExtensionSnapshots;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;
import jakarta.annotation.PreDestroy;

import java.sql.SQLException;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Consumer;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Opens donors, keeps their sessions alive, and ends them without making anyone wait. */
final class Donors
{
    private static final Logger log = Logger.get(Donors.class);
    // So that one late or lost heartbeat does no harm.
    private static final int HEARTBEATS_PER_TIMEOUT = 3;

    private final ConnectionPools connections;
    private final ExtensionSnapshots extension;
    private final JdbcClient client;
    private final RemoteQueryModifier queryModifier;
    private final SnapshotSettings settings;
    private final SnapshotStats stats;
    private final Set<Donor> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock;
    private final ExecutorService executor;

    @Inject
    Donors(
            ConnectionPools connections,
            ExtensionSnapshots extension,
            JdbcClient client,
            RemoteQueryModifier queryModifier,
            SnapshotSettings settings,
            SnapshotStats stats)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.extension = requireNonNull(extension, "extension is null");
        this.client = requireNonNull(client, "client is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.settings = requireNonNull(settings, "settings is null");
        this.stats = requireNonNull(stats, "stats is null");
        this.clock = newSingleThreadScheduledExecutor(daemonThreadsNamed(settings.catalog() + "-snapshot-clock-%s"));
        this.executor = newCachedThreadPool(daemonThreadsNamed(settings.catalog() + "-snapshot-%s"));
        long interval = settings.sessionTimeout().toMillis() / HEARTBEATS_PER_TIMEOUT;
        ScheduledFuture<?> _ = clock.scheduleWithFixedDelay(this::pingAll, interval, interval, MILLISECONDS);
    }

    /**
     * Opens a snapshot that covers the tables.
     *
     * @param connected told of the donor as soon as there is something to close
     */
    Donor open(ConnectorSession session, Collection<RemoteTableName> tables, Consumer<Donor> connected)
            throws SQLException, ExtensionUnavailableException
    {
        PooledConnection connection = connections.openForPlanning(session);
        Donor donor = new Donor(connection, new DonorStatements(connection.connection(), client::quoted, sql -> queryModifier.apply(session, sql), extension));
        try {
            connected.accept(donor);
            extension.checkAvailable(connection.connection());
            donor.open(tables, settings.sessionTimeout(), extension);
        }
        catch (SQLException | RuntimeException | ExtensionUnavailableException e) {
            donor.close();
            throw e;
        }
        open.add(donor);
        stats.recordOpened();
        return donor;
    }

    void release(Donor donor)
    {
        if (open.remove(donor)) {
            stats.recordClosed();
        }
        try {
            executor.execute(donor::close);
        }
        catch (RejectedExecutionException e) {
            // The catalog is shut down, and its connections with it.
            log.debug(e, "A snapshot was left to the end of its connection");
        }
    }

    void schedule(Runnable task, long delayMillis)
    {
        ScheduledFuture<?> _ = clock.schedule(() -> executor.execute(task), delayMillis, MILLISECONDS);
    }

    // Each on a thread of its own: a connection that hangs must not let the others die.
    private void pingAll()
    {
        open.forEach(donor -> executor.execute(() -> {
            if (!donor.ping() && open.remove(donor)) {
                stats.recordLost();
            }
        }));
    }

    @PreDestroy
    void close()
    {
        clock.shutdownNow();
        open.forEach(Donor::close);
        executor.shutdown();
    }
}
