package io.mysqlpq.trino.snapshot;

import io.airlift.units.Duration;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Holds a session's wishes for the snapshot of its queries.
 *
 * @param group name of the group whose queries share one snapshot. It is empty for the queries that only share by their time
 * @param groupMaxAge oldest snapshot of its group that a query accepts
 * @param position the transactions that the group's snapshot must have; empty if the query accepts any
 */
public record SnapshotOptions(SnapshotMode mode, Optional<String> group, Duration groupMaxAge, Optional<String> position)
{
    public SnapshotOptions
    {
        requireNonNull(mode, "mode is null");
        requireNonNull(group, "group is null");
        requireNonNull(groupMaxAge, "groupMaxAge is null");
        requireNonNull(position, "position is null");
    }
}
