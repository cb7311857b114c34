package io.mysqlpq.trino.aggregation;

import io.mysqlpq.trino.metrics.MeasuredPageSource;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.Page;
import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static java.lang.Math.min;

/** Gives Trino the result of an aggregation: MySQL or the extension aggregates each range, and this connector merges what the ranges give. */
public final class AggregationPageSource
        implements MeasuredPageSource
{
    private static final int MAX_PAGE_ROWS = 8192;

    private final RangeAggregator ranges;
    private final RangeMerger merger;
    private final ResultView view;
    private final ReadMetrics metrics;
    private final MemoryContext memory;

    @Nullable
    private CompletableFuture<Void> merged;
    @Nullable
    private Page result;
    // Counts the rows of the result that Trino has taken.
    private int given;
    private boolean finished;

    /** @param ranges all ranges of the aggregation */
    public AggregationPageSource(
            MergedAggregation aggregation,
            AggregationOptions options,
            List<GroupReader> ranges,
            ResultView view,
            ReadMetrics metrics,
            MemoryContext memory)
    {
        this.merger = aggregation.merger();
        this.ranges = new RangeAggregator(ranges, options.parallelism(), merger, metrics);
        this.view = view;
        this.metrics = metrics;
        this.memory = memory;
    }

    @Override
    public SourcePage getNextSourcePage()
    {
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

    @Override
    public CompletableFuture<?> isBlocked()
    {
        // The failure itself is for getNextSourcePage.
        return merged == null || merged.isDone() ? NOT_BLOCKED : CompletableFuture.anyOf(merged.exceptionally(_ -> null), ranges.nextStep());
    }

    @Override
    public boolean isFinished()
    {
        return finished;
    }

    @Override
    public void close()
    {
        finished = true;
        ranges.cancel();
        memory.setBytes(0);
    }

    @Override
    public ReadMetrics metrics()
    {
        return metrics;
    }
}
