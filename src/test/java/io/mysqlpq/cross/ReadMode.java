package io.mysqlpq.cross;

import java.util.Map;

import static io.mysqlpq.trino.metrics.ReadMetrics.RANGES_MERGED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_BY_DRIVER;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names a way to read the tables, with the settings that choose it and what shows that it was taken.
 */
enum ReadMode
{
    ONE_SPLIT("one split: range source none", Map.of("range_source", "NONE", "native_scan_enabled", "false", "aggregation_pushdown_enabled", "false"))
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(SPLITS_READ)).isEqualTo(scans);
            assertThat(counts).doesNotContainKey(READ_NATIVELY);
        }
    },
    DRIVER_ROWS("ranges of index PRIMARY from EXTENSION]", Map.of("packet_decoding_enabled", "false", "native_scan_enabled", "false", "aggregation_pushdown_enabled", "false"))
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(3 * scans);
            assertThat(counts.get(READ_BY_DRIVER)).isEqualTo(counts.get(SPLITS_READ));
        }
    },
    RAW_PACKETS("ranges of index PRIMARY from EXTENSION]", Map.of("native_scan_enabled", "false", "aggregation_pushdown_enabled", "false"))
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(3 * scans);
            assertThat(counts).doesNotContainKey(READ_BY_DRIVER);
            assertThat(counts).doesNotContainKey(READ_NATIVELY);
        }
    },
    NATIVE_BATCHES("ranges of index PRIMARY from EXTENSION, natively]", Map.of("native_aggregation_enabled", "false"))
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(3 * scans);
            assertReadNatively(counts);
        }
    },
    MERGED_AGGREGATES("aggregation merged from ranges of index PRIMARY from EXTENSION", Map.of("native_scan_enabled", "false"))
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(RANGES_MERGED)).isGreaterThan(2 * scans);
        }
    },
    NATIVE_AGGREGATES("aggregated natively in ranges of index PRIMARY from EXTENSION, natively]", Map.of())
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(RANGES_MERGED)).isGreaterThan(2 * scans);
            assertReadNatively(counts);
        }
    },
    SQL_RANGES("ranges of index PRIMARY from SQL", Map.of("range_source", "SQL", "native_scan_enabled", "false", "aggregation_pushdown_enabled", "false"))
    {
        @Override
        void assertUsed(Map<String, Long> counts, long scans)
        {
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(2 * scans);
            assertThat(counts).doesNotContainKey(READ_NATIVELY);
        }
    };

    private static void assertReadNatively(Map<String, Long> counts)
    {
        assertThat(counts.get(READ_NATIVELY) + counts.getOrDefault(UNCHANGED, 0L)).isGreaterThan(counts.get(SPLITS_READ) * 9 / 10);
    }

    private final String plan;
    private final Map<String, String> properties;

    ReadMode(String plan, Map<String, String> properties)
    {
        this.plan = plan;
        this.properties = properties;
    }

    /** What EXPLAIN says of a table with a primary key. */
    String plan()
    {
        return plan;
    }

    Map<String, String> properties()
    {
        return properties;
    }

    /** Fails if the scans were read in another way; the counts are their sums. */
    abstract void assertUsed(Map<String, Long> counts, long scans);
}
