package io.mysqlpq.trino.doctor;

import com.google.common.collect.ImmutableList;
import io.mysqlpq.trino.protocol.ExtensionError;

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
                .map(error -> finding(error, server.oneSnapshot()))
                .orElseGet(() -> Finding.ok(name(), "EXACT: all scans of a query share one snapshot")));
    }

    private Finding finding(SQLException error, boolean oneSnapshot)
    {
        Optional<ExtensionError> known = ExtensionError.of(error);
        String reason = known.map(one -> one.explain(error)).orElse(error.getMessage());
        String advice = known.map(SnapshotCheck::advice).orElse("Resolve MySQL's error, and run doctor again");
        return oneSnapshot
                ? Finding.problem(name(), "queries fail under snapshot-mode=EXACT: " + reason, advice)
                : Finding.warning(name(), "PER_SCAN: each scan has its own snapshot and is one split: " + reason, advice);
    }

    private static String advice(ExtensionError error)
    {
        return switch (error) {
            case NOT_INSTALLED, NOT_INSTALLED_WITHOUT_DATABASE -> "Follow the advice of the check extension";
            case DISABLED -> ExtensionCheck.ENABLE;
            case TOO_MANY_SNAPSHOTS -> "SET PERSIST mysql_pq_max_snapshots = 256";
            default -> "Resolve the extension's error, and run doctor again";
        };
    }

    // Where the session does not say so, REPEATABLE READ is for this transaction only.
    private static Optional<SQLException> begin(ExaminedServer server)
            throws SQLException
    {
        Optional<SQLException> failure = server.failure("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");
        return failure.isPresent() ? failure : server.failure("START TRANSACTION READ ONLY");
    }
}
