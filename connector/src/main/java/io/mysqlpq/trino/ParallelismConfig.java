package io.mysqlpq.trino;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** Holds the thresholds from which on a query is read in parallel, and how far. */
public class ParallelismConfig
{
    static final int MOST_CONNECTIONS = 100_000;

    private long parallelMinRows;
    private int maxConnectionsPerQuery = MOST_CONNECTIONS;

    @Min(0)
    public long getParallelMinRows()
    {
        return parallelMinRows;
    }

    @Config("parallel-min-rows")
    @ConfigDescription("Estimated rows, after the filter on the index, from which on a scan is cut into ranges; 0 leaves it to target-rows-per-split")
    public ParallelismConfig setParallelMinRows(long parallelMinRows)
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
    public ParallelismConfig setMaxConnectionsPerQuery(int maxConnectionsPerQuery)
    {
        this.maxConnectionsPerQuery = maxConnectionsPerQuery;
        return this;
    }
}
