package io.mysqlpq.trino.planning;

import io.mysqlpq.trino.snapshot.SnapshotMode;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/** Holds a session's wishes for one scan. */
public record PlanningOptions(boolean parallelReads, RangeSource rangeSource, long targetRowsPerSplit, int maxRanges, SnapshotMode snapshotMode)
{
    public PlanningOptions
    {
        requireNonNull(rangeSource, "rangeSource is null");
        requireNonNull(snapshotMode, "snapshotMode is null");
        checkArgument(targetRowsPerSplit > 0, "targetRowsPerSplit is not positive: %s", targetRowsPerSplit);
        checkArgument(maxRanges > 0, "maxRanges is not positive: %s", maxRanges);
    }

    public PlanningOptions withMaxRanges(int maxRanges)
    {
        return new PlanningOptions(parallelReads, rangeSource, targetRowsPerSplit, maxRanges, snapshotMode);
    }
}
