package io.mysqlpq.trino.split;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * Says how many connections a worker may read through, of those that the whole cluster may.
 *
 * @param node all its queries together
 * @param query the split's query
 */
public record ConnectionShare(int node, int query)
{
    public ConnectionShare
    {
        checkArgument(node > 0, "node is not positive: %s", node);
        checkArgument(query > 0, "query is not positive: %s", query);
    }
}
