package io.mysqlpq.trino.snapshot;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import org.junit.jupiter.api.Test;

import java.util.Map;

import static io.airlift.configuration.testing.ConfigAssertions.assertFullMapping;
import static io.airlift.configuration.testing.ConfigAssertions.assertRecordedDefaults;
import static io.airlift.configuration.testing.ConfigAssertions.recordDefaults;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

class TestSnapshotConfig
{
    @Test
    void testDefaults()
    {
        assertRecordedDefaults(recordDefaults(SnapshotConfig.class)
                .setSnapshotMode(SnapshotMode.AUTO)
                .setSnapshotSessionTimeout(new Duration(1, MINUTES))
                .setSnapshotGroupMaxAge(new Duration(10, MINUTES))
                .setSnapshotSharingWindow(new Duration(0, SECONDS))
                .setMaxSnapshotGroups(100));
    }

    @Test
    void testExplicitPropertyMappings()
    {
        Map<String, String> properties = ImmutableMap.<String, String>builder()
                .put("snapshot-mode", "EXACT")
                .put("snapshot-session-timeout", "30s")
                .put("snapshot-group-max-age", "2m")
                .put("snapshot-sharing-window", "3s")
                .put("max-snapshot-groups", "8")
                .buildOrThrow();
        assertFullMapping(properties, new SnapshotConfig()
                .setSnapshotMode(SnapshotMode.EXACT)
                .setSnapshotSessionTimeout(new Duration(30, SECONDS))
                .setSnapshotGroupMaxAge(new Duration(2, MINUTES))
                .setSnapshotSharingWindow(new Duration(3, SECONDS))
                .setMaxSnapshotGroups(8));
    }
}
