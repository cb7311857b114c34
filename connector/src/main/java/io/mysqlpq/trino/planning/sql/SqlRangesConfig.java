package io.mysqlpq.trino.planning.sql;

import io.airlift.configuration.Config;
import io.airlift.configuration.ConfigDescription;
import io.airlift.units.Duration;
import io.airlift.units.MaxDuration;
import io.airlift.units.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;

import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Limits what planning by SQL may cost. */
public class SqlRangesConfig
{
    private int sqlPlanningMaxStatements = 64;
    private Duration sqlPlanningTimeLimit = new Duration(5, SECONDS);
    private Duration sqlRangesTtl = new Duration(10, MINUTES);

    @Min(10)
    @Max(10_000)
    public int getSqlPlanningMaxStatements()
    {
        return sqlPlanningMaxStatements;
    }

    @Config("sql-planning-max-statements")
    @ConfigDescription("Maximum number of statements to plan the ranges of one scan by SQL")
    public SqlRangesConfig setSqlPlanningMaxStatements(int sqlPlanningMaxStatements)
    {
        this.sqlPlanningMaxStatements = sqlPlanningMaxStatements;
        return this;
    }

    @NotNull
    @MinDuration("100ms")
    @MaxDuration("1h")
    public Duration getSqlPlanningTimeLimit()
    {
        return sqlPlanningTimeLimit;
    }

    @Config("sql-planning-time-limit")
    @ConfigDescription("Time limit of planning by SQL; it then uses the ranges found so far")
    public SqlRangesConfig setSqlPlanningTimeLimit(Duration sqlPlanningTimeLimit)
    {
        this.sqlPlanningTimeLimit = sqlPlanningTimeLimit;
        return this;
    }

    @NotNull
    @MinDuration("0ms")
    @MaxDuration("7d")
    public Duration getSqlRangesTtl()
    {
        return sqlRangesTtl;
    }

    @Config("sql-ranges-ttl")
    @ConfigDescription("How long ranges planned by SQL are cached")
    public SqlRangesConfig setSqlRangesTtl(Duration sqlRangesTtl)
    {
        this.sqlRangesTtl = sqlRangesTtl;
        return this;
    }
}
