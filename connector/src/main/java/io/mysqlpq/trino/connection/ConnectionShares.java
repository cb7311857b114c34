package io.mysqlpq.trino.connection;

import com.google.common.base.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.trino.spi.NodeManager;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.UUID.randomUUID;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Divides the connections that the cluster may have among its workers. Only the coordinator knows the workers.
 *
 * <p>A worker that joins makes all shares smaller at once. A worker that leaves makes the others larger only after a minute: it may still
 * read, or MySQL may not have noticed yet that it is gone.
 */
public final class ConnectionShares
{
    private static final long NANOS_TO_LEAVE = MINUTES.toNanos(1);

    private final NodeManager nodes;
    private final int maxConnectionsPerServer;
    private final int maxConnectionsPerNode;
    private final Ticker ticker;
    private final String coordinator = randomUUID().toString();

    @GuardedBy("this")
    private int workers;
    @GuardedBy("this")
    private long countedNanos;
    @GuardedBy("this")
    private long revision;
    @GuardedBy("this")
    private int allowed = Integer.MAX_VALUE;

    @Inject
    public ConnectionShares(NodeManager nodes, ConnectionConfig config, Ticker ticker)
    {
        this.nodes = requireNonNull(nodes, "nodes is null");
        this.maxConnectionsPerServer = config.getMaxConnectionsPerServer();
        this.maxConnectionsPerNode = config.getMaxConnectionsPerNode();
        this.ticker = requireNonNull(ticker, "ticker is null");
        checkArgument(maxConnectionsPerServer > 0, "maxConnectionsPerServer is not positive: %s", maxConnectionsPerServer);
        checkArgument(maxConnectionsPerNode > 0, "maxConnectionsPerNode is not positive: %s", maxConnectionsPerNode);
    }

    /** Whether this node plans queries and holds their snapshots. */
    boolean isCoordinator()
    {
        return nodes.getCurrentNode().isCoordinator();
    }

    /** Whether this node reads ranges. */
    boolean isWorker()
    {
        return nodes.getWorkerNodes().contains(nodes.getCurrentNode());
    }

    /** Returns what the coordinator and each worker may have now. Fails if there are more workers than connections for them. */
    synchronized ConnectionBudget budget()
    {
        count(max(nodes.getWorkerNodes().size(), 1));
        return ConnectionBudget.of(min(maxConnectionsPerServer, allowed()), workers, maxConnectionsPerNode);
    }

    // The reserve for metadata comes first, as far as there are enough connections. Workers can still wait for the least that they need, one after the other.
    @GuardedBy("this")
    private int allowed()
    {
        return max(allowed - NodeConnections.METADATA_RESERVE, workers + ConnectionBudget.LEAST_OF_COORDINATOR);
    }

    /** Takes over how many sessions MySQL allows in all. */
    synchronized void allow(int sessions)
    {
        if (sessions != allowed) {
            allowed = sessions;
            revision++;
        }
    }

    /**
     * Returns a worker's share, which has at least one connection.
     *
     * @param maxConnectionsPerQuery that the cluster may read one query through
     */
    public synchronized ConnectionShare perNode(int maxConnectionsPerQuery)
    {
        int readers = budget().readers();
        return new ConnectionShare(coordinator, revision, readers, max(maxConnectionsPerQuery / workers, 1));
    }

    @GuardedBy("this")
    private void count(int present)
    {
        if (present < workers && ticker.read() - countedNanos < NANOS_TO_LEAVE) {
            return;
        }
        if (present != workers) {
            workers = present;
            revision++;
        }
        countedNanos = ticker.read();
    }
}
