package io.mysqlpq.trino.snapshot;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.MINUTES;

/** Says what the scans of a query see together, and limits what snapshots may cost the server. */
public class SnapshotConfig
{
    private SnapshotMode snapshotMode = SnapshotMode.AUTO;
    private Duration snapshotSessionTimeout = new Duration(1, MINUTES);
    private Duration snapshotGroupMaxAge = new Duration(10, MINUTES);
    private int maxSnapshotGroups = 100;

    @NotNull
    public SnapshotMode getSnapshotMode()
    {
        return snapshotMode;
    }

    @Config("snapshot-mode")
    @ConfigDescription("What a query's scans see together: AUTO (EXACT if the extension is present), EXACT (one moment, or fail), PER_SCAN, NONE")
    public SnapshotConfig setSnapshotMode(SnapshotMode snapshotMode)
    {
        this.snapshotMode = snapshotMode;
        return this;
    }

    @NotNull
    @MinDuration("10s")
    @MaxDuration("1h")
    public Duration getSnapshotSessionTimeout()
    {
        return snapshotSessionTimeout;
    }

    @Config("snapshot-session-timeout")
    @ConfigDescription("Time after which MySQL ends a snapshot whose coordinator is silent")
    public SnapshotConfig setSnapshotSessionTimeout(Duration snapshotSessionTimeout)
    {
        this.snapshotSessionTimeout = snapshotSessionTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1d")
    public Duration getSnapshotGroupMaxAge()
    {
        return snapshotGroupMaxAge;
    }

    @Config("snapshot-group-max-age")
    @ConfigDescription("Greatest age that a session may accept for the snapshot of its group")
    public SnapshotConfig setSnapshotGroupMaxAge(Duration snapshotGroupMaxAge)
    {
        this.snapshotGroupMaxAge = snapshotGroupMaxAge;
        return this;
    }

    @Min(1)
    @Max(10_000)
    public int getMaxSnapshotGroups()
    {
        return maxSnapshotGroups;
    }

    @Config("max-snapshot-groups")
    @ConfigDescription("Snapshot groups that may hold a snapshot at the same time")
    public SnapshotConfig setMaxSnapshotGroups(int maxSnapshotGroups)
    {
        this.maxSnapshotGroups = maxSnapshotGroups;
        return this;
    }
}
