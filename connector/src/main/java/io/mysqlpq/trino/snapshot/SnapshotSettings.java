package io.mysqlpq.trino.snapshot;

import io.airlift.units.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Limits what snapshots may cost the server.
 *
 * @param sessionTimeout time after which MySQL ends the session that holds a snapshot, if the coordinator is silent
 * @param maxGroups snapshot groups that may hold a snapshot at the same time
 */
public record SnapshotSettings(String catalog, Duration sessionTimeout, int maxGroups)
{
    public SnapshotSettings
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(sessionTimeout, "sessionTimeout is null");
        checkArgument(maxGroups > 0, "maxGroups is not positive: %s", maxGroups);
    }
}
