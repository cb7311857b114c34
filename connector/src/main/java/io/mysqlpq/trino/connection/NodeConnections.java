package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import io.airlift.units.Duration;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Says how many connections this node may have, and for what. */
public final class NodeConnections
{
    /** The coordinator's connections for metadata, which do not count among the others. */
    static final int METADATA_RESERVE = 4;
    // A use that takes longer is no metadata: it writes, or waits for a lock.
    private static final Duration LONGEST_METADATA = new Duration(2, SECONDS);
    private static final Duration NO_LIMIT = new Duration(365, DAYS);

    private final ConnectionShares shares;
    private final ConnectionPermits readers;
    private final ConnectionQueue planning;
    private final ConnectionQueue snapshots;
    private final ConnectionQueue metadata;

    @Inject
    public NodeConnections(ConnectionConfig config, ConnectionShares shares, ConnectionPermits readers, ConnectionClock clock)
    {
        this.shares = requireNonNull(shares, "shares is null");
        this.readers = requireNonNull(readers, "readers is null");
        // A worker plans nothing, but runs the functions for administrators, by a connection of the reserve.
        this.planning = new ConnectionQueue("for planning", () -> shares.isCoordinator() ? shares.budget().planning() : 1, config.getConnectionQueueTimeout(), NO_LIMIT, clock);
        this.snapshots = new ConnectionQueue("for a snapshot", () -> shares.budget().snapshots(), config.getConnectionQueueTimeout(), NO_LIMIT, clock);
        this.metadata = new ConnectionQueue("for metadata", () -> shares.isCoordinator() ? METADATA_RESERVE : Integer.MAX_VALUE, config.getConnectionQueueTimeout(), LONGEST_METADATA, clock);
    }

    /** Hands out connections that are held for a few statements. Whoever holds one waits for no other connection of this server. */
    ConnectionQueue planning()
    {
        return planning;
    }

    /** Hands out connections that are held as long as a query, a transaction or a group of queries has a snapshot. */
    public ConnectionQueue snapshots()
    {
        return snapshots;
    }

    /** Hands out connections of base-jdbc. Each counts for two seconds at most, so that a long write keeps nobody from metadata. */
    ConnectionQueue metadata()
    {
        return metadata;
    }

    /** Takes over how many sessions MySQL allows in all. */
    void allow(int sessions)
    {
        shares.allow(sessions);
    }

    /** Returns how many of {@code max-connections-per-server} this node may have now, idle connections included. */
    int limit()
    {
        if (!shares.isCoordinator()) {
            return readers.getLimit();
        }
        return planning.limit() + snapshots.limit() + (shares.isWorker() ? readers.getLimit() : 0);
    }

    @Managed(description = "Queries that wait for a connection to hold their snapshot")
    public int getSnapshotsWaiting()
    {
        return snapshots.waiting();
    }

    @Managed(description = "Connections that hold snapshots, or are about to")
    public int getSnapshotsHeld()
    {
        return snapshots.held();
    }

    @Managed(description = "Snapshots that may be held now")
    public int getSnapshotsLimit()
    {
        return shares.isCoordinator() ? snapshots.limit() : 0;
    }

    @Managed(description = "Seconds that queries waited for a connection to hold their snapshot")
    public double getSnapshotWaitSeconds()
    {
        return snapshots.waited().getValue(SECONDS);
    }

    @Managed(description = "Plans that wait for a connection")
    public int getPlanningWaiting()
    {
        return planning.waiting();
    }

    @Managed(description = "Connections that plan")
    public int getPlanningHeld()
    {
        return planning.held();
    }

    @Managed(description = "Connections that may plan now")
    public int getPlanningLimit()
    {
        return planning.limit();
    }

    @Managed(description = "Seconds that plans waited for a connection")
    public double getPlanningWaitSeconds()
    {
        return planning.waited().getValue(SECONDS);
    }
}
