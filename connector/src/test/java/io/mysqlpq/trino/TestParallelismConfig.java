package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import jakarta.validation.constraints.Min;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;

class TestParallelismConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(ParallelismConfig.class)
                .setParallelMinRows(0)
                .setMaxConnectionsPerQuery(100_000));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.of("parallel-min-rows", "1000", "max-connections-per-query", "4"),
                new ParallelismConfig()
                        .setParallelMinRows(1000)
                        .setMaxConnectionsPerQuery(4));
    }

    @Test
    void testValidation()
    {
        assertFailsValidation(new ParallelismConfig().setParallelMinRows(-1), "parallelMinRows", "must be greater than or equal to 0", Min.class);
        assertFailsValidation(new ParallelismConfig().setMaxConnectionsPerQuery(0), "maxConnectionsPerQuery", "must be greater than or equal to 1", Min.class);
    }
}
