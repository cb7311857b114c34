package io.mysqlpq.trino.connection;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.NodeManager;
import io.trino.testing.TestingNodeManager;

import static java.util.concurrent.TimeUnit.MINUTES;

/** Makes the parts of a node that is coordinator and worker at once, for tests of single ones. */
public final class TestingConnections
{
    public static final Duration QUEUE_TIMEOUT = new Duration(1, MINUTES);

    private TestingConnections()
    {}

    /** Pools that no limit of the server's keeps from anything. */
    public static ConnectionPools pools(ConnectionSettings settings, CredentialProvider credentials)
    {
        return pools(settings, credentials, 1000);
    }

    public static ConnectionPools pools(ConnectionSettings settings, CredentialProvider credentials, int maxConnectionsPerServer)
    {
        return new ConnectionPools(settings, credentials, node(settings, maxConnectionsPerServer), new EndedQueries(), OpenTelemetry.noop());
    }

    public static NodeConnections node(ConnectionSettings settings, int maxConnectionsPerServer)
    {
        return node(settings, maxConnectionsPerServer, TestingNodeManager.create());
    }

    static NodeConnections node(ConnectionSettings settings, int maxConnectionsPerServer, NodeManager nodes)
    {
        ConnectionClock clock = new ConnectionClock(settings);
        ConnectionShares shares = new ConnectionShares(nodes, maxConnectionsPerServer, settings.maxConnections(), Ticker.systemTicker());
        return new NodeConnections(settings, shares, new ConnectionPermits(settings, clock), clock);
    }
}
