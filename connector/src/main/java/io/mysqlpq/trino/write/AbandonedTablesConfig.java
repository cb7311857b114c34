package io.mysqlpq.trino.write;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.DAYS;

/** Says when a write's temporary table counts as left behind. */
public class AbandonedTablesConfig
{
    private Duration temporaryTableMaxAge = new Duration(7, DAYS);

    @NotNull
    @MinDuration("0ms")
    @MaxDuration("365d")
    public Duration getTemporaryTableMaxAge()
    {
        return temporaryTableMaxAge;
    }

    @Config("temporary-table-max-age")
    @ConfigDescription("Drop abandoned temporary tables of writes this long after their last row; 0ms never drops them")
    public AbandonedTablesConfig setTemporaryTableMaxAge(Duration temporaryTableMaxAge)
    {
        this.temporaryTableMaxAge = temporaryTableMaxAge;
        return this;
    }
}
