package io.mysqlpq.trino.server;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.MINUTES;

/** Says how long, and of how many tables, facts about a server are remembered. */
public class ServerConfig
{
    private Duration extensionProbeTtl = new Duration(1, MINUTES);
    private int maxRememberedTables = 1000;
    private Duration rememberedKeysTtl = new Duration(1, MINUTES);

    @NotNull
    @MinDuration("0ms")
    public Duration getExtensionProbeTtl()
    {
        return extensionProbeTtl;
    }

    @Config("extension-probe-ttl")
    @ConfigDescription("Time for which the outcome of asking MySQL for the extension's version is remembered")
    public ServerConfig setExtensionProbeTtl(Duration extensionProbeTtl)
    {
        this.extensionProbeTtl = extensionProbeTtl;
        return this;
    }

    @Min(0)
    @Max(100_000)
    public int getMaxRememberedTables()
    {
        return maxRememberedTables;
    }

    @Config("max-remembered-tables")
    @ConfigDescription("Tables whose columns and unique keys are remembered across queries; 0 asks MySQL for them each time")
    public ServerConfig setMaxRememberedTables(int maxRememberedTables)
    {
        this.maxRememberedTables = maxRememberedTables;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    @MaxDuration("1h")
    public Duration getRememberedKeysTtl()
    {
        return rememberedKeysTtl;
    }

    @Config("remembered-keys-ttl")
    @ConfigDescription("Time for which a table's unique keys are remembered, by which look-ups are known")
    public ServerConfig setRememberedKeysTtl(Duration rememberedKeysTtl)
    {
        this.rememberedKeysTtl = rememberedKeysTtl;
        return this;
    }
}
