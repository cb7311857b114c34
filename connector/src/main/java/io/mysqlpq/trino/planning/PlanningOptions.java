package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.snapshot.SnapshotMode;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Holds a session's wishes for one scan.
 *
 * @param maxConnections that the query may be read through at once, on all workers together
 * @param minRows rows of the scan's part of an index from which on it is cut
 * @param hypergraphOptimizer whether MySQL's hypergraph optimizer is to read the ranges, where it would read no more
 * @param nativeScans whether the extension may read rows itself
 * @param rowIds whether it may do so by ids that SQL does not know, so that no row can be left to SQL
 */
public record PlanningOptions(boolean parallelReads, RangeSource rangeSource, long targetRowsPerSplit, int maxRanges, int maxConnections, long minRows, SnapshotMode snapshotMode, boolean hypergraphOptimizer, boolean nativeScans, boolean rowIds)
{
    // A page of 16 KB holds fewer rows than that, unless they are very short.
    private static final long ROWS_OF_SOME_PAGES = 1000;

    public PlanningOptions
    {
        requireNonNull(rangeSource, "rangeSource is null");
        requireNonNull(snapshotMode, "snapshotMode is null");
        checkArgument(targetRowsPerSplit > 0, "targetRowsPerSplit is not positive: %s", targetRowsPerSplit);
        checkArgument(maxRanges > 0, "maxRanges is not positive: %s", maxRanges);
        checkArgument(maxConnections > 0, "maxConnections is not positive: %s", maxConnections);
        checkArgument(minRows >= 0, "minRows is negative: %s", minRows);
    }

    public PlanningOptions withRanges(long targetRowsPerSplit, int maxRanges)
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, rowIds);
    }

    PlanningOptions withMinRows(long minRows)
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, rowIds);
    }

    /** For tables and snapshots that the extension cannot read. */
    PlanningOptions withoutNativeScans()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, false, false);
    }

    /** For tables of whose rows some are left to MySQL. */
    PlanningOptions withoutRowIds()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, false);
    }

    /** For ranges of which MySQL itself computes groups. */
    public PlanningOptions ofAggregation()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, false, false, false);
    }

    /** Whether a session that gets no ranges from the extension is to have them by SQL. */
    boolean isSqlInstead(FallbackCause cause)
    {
        return rangeSource == RangeSource.AUTO && snapshotMode == SnapshotMode.NONE && cause.leavesTableReadable();
    }

    /** Whether ranges may be so small that those between a small table's pages are too few. */
    boolean leafKeys()
    {
        return targetRowsPerSplit < ROWS_OF_SOME_PAGES;
    }
}
