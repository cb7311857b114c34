package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.split.ScanCopy;

import static java.util.Objects.requireNonNull;

/** Is a scan on another server than the one that has planned it. Both show the same rows. */
record CopiedScan(ServerAddress server, ScanCopy scan)
{
    CopiedScan
    {
        requireNonNull(server, "server is null");
        requireNonNull(scan, "scan is null");
    }
}
