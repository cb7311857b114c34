package io.mysqlpq.trino.connection;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Tells a worker how many connections it may read through, of those that the whole cluster may have.
 *
 * @param coordinator names the coordinator that divided them, in one of its runs
 * @param revision grows with each new division, so that a late split does not bring an old share back
 * @param node connections of all queries on the worker together
 * @param query connections of the split's query on the worker
 */
public record ConnectionShare(String coordinator, long revision, int node, int query)
{
    public ConnectionShare
    {
        requireNonNull(coordinator, "coordinator is null");
        checkArgument(revision >= 0, "revision is negative: %s", revision);
        checkArgument(node > 0, "node is not positive: %s", node);
        checkArgument(query > 0, "query is not positive: %s", query);
    }

    /** Whether this share takes the place of the other one. */
    boolean replaces(ConnectionShare other)
    {
        return !coordinator.equals(other.coordinator()) || revision > other.revision();
    }
}
