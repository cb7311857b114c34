package io.mysqlpq.trino.operations;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.trino.spi.connector.ConnectorSplit;

import static io.airlift.slice.SizeOf.instanceSize;

/** Stands for all rows of a table function, which one node asks MySQL for. */
public record OperationSplit()
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(OperationSplit.class);

    @JsonIgnore
    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE;
    }
}
