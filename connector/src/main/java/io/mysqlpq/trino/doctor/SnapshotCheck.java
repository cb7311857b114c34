package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.protocol.BoundaryProtocol.SNAPSHOT_EXPORT_SQL;

/** Lends a snapshot briefly, to find out whether all scans of a query can see the same moment. */
final class SnapshotCheck
        implements Check
{
    @Override
    public String name()
    {
        return "snapshot";
    }

    @Override
    public List<Finding> examine(ExaminedServer server)
            throws SQLException
    {
        Optional<SQLException> failure = begin(server);
        if (failure.isEmpty()) {
            failure = server.failure(SNAPSHOT_EXPORT_SQL);
        }
        server.failure("ROLLBACK");
        return ImmutableList.of(failure
                .map(error -> Finding.warning(
                        name(),
                        "PER_SCAN: each scan has its own snapshot and is one split: " + error.getMessage(),
                        "Install the extension, or raise its limits. Then all scans of a query can share one snapshot"))
                .orElseGet(() -> Finding.ok(name(), "EXACT: all scans of a query share one snapshot")));
    }

    // Where the session does not say so, REPEATABLE READ is for this transaction only.
    private static Optional<SQLException> begin(ExaminedServer server)
            throws SQLException
    {
        Optional<SQLException> failure = server.failure("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        return failure.isPresent() ? failure : server.failure("START TRANSACTION READ ONLY");
    }
}
