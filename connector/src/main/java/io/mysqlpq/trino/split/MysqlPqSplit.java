package io.mysqlpq.trino.split;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.mysqlpq.trino.snapshot.SnapshotToken;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.predicate.TupleDomain;

import java.util.Optional;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * Describes one unit of reading: a table as a whole, or one range of it.
 *
 * @param scanId names the scan that the split belongs to, for which each node keeps one connection free
 * @param range what to read, the whole table if empty
 * @param snapshot what the read sees, together with all others of the query; its own moment if empty
 * @param connectionShare connections that the worker may read through, of those that the whole cluster may
 * @param dynamicFilter what was known of the dynamic filters when the split was made
 */
public record MysqlPqSplit(String scanId, Optional<RangeRead> range, Optional<SnapshotToken> snapshot, int connectionShare, TupleDomain<JdbcColumnHandle> dynamicFilter, SplitWeight weight)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(MysqlPqSplit.class);
    // A bound's values are short; their exact size is not worth a walk for each split.
    private static final int RANGE_SIZE = 1024;

    public MysqlPqSplit
    {
        requireNonNull(scanId, "scanId is null");
        requireNonNull(range, "range is null");
        requireNonNull(snapshot, "snapshot is null");
        requireNonNull(dynamicFilter, "dynamicFilter is null");
        requireNonNull(weight, "weight is null");
    }

    @JsonIgnore
    @Override
    public SplitWeight getSplitWeight()
    {
        return weight;
    }

    @JsonIgnore
    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE
                + estimatedSizeOf(scanId)
                + range.map(_ -> RANGE_SIZE).orElse(0)
                + snapshot.map(token -> estimatedSizeOf(token.value())).orElse(0L)
                + dynamicFilter.getRetainedSizeInBytes(JdbcColumnHandle::getRetainedSizeInBytes)
                + weight.getRetainedSizeInBytes();
    }
}
