package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import org.weakref.jmx.Managed;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Says how many connections this node may have, and for what. */
public final class NodeConnections
{
    /** For reading the server's load, and for ending abandoned queries: beside all that is counted. */
    private static final int RESERVE = 2;

    private final ConnectionShares shares;
    private final ConnectionPermits readers;
    private final ConnectionQueue planning;
    private final ConnectionQueue snapshots;

    @Inject
    public NodeConnections(ConnectionSettings settings, ConnectionShares shares, ConnectionPermits readers, ConnectionClock clock)
    {
        this.shares = requireNonNull(shares, "shares is null");
        this.readers = requireNonNull(readers, "readers is null");
        // A worker plans nothing, but runs the functions for administrators.
        this.planning = new ConnectionQueue("that plan queries", () -> shares.isCoordinator() ? shares.budget().planning() : 1, settings.queueTimeout(), clock);
        this.snapshots = new ConnectionQueue("that hold snapshots of queries", () -> shares.budget().snapshots(), settings.queueTimeout(), clock);
    }

    /** Those that are held for some statements. Who holds one waits for no other of this server's. */
    ConnectionQueue planning()
    {
        return planning;
    }

    /** Those that are held as long as a query, a transaction or a group of queries has a snapshot. */
    public ConnectionQueue snapshots()
    {
        return snapshots;
    }

    /** All that this node may have now, idle ones included. */
    int limit()
    {
        return readers.getLimit() + planning.limit() + (shares.isCoordinator() ? snapshots.limit() : 0) + RESERVE;
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
        return snapshots.limit();
    }

    @Managed(description = "Time that queries waited for a connection to hold their snapshot, all added up")
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

    @Managed(description = "Time that plans waited for a connection, all added up")
    public double getPlanningWaitSeconds()
    {
        return planning.waited().getValue(SECONDS);
    }
}
