package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangeSource;
import io.mysqlpq.trino.snapshot.SnapshotMode;
import io.mysqlpq.trino.snapshot.SnapshotOptions;
import io.mysqlpq.trino.types.InvalidDateHandling;
import io.mysqlpq.trino.types.TypeOptions;
import io.airlift.units.Duration;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Optional;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMysqlPqSessionProperties
{
    private final MysqlPqConfig config = new MysqlPqConfig().setParallelReadsEnabled(true).setTargetRowsPerSplit(42);
    private final MysqlPqSessionProperties properties = new MysqlPqSessionProperties(config, new ParallelismConfig().setParallelMinRows(1000).setMaxConnectionsPerQuery(50));

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
        assertThatThrownBy(() -> decode("target_rows_per_split", 0L)).isInstanceOf(TrinoException.class).hasMessageContaining("target_rows_per_split");
        assertThatThrownBy(() -> decode("max_ranges_per_scan", 0)).isInstanceOf(TrinoException.class).hasMessageContaining("max_ranges_per_scan");
        assertThatThrownBy(() -> decode("max_ranges_per_scan", 4097)).isInstanceOf(TrinoException.class).hasMessageContaining("4097");
        assertThatThrownBy(() -> decode("max_connections_per_query", 0)).isInstanceOf(TrinoException.class).hasMessageContaining("max_connections_per_query");
        assertThatThrownBy(() -> decode("parallel_min_rows", -1L)).isInstanceOf(TrinoException.class).hasMessageContaining("parallel_min_rows").hasMessageContaining("-1");
        assertThatThrownBy(() -> decode("snapshot_group", " ")).isInstanceOf(TrinoException.class).hasMessageContaining("snapshot_group");
        assertThatThrownBy(() -> decode("snapshot_group", "g".repeat(65))).isInstanceOf(TrinoException.class).hasMessageContaining("64");
        assertThatThrownBy(() -> decode("snapshot_group_age", "11m")).isInstanceOf(TrinoException.class).hasMessageContaining("snapshot-group-max-age").hasMessageContaining("11.00m");
        assertThatThrownBy(() -> decode("snapshot_group_age", "10ms")).isInstanceOf(TrinoException.class).hasMessageContaining("snapshot_group_age");
    }

    @Test
    void testSnapshotOptions()
    {
        assertThat(snapshotOptions(ImmutableMap.of())).isEqualTo(new SnapshotOptions(SnapshotMode.AUTO, Optional.empty(), new Duration(1, MINUTES)));
        assertThat(snapshotOptions(ImmutableMap.of("snapshot_mode", "EXACT", "snapshot_group", "dashboard", "snapshot_group_age", "5m")))
                .isEqualTo(new SnapshotOptions(SnapshotMode.EXACT, Optional.of("dashboard"), new Duration(5, MINUTES)));
    }

    @Test
    void testTypeOptions()
    {
        assertThat(typeOptions(ImmutableMap.of())).isEqualTo(new TypeOptions(false, InvalidDateHandling.ERROR));
        assertThat(typeOptions(ImmutableMap.of("extended_types", true, "invalid_date_handling", "NULL"))).isEqualTo(new TypeOptions(true, InvalidDateHandling.NULL));
    }

    private TypeOptions typeOptions(Map<String, Object> values)
    {
        return MysqlPqSessionProperties.typeOptions(TestingConnectorSession.builder()
                .setPropertyMetadata(properties.getSessionProperties())
                .setPropertyValues(values)
                .build());
    }

    private PlanningOptions options(Map<String, Object> values)
    {
        return MysqlPqSessionProperties.planningOptions(TestingConnectorSession.builder()
                .setPropertyMetadata(properties.getSessionProperties())
                .setPropertyValues(values)
                .build());
    }

    private SnapshotOptions snapshotOptions(Map<String, Object> values)
    {
        return MysqlPqSessionProperties.snapshotOptions(TestingConnectorSession.builder()
                .setPropertyMetadata(properties.getSessionProperties())
                .setPropertyValues(values)
                .build());
    }

    private Object decode(String name, Object value)
    {
        PropertyMetadata<?> property = properties.getSessionProperties().stream()
                .filter(candidate -> candidate.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return property.decode(value);
    }
}
