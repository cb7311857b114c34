package io.mysqlpq.trino.connection;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Names the scan that wants a connection.
 *
 * @param user Trino's user who runs the query
 * @param queryShare connections that the query may have on this node. Each of its scans may have one in any case
 */
public record ReadingScan(String scanId, String queryId, String user, int queryShare)
{
    public ReadingScan
    {
        requireNonNull(scanId, "scanId is null");
        requireNonNull(queryId, "queryId is null");
        requireNonNull(user, "user is null");
        checkArgument(queryShare > 0, "queryShare is not positive: %s", queryShare);
    }
}
