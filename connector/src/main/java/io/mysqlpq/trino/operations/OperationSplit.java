package io.mysqlpq.trino.operations;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.airlift.slice.SizeOf;
import io.trino.spi.connector.ConnectorSplit;

import java.util.Optional;

import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * Stands for all rows of a table function on one server, which one node asks MySQL for.
 *
 * @param obstacle why the server cannot be asked; empty if it can be, or nobody knows
 */
public record OperationSplit(Optional<String> obstacle)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(OperationSplit.class);

    public OperationSplit
    {
        requireNonNull(obstacle, "obstacle is null");
    }

    @JsonIgnore
    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + obstacle.map(SizeOf::estimatedSizeOf).orElse(0L);
    }
}
