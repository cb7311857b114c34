package io.mysqlpq.trino.sharing;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static io.airlift.units.DataSize.Unit.GIGABYTE;
import static io.airlift.units.DataSize.Unit.MEGABYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestSharedReadsConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(SharedReadsConfig.class)
                .setSharedReadsMemory(DataSize.of(256, MEGABYTE))
                .setSharedReadsWait(new Duration(10, SECONDS))
                .setReadReusePieceRows(2048)
                .setReadReuseEnabled(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("shared-reads-memory", "3GB")
                .put("shared-reads-wait", "7s")
                .put("read-reuse-piece-rows", "77")
                .put("read-reuse-enabled", "false")
                .buildOrThrow();
        assertFullMapping(properties, new SharedReadsConfig()
                .setSharedReadsMemory(DataSize.of(3, GIGABYTE))
                .setSharedReadsWait(new Duration(7, SECONDS))
                .setReadReusePieceRows(77)
                .setReadReuseEnabled(false));
    }
}
