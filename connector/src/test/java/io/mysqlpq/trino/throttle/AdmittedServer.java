package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableMap;
import io.airlift.units.Duration;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.TestingConnections;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.plugin.jdbc.credential.StaticCredentialProvider;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.testing.TestingConnectorSession;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import static java.util.concurrent.TimeUnit.SECONDS;

/** Asks for admission to a real server, as one node does. */
final class AdmittedServer
        implements AutoCloseable
{
    private static final Duration LIMIT = new Duration(10, SECONDS);

    private final ThrottleConfig config;
    private final ConnectionPools pools;
    private final ServerAdmission admission;

    AdmittedServer(MysqlServer mysql, ThrottleConfig config)
    {
        this(mysql, "root", "", config);
    }

    AdmittedServer(MysqlServer mysql, String user, String password, ThrottleConfig config)
    {
        this(mysql, new StaticCredentialProvider(Optional.of(user), Optional.of(password)), config);
    }

    AdmittedServer(MysqlServer mysql, CredentialProvider credentials, ThrottleConfig config)
    {
        this.config = config;
        pools = TestingConnections.pools(mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true", TestingConnections.config(4, LIMIT), credentials);
        admission = new ServerAdmission(pools, TestingConnections.CATALOG, RemoteQueryModifier.NONE, config, Ticker.systemTicker());
    }

    ServerAdmission admission()
    {
        return admission;
    }

    CompletableFuture<Void> query(Map<String, Object> sessionProperties)
    {
        return admission.admitQuery(session(sessionProperties));
    }

    CompletableFuture<Void> queryOf(String user)
    {
        return admission.admitQuery(session(user, ImmutableMap.of()));
    }

    CompletableFuture<Void> range()
    {
        return admission.admitRange(session(ImmutableMap.of()), () -> false);
    }

    ConnectorSession session(Map<String, Object> properties)
    {
        return session("user", properties);
    }

    private ConnectorSession session(String user, Map<String, Object> properties)
    {
        return TestingConnectorSession.builder()
                .setIdentity(ConnectorIdentity.ofUser(user))
                .setPropertyMetadata(new ThrottleSessionProperties(config).getSessionProperties())
                .setPropertyValues(properties)
                .build();
    }

    @Override
    public void close()
    {
        admission.close();
        pools.close();
    }
}
