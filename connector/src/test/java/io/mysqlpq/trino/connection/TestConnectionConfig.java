package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestConnectionConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(ConnectionConfig.class)
                .setMaxConnectionsPerNode(16)
                .setMaxConnectionsPerServer(100)
                .setConnectionQueueTimeout(new Duration(10, MINUTES))
                .setConnectionWaitTimeout(new Duration(45, SECONDS))
                .setPlanningTimeout(new Duration(1, MINUTES))
                .setReplyTimeout(new Duration(1, DAYS))
                .setConnectionIdleTimeout(new Duration(10, SECONDS))
                .setConnectionMaxLifetime(new Duration(2, MINUTES))
                .setNetWriteTimeout(new Duration(60, MINUTES))
                .setTableLockTimeout(new Duration(10, SECONDS)));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("max-connections-per-node", "3")
                .put("max-connections-per-server", "30")
                .put("connection-queue-timeout", "3m")
                .put("connection-wait-timeout", "2s")
                .put("planning-timeout", "3s")
                .put("reply-timeout", "6m")
                .put("connection-idle-timeout", "20s")
                .put("connection-max-lifetime", "40s")
                .put("net-write-timeout", "90s")
                .put("table-lock-timeout", "5s")
                .buildOrThrow();
        assertFullMapping(properties, new ConnectionConfig()
                .setMaxConnectionsPerNode(3)
                .setMaxConnectionsPerServer(30)
                .setConnectionQueueTimeout(new Duration(3, MINUTES))
                .setConnectionWaitTimeout(new Duration(2, SECONDS))
                .setPlanningTimeout(new Duration(3, SECONDS))
                .setReplyTimeout(new Duration(6, MINUTES))
                .setConnectionIdleTimeout(new Duration(20, SECONDS))
                .setConnectionMaxLifetime(new Duration(40, SECONDS))
                .setNetWriteTimeout(new Duration(90, SECONDS))
                .setTableLockTimeout(new Duration(5, SECONDS)));
    }
}
