package io.mysqlpq.trino.split;

import io.trino.spi.NodeManager;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;

/** Divides the connections that the cluster may read through among the workers there are now. Only the coordinator knows them. */
public final class ConnectionShares
{
    private final NodeManager nodes;
    private final int maxConnectionsPerServer;

    public ConnectionShares(NodeManager nodes, int maxConnectionsPerServer)
    {
        this.nodes = requireNonNull(nodes, "nodes is null");
        this.maxConnectionsPerServer = maxConnectionsPerServer;
        checkArgument(maxConnectionsPerServer > 0, "maxConnectionsPerServer is not positive: %s", maxConnectionsPerServer);
    }

    /**
     * A worker's share, at least one.
     *
     * @param maxConnectionsPerQuery that the cluster may read one query through
     */
    ConnectionShare perNode(int maxConnectionsPerQuery)
    {
        int workers = max(nodes.getWorkerNodes().size(), 1);
        return new ConnectionShare(max(maxConnectionsPerServer / workers, 1), max(maxConnectionsPerQuery / workers, 1));
    }
}
