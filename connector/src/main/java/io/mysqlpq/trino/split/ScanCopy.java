package io.mysqlpq.trino.split;

import io.mysqlpq.trino.connection.ConnectionShare;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.spi.connector.ConnectorSplit;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Reads ranges of a scan that another server has planned, on one of the servers that show the same rows.
 *
 * @param connections to this server
 */
public record ScanCopy(SnapshotToken snapshot, ConnectionShare connections)
{
    private static final String GENERATED_KEY = "my_row_id";

    public ScanCopy
    {
        requireNonNull(snapshot, "snapshot is null");
        requireNonNull(connections, "connections is null");
    }

    /** Returns the split for this server. Empty if only the server that has planned it can read it. */
    public Optional<ConnectorSplit> of(ConnectorSplit planned)
    {
        return planned instanceof MysqlPqSplit split && split.snapshot().isPresent() && split.range().filter(ScanCopy::isSameEverywhere).isPresent()
                ? Optional.of(split.in(snapshot).with(connections, split.dynamicFilter()))
                : Optional.empty();
    }

    // Each server numbers the rows of a table without a key by itself, also where MySQL has added an invisible key for that.
    private static boolean isSameEverywhere(SplitRange range)
    {
        return !range.key().isOfRowIds() && range.key().columns().stream().noneMatch(column -> column.name().equalsIgnoreCase(GENERATED_KEY));
    }
}
