package io.mysqlpq.trino.throttle;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.plugin.base.session.PropertyMetadataUtil.durationProperty;
import static io.trino.spi.session.PropertyMetadata.enumProperty;

/** Declares how stale a replica a query accepts. */
public class ThrottleSessionProperties
        implements SessionPropertiesProvider
{
    private static final String MAX_REPLICA_LAG = "max_replica_lag";
    private static final String REPLICA_LAG_HANDLING = "replica_lag_handling";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public ThrottleSessionProperties(ThrottleConfig config)
    {
        properties = ImmutableList.of(
                durationProperty(
                        MAX_REPLICA_LAG,
                        "Maximum lag of the replica when the query begins; 0ms accepts any lag",
                        config.getMaxReplicaLag(),
                        false),
                enumProperty(
                        REPLICA_LAG_HANDLING,
                        "If the replica lags more than max_replica_lag: REFUSE fails the query, WAIT waits up to throttle-wait-timeout",
                        LagHandling.class,
                        config.getReplicaLagHandling(),
                        false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static Duration maxReplicaLag(ConnectorSession session)
    {
        return session.getProperty(MAX_REPLICA_LAG, Duration.class);
    }

    static LagHandling replicaLagHandling(ConnectorSession session)
    {
        return session.getProperty(REPLICA_LAG_HANDLING, LagHandling.class);
    }
}
