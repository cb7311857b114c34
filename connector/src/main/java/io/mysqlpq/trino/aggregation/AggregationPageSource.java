package io.mysqlpq.trino.aggregation;

import io.airlift.log.Logger;
import io.mysqlpq.trino.metrics.MeasuredPageSource;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.Page;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TEMPORARY_TABLE_FULL;
import static java.lang.Math.min;

/**
 * Gives Trino the result of an aggregation: MySQL or the extension computes the groups of each range, and this connector merges them.
 *
 * <p>MySQL's groups are bounded. If there are too many groups to merge, or MySQL has no room for the temporary tables of its groups, MySQL computes the whole
 * aggregation as one statement. In the query's snapshot the answer is the same.
 */
public final class AggregationPageSource
        implements MeasuredPageSource
{
    private static final Logger log = Logger.get(AggregationPageSource.class);
    private static final int MAX_PAGE_ROWS = 8192;

    private final RangeAggregator ranges;
    private final RangeMerger merger;
    private final ResultView view;
    private final Supplier<ConnectorPageSource> whole;
    private final ReadMetrics metrics;
    private final MemoryContext memory;

    @Nullable
    private CompletableFuture<Void> merged;
    // Reads the aggregation as one statement. Null as long as the ranges can be merged.
    @Nullable
    private ConnectorPageSource instead;
    @Nullable
    private Page result;
    // Counts the rows of the result that Trino has taken.
    private int given;
    private boolean finished;

    /**
     * @param ranges all ranges of the aggregation
     * @param whole reads the aggregation as one statement
     */
    public AggregationPageSource(
            MergedAggregation aggregation,
            AggregationOptions options,
            List<GroupReader> ranges,
            ResultView view,
            Supplier<ConnectorPageSource> whole,
            ReadMetrics metrics,
            MemoryContext memory)
    {
        this.merger = aggregation.merger(options);
        this.ranges = new RangeAggregator(ranges, options.parallelism(), merger, metrics);
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
            memory.setBytes(merger.retainedBytes() + ranges.retainedBytes());
            return null;
        }
        if (merged.isCompletedExceptionally() && isTooLarge(merged.exceptionNow())) {
            log.debug("Reading an aggregation as one statement: %s", merged.exceptionNow().getMessage());
            metrics.recordAggregatedWhole();
            memory.setBytes(0);
            instead = whole.get();
            return null;
        }
        getFutureValue(merged);
        return nextOf(result());
    }

    private Page result()
    {
        if (result == null) {
            result = view.of(merger.result());
            memory.setBytes(merger.retainedBytes() + result.getRetainedSizeInBytes());
        }
        return result;
    }

    private SourcePage nextOf(Page result)
    {
        int positions = min(result.getPositionCount() - given, MAX_PAGE_ROWS);
        Page page = result.getRegion(given, positions);
        given += positions;
        finished = given == result.getPositionCount();
        return SourcePage.create(page);
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
        return merged == null || merged.isDone() ? NOT_BLOCKED : CompletableFuture.anyOf(merged.exceptionally(_ -> null), ranges.nextStep());
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
    public ReadMetrics metrics()
    {
        return metrics;
    }
}
