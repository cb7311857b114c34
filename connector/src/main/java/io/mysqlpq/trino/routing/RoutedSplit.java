package io.mysqlpq.trino.routing;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.mysqlpq.trino.connection.ServerAddress;
import io.trino.spi.HostAddress;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSplit;

import java.util.List;
import java.util.Optional;

import static io.airlift.slice.SizeOf.estimatedSizeOf;
import static io.airlift.slice.SizeOf.instanceSize;
import static java.util.Objects.requireNonNull;

/**
 * Is a split of one server.
 *
 * @param server whose rows the split has
 */
public record RoutedSplit(ServerAddress server, ConnectorSplit split)
        implements ConnectorSplit
{
    private static final int INSTANCE_SIZE = instanceSize(RoutedSplit.class);

    public RoutedSplit
    {
        requireNonNull(server, "server is null");
        requireNonNull(split, "split is null");
    }

    @JsonIgnore
    @Override
    public boolean isRemotelyAccessible()
    {
        return split.isRemotelyAccessible();
    }

    @JsonIgnore
    @Override
    public List<HostAddress> getAddresses()
    {
        return split.getAddresses();
    }

    @JsonIgnore
    @Override
    public Optional<String> getAffinityKey()
    {
        return split.getAffinityKey();
    }

    @JsonIgnore
    @Override
    public SplitWeight getSplitWeight()
    {
        return split.getSplitWeight();
    }

    @JsonIgnore
    @Override
    public long getRetainedSizeInBytes()
    {
        return INSTANCE_SIZE + estimatedSizeOf(server.host()) + split.getRetainedSizeInBytes();
    }
}
