package io.mysqlpq.trino.aggregation;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

class TestAggregationConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(AggregationConfig.class)
                .setAggregationParallelism(4)
                .setAggregationMaxGroups(10_000)
                .setNativeAggregationEnabled(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("aggregation-parallelism", "9")
                .put("aggregation-max-groups", "11")
                .put("native-aggregation-enabled", "false")
                .buildOrThrow();
        assertFullMapping(properties, new AggregationConfig()
                .setAggregationParallelism(9)
                .setAggregationMaxGroups(11)
                .setNativeAggregationEnabled(false));
    }
}
