package io.mysqlpq.trino.server;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestServerConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(ServerConfig.class)
                .setExtensionProbeTtl(new Duration(1, MINUTES))
                .setMaxRememberedTables(1000)
                .setRememberedKeysTtl(new Duration(1, MINUTES)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("extension-probe-ttl", "4s")
                .put("max-remembered-tables", "6")
                .put("remembered-keys-ttl", "7s")
                .buildOrThrow();
        assertFullMapping(properties, new ServerConfig()
                .setExtensionProbeTtl(new Duration(4, SECONDS))
                .setMaxRememberedTables(6)
                .setRememberedKeysTtl(new Duration(7, SECONDS)));
    }
}
