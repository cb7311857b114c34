package io.mysqlpq.trino.split;

import io.mysqlpq.trino.planning.RangeSample;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Hands out a random share of the splits of a scan. */
final class SampledSplitSource
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource all;
    private final RangeSample sample;

    SampledSplitSource(ConnectorSplitSource all, RangeSample sample)
    {
        this.all = requireNonNull(all, "all is null");
        this.sample = requireNonNull(sample, "sample is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot filters)
    {
        return PlainFailures.of(all.getNextBatch(maxSize, filters)
                .thenApply(splits -> splits.stream().filter(_ -> sample.takes()).collect(toImmutableList())));
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return all.getRequestedDynamicFilterWaitTimeoutMillis();
    }

    @Override
    public boolean isFinished()
    {
        return all.isFinished();
    }

    @Override
    public Metrics getMetrics()
    {
        return all.getMetrics();
    }

    @Override
    public void close()
    {
        all.close();
    }
}
