package io.mysqlpq.trino.connection;

import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;

import java.util.Map;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/** Says how this node connects for planning and range reads. */
public record ConnectionSettings(
        String catalog,
        String url,
        Map<String, String> driverProperties,
        SessionSetup sessionSetup,
        int maxConnections,
        Duration queueTimeout,
        Duration waitTimeout,
        Duration planningTimeout,
        Duration replyTimeout,
        Duration idleTimeout,
        Duration maxLifetime)
{
    public ConnectionSettings
    {
        requireNonNull(catalog, "catalog is null");
        requireNonNull(url, "url is null");
        driverProperties = ImmutableMap.copyOf(driverProperties);
        requireNonNull(sessionSetup, "sessionSetup is null");
        requireNonNull(queueTimeout, "queueTimeout is null");
        requireNonNull(waitTimeout, "waitTimeout is null");
        requireNonNull(planningTimeout, "planningTimeout is null");
        requireNonNull(replyTimeout, "replyTimeout is null");
        requireNonNull(idleTimeout, "idleTimeout is null");
        requireNonNull(maxLifetime, "maxLifetime is null");
        checkArgument(maxConnections > 0, "maxConnections is not positive: %s", maxConnections);
    }
}
