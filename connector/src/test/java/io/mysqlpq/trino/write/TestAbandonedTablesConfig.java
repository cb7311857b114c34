package io.mysqlpq.trino.write;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

class TestAbandonedTablesConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(AbandonedTablesConfig.class).setTemporaryTableMaxAge(Duration.valueOf("7d")));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(ImmutableMap.of("temporary-table-max-age", "0ms"), new AbandonedTablesConfig().setTemporaryTableMaxAge(Duration.valueOf("0ms")));
    }
}
