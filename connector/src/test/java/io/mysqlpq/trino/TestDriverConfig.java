package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

class TestDriverConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(DriverConfig.class)
                .setAutoReconnect(true)
                .setMaxReconnects(3)
                .setConnectionTimeout(new Duration(10, SECONDS))
                .setUseInformationSchema(true));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        assertFullMapping(
                ImmutableMap.of(
                        "mysql.auto-reconnect", "false",
                        "mysql.max-reconnects", "4",
                        "mysql.connection-timeout", "4s",
                        "mysql.jdbc.use-information-schema", "false"),
                new DriverConfig()
                        .setAutoReconnect(false)
                        .setMaxReconnects(4)
                        .setConnectionTimeout(new Duration(4, SECONDS))
                        .setUseInformationSchema(false));
    }

    @Test
    void testDriverProperties()
    {
        DriverConfig config = new DriverConfig().setMaxReconnects(7).setConnectionTimeout(new Duration(4, SECONDS));
        assertThat(DriverProperties.local(config)).containsEntry("autoReconnect", "true").containsEntry("maxReconnects", "7").containsEntry("connectTimeout", "4000");
        // A login that gets no answer ends too.
        assertThat(DriverProperties.read(config)).containsEntry("connectTimeout", "4000").containsEntry("socketTimeout", "4000");
        assertThat(DriverProperties.local(config.setAutoReconnect(false))).doesNotContainKeys("autoReconnect", "maxReconnects");
        // A read that lost its connection has lost its snapshot too.
        assertThat(DriverProperties.read(new DriverConfig())).doesNotContainKey("autoReconnect");
    }
}
