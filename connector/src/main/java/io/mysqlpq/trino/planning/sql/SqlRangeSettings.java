package io.mysqlpq.trino.planning.sql;

import io.airlift.units.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Limits what planning by SQL may cost.
 *
 * @param maxStatements statements of one plan
 * @param timeLimit after which planning goes on with the ranges that it has
 * @param timeToLive how long a plan is kept
 */
public record SqlRangeSettings(int maxStatements, Duration timeLimit, Duration timeToLive)
{
    public SqlRangeSettings
    {
        checkArgument(maxStatements > 0, "maxStatements is not positive: %s", maxStatements);
        requireNonNull(timeLimit, "timeLimit is null");
        requireNonNull(timeToLive, "timeToLive is null");
    }
}
