package io.mysqlpq.trino.snapshot;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.trino.session.TestingProperties;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Test;

import java.util.Optional;

import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotOptions;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TestSnapshotSessionProperties
{
    private final TestingProperties properties = TestingProperties.of(new SnapshotSessionProperties(new SnapshotConfig()));

    @Test
    void testSnapshotOptions()
    {
        assertThat(snapshotOptions(properties.session(ImmutableMap.of()))).isEqualTo(new SnapshotOptions(SnapshotMode.AUTO, Optional.empty(), new Duration(1, MINUTES), Optional.empty()));
        assertThat(snapshotOptions(properties.session(ImmutableMap.of("snapshot_mode", "EXACT", "snapshot_group", "dashboard", "snapshot_group_age", "5m"))))
                .isEqualTo(new SnapshotOptions(SnapshotMode.EXACT, Optional.of("dashboard"), new Duration(5, MINUTES), Optional.empty()));
        assertThat(snapshotOptions(properties.session(ImmutableMap.of("snapshot_sharing_window", "2s"))))
                .isEqualTo(new SnapshotOptions(SnapshotMode.AUTO, Optional.of(""), new Duration(2, SECONDS), Optional.empty()));
        assertThat(snapshotOptions(properties.session(ImmutableMap.of("snapshot_sharing_window", "2s", "snapshot_group", "dashboard"))))
                .isEqualTo(new SnapshotOptions(SnapshotMode.AUTO, Optional.of("dashboard"), new Duration(1, MINUTES), Optional.empty()));
    }

    @Test
    void testValidation()
    {
        assertRefused("snapshot_group", " ", "snapshot_group");
        assertRefused("snapshot_group", "g".repeat(65), "64");
        assertRefused("snapshot_group_age", "11m", "between 1.00s and 10.00m, the catalog's snapshot-group-max-age: 11.00m");
        assertRefused("snapshot_group_age", "10ms", "snapshot_group_age");
        assertRefused("snapshot_sharing_window", "61s", "at most 1.00m: 61.00s");
    }

    private void assertRefused(String name, String value, String message)
    {
        assertThatThrownBy(() -> properties.decode(name, value)).isInstanceOf(TrinoException.class).hasMessageContaining(message);
    }
}
