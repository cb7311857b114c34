package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.connection.ServerAddress;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Names a server that queries may read from.
 *
 * @param weight how many queries it gets in proportion to the others
 */
record Replica(ServerAddress address, int weight)
{
    static final int MOST_WEIGHT = 1000;

    Replica
    {
        requireNonNull(address, "address is null");
        checkArgument(weight > 0, "weight is not positive: %s", weight);
    }
}
