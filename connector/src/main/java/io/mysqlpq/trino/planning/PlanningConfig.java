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
    private int replicasPerQuery = 1;
    private boolean hypergraphOptimizerEnabled = true;

    public boolean isParallelReadsEnabled()
    {
        return parallelReadsEnabled;
    }

    @Config("parallel-reads-enabled")
    @ConfigDescription("Read tables by several key ranges in parallel")
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
    @ConfigDescription("Source of ranges: AUTO (the extension; SQL if it is absent and snapshot-mode is NONE), EXTENSION (or fail), SQL, NONE (one split)")
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
    @ConfigDescription("Target number of rows per range; smaller tables are one split")
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
    @ConfigDescription("Maximum number of ranges of one table scan")
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
    @ConfigDescription("Minimum estimated rows for parallel reads, after the filter on the index; 0 leaves it to target-rows-per-split")
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
    @ConfigDescription("Maximum number of connections that read one query, on all nodes together; each scan may have one on each node")
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
    @ConfigDescription("Use MySQL's hypergraph optimizer for ranges of integer keys if it reads only the range")
    public PlanningConfig setHypergraphOptimizerEnabled(boolean hypergraphOptimizerEnabled)
    {
        this.hypergraphOptimizerEnabled = hypergraphOptimizerEnabled;
        return this;
    }

    @Min(1)
    @Max(64)
    public int getReplicasPerQuery()
    {
        return replicasPerQuery;
    }

    @Config("replicas-per-query")
    @ConfigDescription("Most replicas that one query reads from at one moment")
    public PlanningConfig setReplicasPerQuery(int replicasPerQuery)
    {
        this.replicasPerQuery = replicasPerQuery;
        return this;
    }
}
