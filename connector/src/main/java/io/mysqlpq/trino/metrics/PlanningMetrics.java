package io.mysqlpq.trino.metrics;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.trino.plugin.base.metrics.DurationTiming;
import io.trino.plugin.base.metrics.LongCount;
import io.trino.spi.metrics.Metric;
import io.trino.spi.metrics.Metrics;

import java.util.Optional;

/** Names what EXPLAIN ANALYZE VERBOSE shows of a scan's planning. */
public final class PlanningMetrics
{
    public static final String RANGES_PLANNED = "rangesPlanned";
    public static final String PLANNING_TIME = "rangePlanningTime";
    public static final String FILTER_WAIT_TIME = "dynamicFilterWaitTime";
    /** The wait for one of the connections that may hold a snapshot. */
    public static final String QUEUE_TIME = "connectionQueueTime";
    /** How many servers a scan reads from, if there are several. */
    public static final String SERVERS_READ = "serversRead";
    public static final String PAGES_READ = "rangePlanningPagesRead";
    /** Followed by the index's name. */
    public static final String SCANS_BY_INDEX = "scansByRangesOfIndex.";
    /** Followed by the reason. */
    public static final String SCANS_AS_ONE_SPLIT = "scansAsOneSplit.";
    /** Followed by the cause. */
    public static final String SCANS_WITHOUT_EXTENSION = "scansWithoutExtension.";

    private PlanningMetrics()
    {}

    public static Metrics ranges(String index, int ranges, int pagesRead, Duration planningTime)
    {
        return new Metrics(ImmutableMap.of(
                RANGES_PLANNED, new LongCount(ranges),
                PAGES_READ, new LongCount(pagesRead),
                SCANS_BY_INDEX + index, new LongCount(1),
                PLANNING_TIME, new DurationTiming(planningTime)));
    }

    /** The time from Trino's making of the scan until it asked for ranges. By then joins had told what they need of the scan, or Trino no longer waited. */
    public static Metrics filterWait(Duration time)
    {
        return new Metrics(ImmutableMap.of(FILTER_WAIT_TIME, new DurationTiming(time)));
    }

    /** The time until the query had a connection for its snapshot. All of its scans wait for the same connection. */
    public static Metrics queueTime(Duration time)
    {
        return new Metrics(ImmutableMap.of(QUEUE_TIME, new DurationTiming(time)));
    }

    public static Metrics servers(int count)
    {
        return new Metrics(ImmutableMap.of(SERVERS_READ, new LongCount(count)));
    }

    public static Metrics oneSplit(String reason, Optional<String> fallbackCause, Duration planningTime)
    {
        ImmutableMap.Builder<String, Metric<?>> metrics = ImmutableMap.builder();
        metrics.put(RANGES_PLANNED, new LongCount(0));
        metrics.put(PLANNING_TIME, new DurationTiming(planningTime));
        metrics.put(SCANS_AS_ONE_SPLIT + reason, new LongCount(1));
        fallbackCause.ifPresent(cause -> metrics.put(SCANS_WITHOUT_EXTENSION + cause, new LongCount(1)));
        return new Metrics(metrics.buildOrThrow());
    }
}
