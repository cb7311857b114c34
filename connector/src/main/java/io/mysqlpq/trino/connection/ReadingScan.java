package io.mysqlpq.trino.connection;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Names the scan that wants a connection.
 *
 * @param queryShare connections that its query may have on this node, beside the one that each of its scans may always have
 */
public record ReadingScan(String scanId, String queryId, int queryShare)
{
    public ReadingScan
    {
        requireNonNull(scanId, "scanId is null");
        requireNonNull(queryId, "queryId is null");
        checkArgument(queryShare > 0, "queryShare is not positive: %s", queryShare);
    }
}
