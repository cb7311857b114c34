package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.nativescan.NativeScanConfig;
import io.mysqlpq.trino.nativescan.NativeScanSessionProperties;
import io.mysqlpq.trino.session.TestingProperties;
import io.mysqlpq.trino.snapshot.SnapshotConfig;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.snapshot.SnapshotSessionProperties;
import io.mysqlpq.trino.types.TypeConfig;
import io.mysqlpq.trino.types.TypeSessionProperties;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestPlanningSessionProperties
{
    private final TestingProperties properties = TestingProperties.of(
            new PlanningSessionProperties(new PlanningConfig().setParallelReadsEnabled(true).setTargetRowsPerSplit(42).setParallelMinRows(1000).setMaxConnectionsPerQuery(50)),
            new SnapshotSessionProperties(new SnapshotConfig()),
            new NativeScanSessionProperties(new NativeScanConfig()),
            new TypeSessionProperties(new TypeConfig()));

    @Test
    void testDefaultsComeFromTheCatalog()
    {
        assertThat(options(ImmutableMap.of())).isEqualTo(new PlanningOptions(true, RangeSource.AUTO, 42, 128, 50, 1000, SnapshotMode.AUTO, true, true, true));
    }

    @Test
    void testSessionOverridesTheCatalog()
    {
        assertThat(options(ImmutableMap.of(
                "parallel_reads_enabled", false,
                "range_source", "NONE",
                "target_rows_per_split", 7L,
                "max_ranges_per_scan", 9,
                "max_connections_per_query", 3,
                "parallel_min_rows", 0L,
                "snapshot_mode", "NONE",
                "hypergraph_optimizer_enabled", false,
                "native_scan_enabled", false)))
                .isEqualTo(new PlanningOptions(false, RangeSource.NONE, 7, 9, 3, 0, SnapshotMode.NONE, false, false, false));
    }

    @Test
    void testValidation()
    {
        assertRefused("target_rows_per_split", 0L, "target_rows_per_split");
        assertRefused("max_ranges_per_scan", 0, "max_ranges_per_scan");
        assertRefused("max_ranges_per_scan", 4097, "4097");
        assertRefused("max_connections_per_query", 0, "max_connections_per_query");
        assertRefused("parallel_min_rows", -1L, "parallel_min_rows must not be negative: -1");
    }

    private void assertRefused(String name, Object value, String message)
    {
        assertThatThrownBy(() -> properties.decode(name, value)).isInstanceOf(TrinoException.class).hasMessageContaining(message);
    }

    private PlanningOptions options(Map<String, Object> values)
    {
        return PlanningSessionProperties.planningOptions(properties.session(values));
    }
}
