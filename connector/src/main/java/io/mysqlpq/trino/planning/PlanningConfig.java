package io.mysqlpq.trino.planning;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

/** Says from when on, and how far, a scan is cut into ranges. */
public class PlanningConfig
{
    static final int MOST_CONNECTIONS = 100_000;

    private boolean parallelReadsEnabled = true;
    private RangeSource rangeSource = RangeSource.AUTO;
    private long targetRowsPerSplit = 500_000;
    private int maxRangesPerScan = 128;
    private long parallelMinRows;
    private int maxConnectionsPerQuery = MOST_CONNECTIONS;
    private boolean hypergraphOptimizerEnabled = true;

    public boolean isParallelReadsEnabled()
    {
        return parallelReadsEnabled;
    }

    @Config("parallel-reads-enabled")
    @ConfigDescription("Read tables by several ranges at once")
    public PlanningConfig setParallelReadsEnabled(boolean parallelReadsEnabled)
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
    @ConfigDescription("Where ranges come from: AUTO (the extension, or SQL if it is absent and snapshot-mode is NONE), EXTENSION (or fail), SQL, NONE")
    public PlanningConfig setRangeSource(RangeSource rangeSource)
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
    public PlanningConfig setTargetRowsPerSplit(long targetRowsPerSplit)
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
    public PlanningConfig setMaxRangesPerScan(int maxRangesPerScan)
    {
        this.maxRangesPerScan = maxRangesPerScan;
        return this;
    }

    @Min(0)
    public long getParallelMinRows()
    {
        return parallelMinRows;
    }

    @Config("parallel-min-rows")
    @ConfigDescription("Estimated rows, after the filter on the index, from which on a scan is cut into ranges; 0 leaves it to target-rows-per-split")
    public PlanningConfig setParallelMinRows(long parallelMinRows)
    {
        this.parallelMinRows = parallelMinRows;
        return this;
    }

    @Min(1)
    @Max(MOST_CONNECTIONS)
    public int getMaxConnectionsPerQuery()
    {
        return maxConnectionsPerQuery;
    }

    @Config("max-connections-per-query")
    @ConfigDescription("Connections that all nodes together read one query through at once, shared out evenly; each of its scans may have one on each node")
    public PlanningConfig setMaxConnectionsPerQuery(int maxConnectionsPerQuery)
    {
        this.maxConnectionsPerQuery = maxConnectionsPerQuery;
        return this;
    }

    public boolean isHypergraphOptimizerEnabled()
    {
        return hypergraphOptimizerEnabled;
    }

    @Config("hypergraph-optimizer-enabled")
    @ConfigDescription("Read ranges of keys of integers by MySQL's hypergraph optimizer, where it reads no more than the range")
    public PlanningConfig setHypergraphOptimizerEnabled(boolean hypergraphOptimizerEnabled)
    {
        this.hypergraphOptimizerEnabled = hypergraphOptimizerEnabled;
        return this;
    }
}
