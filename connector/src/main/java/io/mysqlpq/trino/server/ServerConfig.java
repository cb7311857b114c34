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
    @ConfigDescription("How long a node caches whether MySQL has the extension, and its version")
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
    @ConfigDescription("Maximum number of tables whose columns and unique keys are cached; 0 disables the cache")
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
    @ConfigDescription("How long unique keys are cached to recognize point lookups")
    public ServerConfig setRememberedKeysTtl(Duration rememberedKeysTtl)
    {
        this.rememberedKeysTtl = rememberedKeysTtl;
        return this;
    }
}
