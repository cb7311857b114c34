package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.Page;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static java.util.concurrent.CompletableFuture.supplyAsync;

/**
 * Gives Trino the pages of one split, and reads at most one page ahead.
 *
 * <p>Reading blocks on the network, so it runs on threads of its own: Trino's driver never waits inside a read that
 * it could not cancel.
 */
final class RangePageSource
        implements ConnectorPageSource
{
    private final RangeGate gate;
    private final Supplier<TupleDomain<ColumnHandle>> dynamicFilter;
    private final RowReader reader;
    private final ReadMetrics metrics;
    private final Executor executor;
    private final MemoryContext memory;

    @Nullable
    private CompletableFuture<Optional<Page>> next;
    private boolean finished;

    /** @param dynamicFilter asked when the range opens, so that late filters help */
    RangePageSource(
            RangeGate gate,
            Supplier<TupleDomain<ColumnHandle>> dynamicFilter,
            RowReader reader,
            ReadMetrics metrics,
            Executor executor,
            MemoryContext memory)
    {
        this.gate = gate;
        this.dynamicFilter = dynamicFilter;
        this.reader = reader;
        this.metrics = metrics;
        this.executor = executor;
        this.memory = memory;
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (finished) {
            return null;
        }
        if (next == null) {
            next = start();
        }
        if (!next.isDone()) {
            return null;
        }
        Optional<Page> page = getFutureValue(next);
        if (page.isEmpty()) {
            close();
            return null;
        }
        next = supplyAsync(reader::read, executor);
        // The page that is read ahead meanwhile is likely as large.
        memory.setBytes(reader.retainedBytes() + 2 * page.get().getRetainedSizeInBytes());
        return SourcePage.create(page.get());
    }

    private CompletableFuture<Optional<Page>> start()
    {
        return gate.pass().thenApplyAsync(granted -> {
            reader.open(granted, dynamicFilter.get());
            return reader.read();
        }, executor);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        return next == null || finished ? NOT_BLOCKED : next;
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public void close()
    {
        if (finished) {
            return;
        }
        finished = true;
        reader.cancel();
        gate.cancel();
        memory.setBytes(0);
    }

    @Override
    public long getCompletedBytes()
    {
        return metrics.bytesRead();
    }

    @Override
    public OptionalLong getCompletedPositions()
    {
        return OptionalLong.of(metrics.rowsRead());
    }

    @Override
    public long getReadTimeNanos()
    {
        return metrics.readNanos();
    }

    @Override
    public Metrics getMetrics()
    {
        return metrics.toMetrics();
    }
}
