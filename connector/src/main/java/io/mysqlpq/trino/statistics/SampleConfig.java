package io.mysqlpq.trino.statistics;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.MINUTES;

/** Holds the settings of samples of rows, from which statistics are estimated. */
public class SampleConfig
{
    private int sampledRows = 2000;
    private Duration sampleTtl = new Duration(10, MINUTES);

    @Min(0)
    @Max(100_000)
    public int getSampledRows()
    {
        return sampledRows;
    }

    @Config("statistics.sampled-rows")
    @ConfigDescription("Number of rows sampled for statistics of columns without an index or histogram; 0 disables samples")
    public SampleConfig setSampledRows(int sampledRows)
    {
        this.sampledRows = sampledRows;
        return this;
    }

    @NotNull
    @MinDuration("1s")
    @MaxDuration("7d")
    public Duration getSampleTtl()
    {
        return sampleTtl;
    }

    @Config("statistics.sample-ttl")
    @ConfigDescription("How long a table's sample is cached for an account")
    public SampleConfig setSampleTtl(Duration sampleTtl)
    {
        this.sampleTtl = sampleTtl;
        return this;
    }
}
