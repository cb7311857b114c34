package io.mysqlpq.trino.connection;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Names the scan that wants a connection.
 *
 * @param user of Trino, who runs the query
 * @param queryShare connections that its query may have on this node; each of its scans may have one at any rate
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
