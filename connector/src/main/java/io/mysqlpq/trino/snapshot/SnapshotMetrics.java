package io.mysqlpq.trino.snapshot;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.trino.plugin.base.metrics.DurationTiming;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;

/** Names what EXPLAIN ANALYZE VERBOSE shows of a scan's snapshot. */
public final class SnapshotMetrics
{
    /** Followed by the level: EXACT, PER_SCAN or NONE. */
    public static final String SCANS_BY_LEVEL = "scansBySnapshotLevel.";
    /** The greatest age that the snapshot may have had when the scan was planned. */
    public static final String AGE = "snapshotAge";
    public static final String OPEN_TIME = "snapshotOpenTime";
    /** Followed by a set of transactions (GTIDs) that are in the snapshot; others may be too. */
    public static final String CONTAINS_AT_LEAST = "snapshotContainsAtLeastGtids.";

    // Sets of many sources get long.
    private static final int LONGEST_SET = 1000;

    private SnapshotMetrics()
    {}

    public static Metrics of(ScanSnapshot snapshot, Duration openTime)
    {
        ImmutableMap.Builder<String, Metric<?>> metrics = ImmutableMap.<String, Metric<?>>builder()
                .put(SCANS_BY_LEVEL + snapshot.level(), new LongCount(1))
                .put(OPEN_TIME, new DurationTiming(openTime));
        if (snapshot instanceof ScanSnapshot.Exact exact) {
            metrics.put(AGE, new DurationTiming(exact.age()));
            exact.containsAtLeast().ifPresent(set -> metrics.put(CONTAINS_AT_LEAST + abbreviated(set), new LongCount(1)));
        }
        return new Metrics(metrics.buildOrThrow());
    }

    // Cut at a comma, what is left is a set too.
    private static String abbreviated(String set)
    {
        return set.length() <= LONGEST_SET ? set : set.substring(0, set.lastIndexOf(',', LONGEST_SET) + 1) + "...";
    }
}
