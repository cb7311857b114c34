package io.mysqlpq.trino.scan;

import io.airlift.log.Logger;
import io.mysqlpq.trino.aggregation.GroupMerger;
import io.mysqlpq.trino.aggregation.ResultView;
import io.mysqlpq.trino.aggregation.TooManyGroupsException;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.metrics.Metrics;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TEMPORARY_TABLE_FULL;

/**
 * Gives Trino the result of an aggregation: MySQL computes each range's groups, and here they are merged.
 *
 * <p>Where they are too many for here, or their temporary tables too much for MySQL, MySQL computes the whole as one
 * statement; in the query's snapshot that is the same answer.
 */
final class AggregationPageSource
        implements ConnectorPageSource
{
    private static final Logger log = Logger.get(AggregationPageSource.class);

    private final RangeAggregator ranges;
    private final GroupMerger merger;
    private final ResultView view;
    private final Supplier<ConnectorPageSource> whole;
    private final ReadMetrics metrics;
    private final MemoryContext memory;

    @Nullable
    private CompletableFuture<Void> merged;
    // Reads the whole, if the ranges could not be merged.
    @Nullable
    private ConnectorPageSource instead;
    private boolean finished;

    /** @param whole reads the aggregation as one statement */
    AggregationPageSource(RangeAggregator ranges, GroupMerger merger, ResultView view, Supplier<ConnectorPageSource> whole, ReadMetrics metrics, MemoryContext memory)
    {
        this.ranges = ranges;
        this.merger = merger;
        this.view = view;
        this.whole = whole;
        this.metrics = metrics;
        this.memory = memory;
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (instead != null) {
            return instead.getNextSourcePage();
        }
        if (finished) {
            return null;
        }
        if (merged == null) {
            merged = ranges.start();
        }
        if (!merged.isDone()) {
            return null;
        }
        if (merged.isCompletedExceptionally() && isTooLarge(merged.exceptionNow())) {
            log.debug("Reading an aggregation as one statement: %s", merged.exceptionNow().getMessage());
            metrics.recordAggregatedWhole();
            instead = whole.get();
            return null;
        }
        getFutureValue(merged);
        Page result = view.of(merger.result());
        finished = true;
        memory.setBytes(result.getRetainedSizeInBytes());
        return SourcePage.create(result);
    }

    private static boolean isTooLarge(Throwable failure)
    {
        return failure instanceof TooManyGroupsException
                || (failure instanceof TrinoException error && error.getErrorCode().equals(MYSQL_PQ_TEMPORARY_TABLE_FULL.toErrorCode()));
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        if (instead != null) {
            return instead.isBlocked();
        }
        // The failure itself is for getNextSourcePage.
        return merged == null || merged.isDone() ? NOT_BLOCKED : merged.exceptionally(_ -> null);
    }

    @Override
    public boolean isFinished()
    {
        return instead == null ? finished : instead.isFinished();
    }

    @Override
    public void close()
            throws IOException
    {
        finished = true;
        ranges.cancel();
        memory.setBytes(0);
        if (instead != null) {
            instead.close();
        }
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
