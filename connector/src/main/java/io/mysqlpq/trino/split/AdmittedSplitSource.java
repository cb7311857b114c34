package io.mysqlpq.trino.split;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Hands out splits once the query is admitted. Asks for the admission with the first splits. No thread of the engine waits for it. */
final class AdmittedSplitSource
        implements ConnectorSplitSource
{
    private final ConnectorSplitSource splits;
    private final Supplier<CompletableFuture<Void>> admit;
    private final Executor executor;
    @GuardedBy("this")
    @Nullable
    private CompletableFuture<Void> admitted;
    @GuardedBy("this")
    private boolean closed;

    AdmittedSplitSource(ConnectorSplitSource splits, Supplier<CompletableFuture<Void>> admit, Executor executor)
    {
        this.splits = requireNonNull(splits, "splits is null");
        this.admit = requireNonNull(admit, "admit is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot filters)
    {
        return PlainFailures.of(admitted().thenComposeAsync(_ -> splits.getNextBatch(maxSize, filters), executor));
    }

    // The engine asks for one batch at a time.
    private CompletableFuture<Void> admitted()
    {
        synchronized (this) {
            if (admitted != null) {
                return admitted;
            }
        }
        CompletableFuture<Void> asked = admit.get();
        boolean inVain;
        synchronized (this) {
            admitted = asked;
            inVain = closed;
        }
        if (inVain) {
            asked.cancel(false);
        }
        return asked;
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return splits.getRequestedDynamicFilterWaitTimeoutMillis();
    }

    @Override
    public boolean isFinished()
    {
        return splits.isFinished();
    }

    @Override
    public Metrics getMetrics()
    {
        return splits.getMetrics();
    }

    @Override
    public void close()
    {
        CompletableFuture<Void> wait;
        synchronized (this) {
            closed = true;
            wait = admitted;
        }
        // The call runs code of whoever waits, so it is not made under our lock.
        if (wait != null) {
            wait.cancel(false);
        }
        splits.close();
    }
}
