package io.mysqlpq.trino.aggregation;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** Limits what is aggregated by ranges. */
public class AggregationConfig
{
    private int aggregationParallelism = 4;
    private int aggregationMaxGroups = 10_000;
    private boolean nativeAggregationEnabled = true;

    @Min(1)
    @Max(64)
    public int getAggregationParallelism()
    {
        return aggregationParallelism;
    }

    @Config("aggregation-parallelism")
    @ConfigDescription("Number of ranges that one worker aggregates in parallel; 1 turns aggregations by ranges off")
    public AggregationConfig setAggregationParallelism(int aggregationParallelism)
    {
        this.aggregationParallelism = aggregationParallelism;
        return this;
    }

    @Min(1)
    @Max(1_000_000)
    public int getAggregationMaxGroups()
    {
        return aggregationMaxGroups;
    }

    @Config("aggregation-max-groups")
    @ConfigDescription("Expected groups up to which one worker merges those of all ranges")
    public AggregationConfig setAggregationMaxGroups(int aggregationMaxGroups)
    {
        this.aggregationMaxGroups = aggregationMaxGroups;
        return this;
    }

    public boolean isNativeAggregationEnabled()
    {
        return nativeAggregationEnabled;
    }

    @Config("native-aggregation-enabled")
    @ConfigDescription("Let the extension aggregate the rows that it reads natively")
    public AggregationConfig setNativeAggregationEnabled(boolean nativeAggregationEnabled)
    {
        this.nativeAggregationEnabled = nativeAggregationEnabled;
        return this;
    }
}
