package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.metrics.PlanningMetrics;
import io.mysqlpq.trino.split.PlainFailures;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/** Marks the splits of a scan with the server that they are of: in turn those that show the scan's moment, as far as they can read the split. */
final class RoutedSplitSource
        implements ConnectorSplitSource
{
    private final ServerAddress server;
    private final ConnectorSplitSource splits;
    private final CompletableFuture<List<CopiedScan>> copies;
    @GuardedBy("this")
    private int next;
    @GuardedBy("this")
    private final Set<ServerAddress> reading = new HashSet<>();

    /**
     * @param server that plans
     * @param copies of the scan on other servers. Nothing is planned before they are known
     */
    RoutedSplitSource(ServerAddress server, ConnectorSplitSource splits, CompletableFuture<List<CopiedScan>> copies)
    {
        this.server = requireNonNull(server, "server is null");
        this.splits = requireNonNull(splits, "splits is null");
        this.copies = requireNonNull(copies, "copies is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot dynamicFilter)
    {
        CompletableFuture<List<ConnectorSplit>> routed = new CompletableFuture<>();
        var _ = copies.whenComplete((others, failure) -> {
            try {
                if (!routed.isDone()) {
                    // A failure leaves the scan to the server that plans.
                    pass(splits.getNextBatch(maxSize, dynamicFilter), failure == null ? others : ImmutableList.of(), routed);
                }
            }
            catch (Throwable e) {
                routed.completeExceptionally(e);
            }
        });
        return routed;
    }

    private void pass(CompletableFuture<List<ConnectorSplit>> batch, List<CopiedScan> others, CompletableFuture<List<ConnectorSplit>> routed)
    {
        var _ = PlainFailures.of(batch.thenApply(found -> found.stream().<ConnectorSplit>map(split -> route(split, others)).collect(toImmutableList())))
                .whenComplete((found, failure) -> {
                    if (failure == null) {
                        routed.complete(found);
                    }
                    else {
                        routed.completeExceptionally(failure);
                    }
                });
        // Trino cancels what it gets, and the source has to end its work then.
        var _ = routed.whenComplete((_, _) -> {
            if (routed.isCancelled()) {
                batch.cancel(true);
            }
        });
    }

    private synchronized RoutedSplit route(ConnectorSplit split, List<CopiedScan> others)
    {
        int turn = next++ % (others.size() + 1);
        RoutedSplit routed = turn == 0
                ? new RoutedSplit(server, split)
                : others.get(turn - 1).scan().of(split).map(copy -> new RoutedSplit(others.get(turn - 1).server(), copy)).orElseGet(() -> new RoutedSplit(server, split));
        reading.add(routed.server());
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
        int servers = servers();
        return servers > 1 ? splits.getMetrics().mergeWith(PlanningMetrics.servers(servers)) : splits.getMetrics();
    }

    private synchronized int servers()
    {
        return reading.size();
    }
}
