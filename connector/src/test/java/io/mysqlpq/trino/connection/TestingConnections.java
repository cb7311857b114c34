package io.mysqlpq.trino.connection;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.NodeManager;
import io.trino.spi.catalog.CatalogName;
import io.trino.testing.TestingNodeManager;

import java.util.Optional;

import static java.util.concurrent.TimeUnit.MINUTES;

/** Makes the parts of a node that is coordinator and worker at once, for tests of single ones. */
public final class TestingConnections
{
    public static final CatalogName CATALOG = new CatalogName("test");
    public static final Duration QUEUE_TIMEOUT = new Duration(1, MINUTES);

    // More than any test has.
    private static final int NO_LIMIT = 1000;

    private TestingConnections()
    {}

    /** A configuration in which all waits have the same limit. */
    public static ConnectionConfig config(int maxConnectionsPerNode, Duration limit)
    {
        return new ConnectionConfig()
                .setMaxConnectionsPerNode(maxConnectionsPerNode)
                .setMaxConnectionsPerServer(NO_LIMIT)
                .setConnectionQueueTimeout(limit)
                .setConnectionWaitTimeout(limit)
                .setPlanningTimeout(limit)
                .setReplyTimeout(limit)
                .setConnectionIdleTimeout(limit)
                .setConnectionMaxLifetime(limit)
                .setNetWriteTimeout(limit)
                .setTableLockTimeout(limit);
    }

    public static ConnectionPools pools(String url, ConnectionConfig config, CredentialProvider credentials)
    {
        return pools(new DriverLogin(Optional.empty(), url, ImmutableMap.of()), config, credentials);
    }

    public static ConnectionPools pools(DriverLogin login, ConnectionConfig config, CredentialProvider credentials)
    {
        return new ConnectionPools(CATALOG, login, config, credentials, node(config), new EndedQueries(), OpenTelemetry.noop());
    }

    public static NodeConnections node(ConnectionConfig config)
    {
        return node(config, TestingNodeManager.create());
    }

    static NodeConnections node(ConnectionConfig config, NodeManager nodes)
    {
        ConnectionClock clock = new ConnectionClock(CATALOG);
        return new NodeConnections(config, new ConnectionShares(nodes, config, Ticker.systemTicker()), new ConnectionPermits(config, clock), clock);
    }
}
