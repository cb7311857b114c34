package io.mysqlpq.trino.aggregation;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/** Limits what MySQL aggregates by ranges. */
public class AggregationConfig
{
    private int aggregationParallelism = 4;
    private int aggregationMaxGroups = 100_000;
    private boolean aggregationBeforeNativeScan;
    private boolean nativeAggregationEnabled;

    @Min(1)
    @Max(64)
    public int getAggregationParallelism()
    {
        return aggregationParallelism;
    }

    @Config("aggregation-parallelism")
    @ConfigDescription("Number of ranges that a pushed-down aggregation reads in parallel; 1 turns aggregations by ranges off")
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
    @ConfigDescription("Maximum number of groups merged from ranges; larger aggregations are one statement, or stay with Trino")
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
    @ConfigDescription("Let the extension aggregate the rows that it reads natively, if there are few groups")
    public AggregationConfig setNativeAggregationEnabled(boolean nativeAggregationEnabled)
    {
        this.nativeAggregationEnabled = nativeAggregationEnabled;
        return this;
    }

    public boolean isAggregationBeforeNativeScan()
    {
        return aggregationBeforeNativeScan;
    }

    @Config("aggregation-before-native-scan")
    @ConfigDescription("Push aggregations down to MySQL even if the extension can read the rows natively")
    public AggregationConfig setAggregationBeforeNativeScan(boolean aggregationBeforeNativeScan)
    {
        this.aggregationBeforeNativeScan = aggregationBeforeNativeScan;
        return this;
    }
}
