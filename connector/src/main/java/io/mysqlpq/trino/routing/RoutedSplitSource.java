package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.split.PlainFailures;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Marks the splits of a scan with the server that they are of. */
final class RoutedSplitSource
        implements ConnectorSplitSource
{
    private final ServerAddress server;
    private final ConnectorSplitSource splits;

    RoutedSplitSource(ServerAddress server, ConnectorSplitSource splits)
    {
        this.server = requireNonNull(server, "server is null");
        this.splits = requireNonNull(splits, "splits is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter)
    {
        CompletableFuture<List<ConnectorSplit>> batch = splits.getNextBatch(maxSize, dynamicFilter);
        CompletableFuture<List<ConnectorSplit>> routed = PlainFailures.of(batch.thenApply(found -> found.stream().<ConnectorSplit>map(split -> new RoutedSplit(server, split)).collect(toImmutableList())));
        // Trino cancels what it gets, and the source has to end its work then.
        var _ = routed.whenComplete((_, _) -> {
            if (routed.isCancelled()) {
                batch.cancel(true);
            }
        });
        return routed;
    }

    @Override
    public void close()
    {
        splits.close();
    }

    @Override
    public boolean isFinished()
    {
        return splits.isFinished();
    }

    @Override
    public Optional<List<Object>> getTableExecuteSplitsInfo()
    {
        return splits.getTableExecuteSplitsInfo();
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return splits.getRequestedDynamicFilterWaitTimeoutMillis();
    }

    @Override
    public Metrics getMetrics()
    {
        return splits.getMetrics();
    }
}
