package io.mysqlpq.trino.types;

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;

class TestTypeConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(TypeConfig.class)
                .setExtendedTypes(false)
                .setInvalidDateHandling(InvalidDateHandling.ERROR));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("extended-types", "true")
                .put("invalid-date-handling", "NULL")
                .buildOrThrow();
        assertFullMapping(properties, new TypeConfig()
                .setExtendedTypes(true)
                .setInvalidDateHandling(InvalidDateHandling.NULL));
    }
}
