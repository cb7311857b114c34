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
import static java.util.concurrent.TimeUnit.SECONDS;

/** Says what the scans of a query see together, and limits what snapshots may cost the server. */
public class SnapshotConfig
{
    private SnapshotMode snapshotMode = SnapshotMode.AUTO;
    private Duration snapshotSessionTimeout = new Duration(1, MINUTES);
    private Duration snapshotGroupMaxAge = new Duration(10, MINUTES);
    private Duration snapshotSharingWindow = new Duration(0, SECONDS);
    private int maxSnapshotGroups = 100;

    @NotNull
    public SnapshotMode getSnapshotMode()
    {
        return snapshotMode;
    }

    @Config("snapshot-mode")
    @ConfigDescription("Consistency of a query: EXACT (one snapshot, or fail), AUTO (EXACT if the extension can, else PER_SCAN), PER_SCAN (one snapshot per scan), NONE (one per range)")
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
    @ConfigDescription("MySQL ends a snapshot if its coordinator is silent for this time")
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
    @ConfigDescription("Maximum value of the session property snapshot_group_age")
    public SnapshotConfig setSnapshotGroupMaxAge(Duration snapshotGroupMaxAge)
    {
        this.snapshotGroupMaxAge = snapshotGroupMaxAge;
        return this;
    }

    @NotNull
    @MaxDuration("1m")
    public Duration getSnapshotSharingWindow()
    {
        return snapshotSharingWindow;
    }

    @Config("snapshot-sharing-window")
    @ConfigDescription("Maximum age of the snapshot that queries of no group share; 0s gives each query its own")
    public SnapshotConfig setSnapshotSharingWindow(Duration snapshotSharingWindow)
    {
        this.snapshotSharingWindow = snapshotSharingWindow;
        return this;
    }

    @Min(1)
    @Max(10_000)
    public int getMaxSnapshotGroups()
    {
        return maxSnapshotGroups;
    }

    @Config("max-snapshot-groups")
    @ConfigDescription("Maximum number of groups that hold a snapshot at the same time")
    public SnapshotConfig setMaxSnapshotGroups(int maxSnapshotGroups)
    {
        this.maxSnapshotGroups = maxSnapshotGroups;
        return this;
    }
}
