package io.mysqlpq.trino.snapshot;

import io.airlift.units.Duration;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.TableKeys;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Says which moment a scan sees. */
public sealed interface ScanSnapshot
{
    /**
     * The scan sees the moment that all scans of the query see.
     *
     * @param age of the moment, at most
     * @param containsAtLeast transactions that had committed before the moment, if the server numbers them (GTID set)
     * @param keys of the tables, which stay locked as long as there is the snapshot
     */
    record Exact(SnapshotToken token, Duration age, Optional<String> containsAtLeast, TableKeys keys)
            implements ScanSnapshot
    {
        public Exact
        {
            requireNonNull(token, "token is null");
            requireNonNull(age, "age is null");
            requireNonNull(containsAtLeast, "containsAtLeast is null");
            requireNonNull(keys, "keys is null");
        }
    }

    /**
     * The scan sees a moment of its own. It must therefore be one statement.
     *
     * @param cause why the scan does not share a snapshot, if it was to share one
     */
    record PerScan(Optional<ExtensionUnavailableException> cause)
            implements ScanSnapshot
    {
        public PerScan
        {
            requireNonNull(cause, "cause is null");
        }
    }

    /** The scan is the query's only statement, so all scans of the query see the statement's moment. */
    record OneStatement()
            implements ScanSnapshot
    {}

    /** Each range sees a moment of its own. */
    record Unshared()
            implements ScanSnapshot
    {}

    /** Returns the level as metrics name it. */
    default SnapshotMode level()
    {
        return switch (this) {
            case Exact _,OneStatement _ -> SnapshotMode.EXACT;
            case PerScan _ -> SnapshotMode.PER_SCAN;
            case Unshared _ -> SnapshotMode.NONE;
        };
    }

    default Optional<SnapshotToken> sharedToken()
    {
        return this instanceof Exact exact ? Optional.of(exact.token()) : Optional.empty();
    }
}
