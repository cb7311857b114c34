package io.mysqlpq.trino;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import io.mysqlpq.trino.planning.RangeSource;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Holds the catalog's own properties. docs/connector.md has one row for each. */
public class MysqlPqConfig
{
    // Off until all splits of a query share one snapshot.
    private boolean parallelReadsEnabled;
    private RangeSource rangeSource = RangeSource.AUTO;
    private long targetRowsPerSplit = 100_000;
    private int maxRangesPerScan = 128;
    private int maxConnectionsPerNode = 16;
    private Duration connectionWaitTimeout = new Duration(30, SECONDS);
    private Duration planningTimeout = new Duration(1, MINUTES);
    private Duration connectionIdleTimeout = new Duration(1, MINUTES);
    private Duration netWriteTimeout = new Duration(60, MINUTES);
    private Duration extensionProbeTtl = new Duration(1, MINUTES);

    public boolean isParallelReadsEnabled()
    {
        return parallelReadsEnabled;
    }

    @Config("parallel-reads-enabled")
    @ConfigDescription("Read tables by several ranges at once, each with its own view of the data")
    public MysqlPqConfig setParallelReadsEnabled(boolean parallelReadsEnabled)
    {
        this.parallelReadsEnabled = parallelReadsEnabled;
        return this;
    }

    @NotNull
    public RangeSource getRangeSource()
    {
        return rangeSource;
    }

    @Config("range-source")
    @ConfigDescription("Where ranges come from: AUTO (the extension if present), EXTENSION (or fail), NONE")
    public MysqlPqConfig setRangeSource(RangeSource rangeSource)
    {
        this.rangeSource = rangeSource;
        return this;
    }

    @Min(1)
    public long getTargetRowsPerSplit()
    {
        return targetRowsPerSplit;
    }

    @Config("target-rows-per-split")
    @ConfigDescription("Rows that a range should have; smaller tables are one split")
    public MysqlPqConfig setTargetRowsPerSplit(long targetRowsPerSplit)
    {
        this.targetRowsPerSplit = targetRowsPerSplit;
        return this;
    }

    @Min(1)
    @Max(4096)
    public int getMaxRangesPerScan()
    {
        return maxRangesPerScan;
    }

    @Config("max-ranges-per-scan")
    @ConfigDescription("Most ranges that one table scan is cut into")
    public MysqlPqConfig setMaxRangesPerScan(int maxRangesPerScan)
    {
        this.maxRangesPerScan = maxRangesPerScan;
        return this;
    }

    @Min(1)
    @Max(10_000)
    public int getMaxConnectionsPerNode()
    {
        return maxConnectionsPerNode;
    }

    @Config("max-connections-per-node")
    @ConfigDescription("Connections that a node reads through at once; each scan may always have one")
    public MysqlPqConfig setMaxConnectionsPerNode(int maxConnectionsPerNode)
    {
        this.maxConnectionsPerNode = maxConnectionsPerNode;
        return this;
    }

    @NotNull
    @MinDuration("250ms")
    @MaxDuration("1h")
    public Duration getConnectionWaitTimeout()
    {
        return connectionWaitTimeout;
    }

    @Config("connection-wait-timeout")
    @ConfigDescription("Longest wait for MySQL to accept a connection")
    public MysqlPqConfig setConnectionWaitTimeout(Duration connectionWaitTimeout)
    {
        this.connectionWaitTimeout = connectionWaitTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("1h")
    public Duration getPlanningTimeout()
    {
        return planningTimeout;
    }

    @Config("planning-timeout")
    @ConfigDescription("Longest wait for each of MySQL's replies while ranges are planned")
    public MysqlPqConfig setPlanningTimeout(Duration planningTimeout)
    {
        this.planningTimeout = planningTimeout;
        return this;
    }

    @NotNull
    @MinDuration("10s")
    @MaxDuration("1h")
    public Duration getConnectionIdleTimeout()
    {
        return connectionIdleTimeout;
    }

    @Config("connection-idle-timeout")
    @ConfigDescription("Time after which an idle connection is closed")
    public MysqlPqConfig setConnectionIdleTimeout(Duration connectionIdleTimeout)
    {
        this.connectionIdleTimeout = connectionIdleTimeout;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("365d")
    public Duration getNetWriteTimeout()
    {
        return netWriteTimeout;
    }

    @Config("net-write-timeout")
    @ConfigDescription("Longest time for which Trino may leave a running read unread before MySQL ends it")
    public MysqlPqConfig setNetWriteTimeout(Duration netWriteTimeout)
    {
        this.netWriteTimeout = netWriteTimeout;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    public Duration getExtensionProbeTtl()
    {
        return extensionProbeTtl;
    }

    @Config("extension-probe-ttl")
    @ConfigDescription("Time for which the outcome of asking MySQL for the extension's version is remembered")
    public MysqlPqConfig setExtensionProbeTtl(Duration extensionProbeTtl)
    {
        this.extensionProbeTtl = extensionProbeTtl;
        return this;
    }
}
