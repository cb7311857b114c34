package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RangeMetrics;

/**
 * Tells what a scan read.
 *
 * @param rows 0 if they were not counted
 * @param ranges how even they were, where Trino read by ranges
 */
record ScanFacts(long rows, RangeMetrics ranges)
{
    static final ScanFacts NONE = new ScanFacts(0, RangeMetrics.NONE);
}
