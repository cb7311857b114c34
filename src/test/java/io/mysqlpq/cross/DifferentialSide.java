package io.mysqlpq.cross;

import com.google.common.collect.ImmutableMap;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.mysqlpq.trino.metrics.ReadMetrics.RANGES_MERGED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_BY_DRIVER;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names a way to answer a query from MySQL, and draws the settings of one query that goes that way.
 */
enum DifferentialSide
{
    ONE_SPLIT(CrossCluster.CATALOG)
    {
        @Override
        Map<String, String> fixedProperties(Random random)
        {
            return Map.of("parallel_reads_enabled", "false", "native_scan_enabled", "" + random.nextBoolean());
        }

        @Override
        void assertUsed(Map<String, Long> counts)
        {
            assertThat(counts.get("scansAsOneSplit.PARALLEL_READS_OFF")).isPositive();
        }
    },
    NATIVE_RANGES(CrossCluster.CATALOG)
    {
        @Override
        Map<String, String> fixedProperties(Random random)
        {
            // Together, so that most aggregations, expressions and first rows are the extension's.
            String natively = "" + (random.nextInt(4) > 0);
            return Map.of(
                    "range_source", "EXTENSION",
                    "snapshot_mode", "EXACT",
                    "native_scan_enabled", "true",
                    "native_aggregation_enabled", natively,
                    "aggregation_pushdown_enabled", natively,
                    "complex_expression_pushdown", natively,
                    "topn_pushdown_enabled", natively,
                    "aggregation_parallelism", "4");
        }

        @Override
        void assertUsed(Map<String, Long> counts)
        {
            assertThat(counts.get(READ_NATIVELY)).isGreaterThan(counts.get(SPLITS_READ) / 4);
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(2 * counts.get("scansBySnapshotLevel.EXACT"));
        }
    },
    SQL_ROWS(CrossCluster.CATALOG)
    {
        @Override
        Map<String, String> fixedProperties(Random random)
        {
            return Map.of("range_source", "EXTENSION", "snapshot_mode", "EXACT", "native_scan_enabled", "false", "packet_decoding_enabled", "" + random.nextBoolean());
        }

        @Override
        void assertUsed(Map<String, Long> counts)
        {
            assertThat(counts).doesNotContainKey(READ_NATIVELY);
            assertThat(counts.get(READ_BY_DRIVER)).isPositive().isLessThan(counts.get(SPLITS_READ));
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(counts.get("scansBySnapshotLevel.EXACT"));
            assertThat(counts.get(RANGES_MERGED)).isPositive();
        }
    },
    /** The server does not have the extension. */
    WITHOUT_EXTENSION("without_extension")
    {
        @Override
        Map<String, String> fixedProperties(Random random)
        {
            return Map.of("snapshot_mode", "NONE", "range_source", random.nextBoolean() ? "SQL" : "AUTO", "packet_decoding_enabled", "" + random.nextBoolean());
        }

        @Override
        void assertUsed(Map<String, Long> counts)
        {
            assertThat(counts).doesNotContainKey(READ_NATIVELY);
            assertThat(counts.get(SPLITS_READ)).isGreaterThan(counts.get("scansBySnapshotLevel.NONE"));
        }
    };

    private static final List<String> FLAGS = List.of("join_pushdown_enabled", "aggregation_pushdown_enabled", "topn_pushdown_enabled", "complex_expression_pushdown", "hypergraph_optimizer_enabled", "native_aggregation_enabled");

    private final String catalog;

    DifferentialSide(String catalog)
    {
        this.catalog = catalog;
    }

    String catalog()
    {
        return catalog;
    }

    /** Draws the ways of one query: always the extension's, which has the most to get wrong, and another one. */
    static List<DifferentialSide> draw(Random random)
    {
        return List.of(NATIVE_RANGES, List.of(ONE_SPLIT, SQL_ROWS, WITHOUT_EXTENSION).get(random.nextInt(3)));
    }

    Map<String, String> properties(Random random)
    {
        Map<String, String> properties = new HashMap<>();
        FLAGS.forEach(flag -> properties.put(flag, "" + random.nextBoolean()));
        properties.put("join_pushdown_strategy", "EAGER");
        properties.put("domain_compaction_threshold", random.nextBoolean() ? "2" : "256");
        properties.put("dynamic_filtering_wait_timeout", random.nextBoolean() ? "0s" : "10s");
        properties.put("target_rows_per_split", "" + (1 << random.nextInt(9)));
        properties.put("max_ranges_per_scan", "" + (1 << (2 + random.nextInt(4))));
        properties.put("aggregation_max_groups", random.nextInt(3) == 0 ? "5" : "100000");
        properties.put("aggregation_parallelism", "" + (1 + random.nextInt(4)));
        properties.putAll(fixedProperties(random));
        return Map.copyOf(properties);
    }

    static Map<String, String> with(Map<String, String> drawn, Map<String, String> fixed)
    {
        return ImmutableMap.<String, String>builder().putAll(drawn).putAll(fixed).buildKeepingLast();
    }

    abstract Map<String, String> fixedProperties(Random random);

    /** Fails if no scan, or too few, went this way; the counts are sums over all queries. */
    abstract void assertUsed(Map<String, Long> counts);
}
