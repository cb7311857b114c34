package io.mysqlpq.trino.snapshot;

import com.google.inject.Inject;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.SQLException;
import java.util.List;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_SNAPSHOT_UNAVAILABLE;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotOptions;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static java.util.Objects.requireNonNull;

/** Tells exactly which transactions the snapshot of a group has, so that a stream of changes can go on behind a copy. */
public final class GroupPositions
{
    private final SnapshotGroups groups;

    @Inject
    GroupPositions(SnapshotGroups groups)
    {
        this.groups = requireNonNull(groups, "groups is null");
    }

    /** Opens a snapshot for the session's group, unless it has one that tells its position. Blocks for some statements. */
    public SnapshotPosition of(ConnectorSession session)
    {
        SnapshotOptions options = snapshotOptions(session);
        if (options.group().filter(name -> !name.isEmpty()).isEmpty()) {
            throw new TrinoException(
                    INVALID_SESSION_PROPERTY,
                    "snapshot_position is about the snapshot of a group. Set snapshot_group, and snapshot_group_age to as long as all copies take");
        }
        if (options.mode() != SnapshotMode.EXACT) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "snapshot_position needs snapshot_mode to be EXACT, so that no copy reads at another moment. Set snapshot_mode to EXACT");
        }
        try {
            SnapshotGroups.Membership membership = groups.join(session, options, List.of(), SnapshotUse.GROUP_WITH_POSITION, () -> {});
            try {
                return membership.donor().position().orElseThrow();
            }
            finally {
                membership.leave();
            }
        }
        catch (ExtensionUnavailableException e) {
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, "The extension cannot tell which transactions a snapshot has: %s. %s".formatted(e.getMessage(), e.fallbackCause().hint()), e);
        }
        catch (SQLException e) {
            throw new TrinoException(MYSQL_PQ_SNAPSHOT_UNAVAILABLE, "Failed to open a snapshot that tells which transactions it has: %s".formatted(ErrorHints.explain(e, "planning-timeout")), e);
        }
    }
}
