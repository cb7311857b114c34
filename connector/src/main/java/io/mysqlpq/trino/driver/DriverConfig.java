package io.mysqlpq.trino.driver;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.SECONDS;

/** Holds the settings of the driver under the names that Trino's MySQL connector gives them. */
public class DriverConfig
{
    private boolean autoReconnect = true;
    private int maxReconnects = 3;
    private Duration connectionTimeout = new Duration(10, SECONDS);
    private boolean useInformationSchema = true;

    public boolean isAutoReconnect()
    {
        return autoReconnect;
    }

    @Config("mysql.auto-reconnect")
    @ConfigDescription("Let the driver reconnect lost connections for metadata, writes and SQL of users")
    public DriverConfig setAutoReconnect(boolean autoReconnect)
    {
        this.autoReconnect = autoReconnect;
        return this;
    }

    @Min(1)
    public int getMaxReconnects()
    {
        return maxReconnects;
    }

    @Config("mysql.max-reconnects")
    @ConfigDescription("Maximum number of attempts to reconnect")
    public DriverConfig setMaxReconnects(int maxReconnects)
    {
        this.maxReconnects = maxReconnects;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    @MaxDuration("24d")
    public Duration getConnectionTimeout()
    {
        return connectionTimeout;
    }

    @Config("mysql.connection-timeout")
    @ConfigDescription("Maximum wait for each answer of MySQL while a connection opens; 0s waits without limit")
    public DriverConfig setConnectionTimeout(Duration connectionTimeout)
    {
        this.connectionTimeout = connectionTimeout;
        return this;
    }

    public boolean isUseInformationSchema()
    {
        return useInformationSchema;
    }

    @Config("mysql.jdbc.use-information-schema")
    @ConfigDescription("Let the driver read metadata from information_schema instead of SHOW")
    public DriverConfig setUseInformationSchema(boolean useInformationSchema)
    {
        this.useInformationSchema = useInformationSchema;
        return this;
    }
}
