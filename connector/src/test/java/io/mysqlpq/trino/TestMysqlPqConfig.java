package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.trino.planning.RangeSource;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestMysqlPqConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(MysqlPqConfig.class)
                .setParallelReadsEnabled(false)
                .setRangeSource(RangeSource.AUTO)
                .setTargetRowsPerSplit(100_000)
                .setMaxRangesPerScan(128)
                .setMaxConnectionsPerNode(16)
                .setConnectionWaitTimeout(new Duration(30, SECONDS))
                .setPlanningTimeout(new Duration(1, MINUTES))
                .setConnectionIdleTimeout(new Duration(1, MINUTES))
                .setNetWriteTimeout(new Duration(60, MINUTES))
                .setExtensionProbeTtl(new Duration(1, MINUTES)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("parallel-reads-enabled", "true")
                .put("range-source", "EXTENSION")
                .put("target-rows-per-split", "5")
                .put("max-ranges-per-scan", "7")
                .put("max-connections-per-node", "3")
                .put("connection-wait-timeout", "2s")
                .put("planning-timeout", "3s")
                .put("connection-idle-timeout", "20s")
                .put("net-write-timeout", "90s")
                .put("extension-probe-ttl", "4s")
                .buildOrThrow();
        assertFullMapping(properties, new MysqlPqConfig()
                .setParallelReadsEnabled(true)
                .setRangeSource(RangeSource.EXTENSION)
                .setTargetRowsPerSplit(5)
                .setMaxRangesPerScan(7)
                .setMaxConnectionsPerNode(3)
                .setConnectionWaitTimeout(new Duration(2, SECONDS))
                .setPlanningTimeout(new Duration(3, SECONDS))
                .setConnectionIdleTimeout(new Duration(20, SECONDS))
                .setNetWriteTimeout(new Duration(90, SECONDS))
                .setExtensionProbeTtl(new Duration(4, SECONDS)));
    }
}
