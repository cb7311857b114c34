package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.server.FallbackCause;
import io.mysqlpq.trino.snapshot.SnapshotMode;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Holds a session's wishes for one scan.
 *
 * @param maxConnections connections that the query may be read through at once, on all workers together
 * @param minRows a scan is cut if its part of an index has at least this many rows
 * @param hypergraphOptimizer whether MySQL's hypergraph optimizer is to read the ranges, if it would read no more than these
 * @param nativeScans whether the extension may read rows itself
 * @param rowIds whether the extension may read by ids that SQL does not know. No row can then be left to SQL
 * @param firstRows whether each range gives its first rows, in the scan's order, and Trino takes the first of all
 * @param readsKept whether workers keep what they read for other queries, which then had better read the same ranges
 */
public record PlanningOptions(boolean parallelReads, RangeSource rangeSource, long targetRowsPerSplit, int maxRanges, int maxConnections, long minRows, SnapshotMode snapshotMode, boolean hypergraphOptimizer, boolean nativeScans, boolean rowIds, boolean firstRows, boolean readsKept)
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

    /** Holds the wishes for a scan of all rows. */
    public PlanningOptions(boolean parallelReads, RangeSource rangeSource, long targetRowsPerSplit, int maxRanges, int maxConnections, long minRows, SnapshotMode snapshotMode, boolean hypergraphOptimizer, boolean nativeScans, boolean rowIds)
    {
        this(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, rowIds, false, false);
    }

    public PlanningOptions withRanges(long targetRowsPerSplit, int maxRanges)
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, rowIds, firstRows, readsKept);
    }

    PlanningOptions withMinRows(long minRows)
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, rowIds, firstRows, readsKept);
    }

    /** Returns the options for tables and snapshots that the extension cannot read. */
    PlanningOptions withoutNativeScans()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, false, false, firstRows, readsKept);
    }

    /** Returns the options for tables of which some rows are left to MySQL. */
    PlanningOptions withoutRowIds()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, false, firstRows, readsKept);
    }

    /** Returns the options for ranges of which MySQL itself computes groups. */
    public PlanningOptions ofAggregation()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, false, false, false, firstRows, readsKept);
    }

    /**
     * Returns the options for ranges that give only their first rows.
     *
     * @param natively whether the extension finds them, and not MySQL
     */
    public PlanningOptions ofFirstRows(boolean natively)
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, false, nativeScans && natively, false, true, readsKept);
    }

    public PlanningOptions withReadsKept()
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, maxConnections, minRows, snapshotMode, hypergraphOptimizer, nativeScans, rowIds, firstRows, true);
    }

    /** Whether each range gives its first rows, and MySQL finds them. */
    public boolean firstRowsBySql()
    {
        return firstRows && !nativeScans;
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
