package io.mysqlpq.trino.planning;

import com.google.common.collect.ImmutableMap;
import jakarta.validation.constraints.Min;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.testing.ValidationAssertions.assertFailsValidation;

class TestPlanningConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(PlanningConfig.class)
                .setParallelReadsEnabled(true)
                .setRangeSource(RangeSource.AUTO)
                .setTargetRowsPerSplit(500_000)
                .setReplicasPerQuery(1)
                .setMaxRangesPerScan(128)
                .setParallelMinRows(0)
                .setMaxConnectionsPerQuery(100_000)
                .setHypergraphOptimizerEnabled(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("parallel-reads-enabled", "false")
                .put("range-source", "EXTENSION")
                .put("target-rows-per-split", "5")
                .put("replicas-per-query", "3")
                .put("max-ranges-per-scan", "7")
                .put("parallel-min-rows", "1000")
                .put("max-connections-per-query", "20")
                .put("hypergraph-optimizer-enabled", "false")
                .buildOrThrow();
        assertFullMapping(properties, new PlanningConfig()
                .setParallelReadsEnabled(false)
                .setRangeSource(RangeSource.EXTENSION)
                .setTargetRowsPerSplit(5)
                .setReplicasPerQuery(3)
                .setMaxRangesPerScan(7)
                .setParallelMinRows(1000)
                .setMaxConnectionsPerQuery(20)
                .setHypergraphOptimizerEnabled(false));
    }

    @Test
    void testValidation()
    {
        assertFailsValidation(new PlanningConfig().setParallelMinRows(-1), "parallelMinRows", "must be greater than or equal to 0", Min.class);
        assertFailsValidation(new PlanningConfig().setMaxConnectionsPerQuery(0), "maxConnectionsPerQuery", "must be greater than or equal to 1", Min.class);
    }
}
