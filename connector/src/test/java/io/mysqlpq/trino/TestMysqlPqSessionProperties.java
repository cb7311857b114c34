package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangeSource;
import io.trino.spi.TrinoException;
import io.trino.spi.session.PropertyMetadata;
import io.trino.testing.TestingConnectorSession;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestMysqlPqSessionProperties
{
    private final MysqlPqConfig config = new MysqlPqConfig().setParallelReadsEnabled(true).setTargetRowsPerSplit(42);
    private final MysqlPqSessionProperties properties = new MysqlPqSessionProperties(config);

    @Test
    void testDefaultsComeFromTheCatalog()
    {
        assertThat(options(ImmutableMap.of())).isEqualTo(new PlanningOptions(true, RangeSource.AUTO, 42, 128));
    }

    @Test
    void testSessionOverridesTheCatalog()
    {
        assertThat(options(ImmutableMap.of(
                "parallel_reads_enabled", false,
                "range_source", "NONE",
                "target_rows_per_split", 7L,
                "max_ranges_per_scan", 9)))
                .isEqualTo(new PlanningOptions(false, RangeSource.NONE, 7, 9));
    }

    @Test
    void testValidation()
    {
        assertThatThrownBy(() -> decode("target_rows_per_split", 0L)).isInstanceOf(TrinoException.class).hasMessageContaining("target_rows_per_split");
        assertThatThrownBy(() -> decode("max_ranges_per_scan", 0)).isInstanceOf(TrinoException.class).hasMessageContaining("max_ranges_per_scan");
        assertThatThrownBy(() -> decode("max_ranges_per_scan", 4097)).isInstanceOf(TrinoException.class).hasMessageContaining("4097");
    }

    private PlanningOptions options(Map<String, Object> values)
    {
        return MysqlPqSessionProperties.planningOptions(TestingConnectorSession.builder()
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
