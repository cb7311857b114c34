package io.mysqlpq.trino.load;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

class TestLoadConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(LoadConfig.class).setLoadDataEnabled(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(ImmutableMap.of("load-data-enabled", "false"), new LoadConfig().setLoadDataEnabled(false));
    }
}
