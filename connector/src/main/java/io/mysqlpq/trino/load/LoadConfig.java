package io.mysqlpq.trino.load;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;

/** Says by which statements rows go to MySQL. */
public class LoadConfig
{
    private boolean loadDataEnabled = true;

    public boolean isLoadDataEnabled()
    {
        return loadDataEnabled;
    }

    @Config("load-data-enabled")
    @ConfigDescription("Write rows by LOAD DATA LOCAL where the MySQL server allows it (local_infile=ON); otherwise by INSERT")
    public LoadConfig setLoadDataEnabled(boolean loadDataEnabled)
    {
        this.loadDataEnabled = loadDataEnabled;
        return this;
    }
}
