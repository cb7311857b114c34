package io.mysqlpq.trino.driver;

import com.google.inject.Binder;
import com.google.inject.Module;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.mysql.cj.jdbc.Driver;
import dev.failsafe.RetryPolicy;
import io.mysqlpq.trino.connection.ConnectionConfig;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.DriverLogin;
import io.opentelemetry.api.OpenTelemetry;
import io.trino.plugin.jdbc.BaseJdbcConfig;
import io.trino.plugin.jdbc.ConnectionFactory;
import io.trino.plugin.jdbc.DriverConnectionFactory;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.ForLazyConnectionFactory;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.LazyConnectionFactory;
import io.trino.plugin.jdbc.QueryConfig;
import io.trino.plugin.jdbc.RetryingConnectionFactory;
import io.trino.plugin.jdbc.credential.CredentialProvider;
import io.trino.spi.Node;

import java.sql.SQLException;
import java.util.Properties;

import static com.google.common.collect.Maps.fromProperties;
import static com.google.inject.multibindings.Multibinder.newSetBinder;
import static com.mysql.cj.conf.PropertyKey.autoReconnect;
import static com.mysql.cj.conf.PropertyKey.socketTimeout;
import static io.airlift.configuration.ConfigBinder.configBinder;

/** Binds the connections of base-jdbc, and how the driver is configured. */
public final class DriverModule
        implements Module
{
    @Override
    public void configure(Binder binder)
    {
        configBinder(binder).bindConfig(MysqlPqJdbcConfig.class);
        configBinder(binder).bindConfig(DriverConfig.class);
        newSetBinder(binder, JdbcQueryEventListener.class).addBinding().to(ReusedConnections.class);
    }

    @Provides
    @Singleton
    @ForBaseJdbc
    static ConnectionFactory connectionFactory(BaseJdbcConfig config, DriverConfig driverConfig, ConnectionConfig limits, CredentialProvider credentialProvider, OpenTelemetry openTelemetry, ConnectionPools pools)
            throws SQLException
    {
        UrlProperties url = UrlProperties.of(config.getConnectionUrl());
        return new LocalZoneConnections(
                driverConnections(config, DriverProperties.local(driverConfig, url), limits, credentialProvider, openTelemetry, pools),
                driverConnections(config, DriverProperties.utc(driverConfig, url), limits, credentialProvider, openTelemetry, pools));
    }

    // These take the place of base-jdbc's connections, which remain unused.
    @Provides
    @Singleton
    static ReusedConnections reusedConnections(@ForLazyConnectionFactory ConnectionFactory connections, ConnectionPools pools, QueryConfig config, Node node)
    {
        return new ReusedConnections(new LazyConnectionFactory(connections), pools, config.isReuseConnection() && node.isCoordinator());
    }

    @Provides
    @Singleton
    static UtcConnections utcConnections(
            BaseJdbcConfig config,
            DriverConfig driverConfig,
            ConnectionConfig limits,
            CredentialProvider credentialProvider,
            OpenTelemetry openTelemetry,
            ConnectionPools pools,
            RetryPolicy<Object> retryPolicy)
            throws SQLException
    {
        return new UtcConnections(new RetryingConnectionFactory(driverConnections(config, DriverProperties.utc(driverConfig, UrlProperties.of(config.getConnectionUrl())), limits, credentialProvider, openTelemetry, pools), retryPolicy));
    }

    private static ConnectionFactory driverConnections(BaseJdbcConfig config, Properties properties, ConnectionConfig limits, CredentialProvider credentialProvider, OpenTelemetry openTelemetry, ConnectionPools pools)
            throws SQLException
    {
        Properties once = new Properties();
        once.putAll(properties);
        once.setProperty(autoReconnect.getKeyName(), "false");
        ConnectionFactory connections = new ExactTextConnections(PreparedConnections.complete(new ExplainedConnections(new MetadataConnections(
                driverConnections(config, properties, credentialProvider, openTelemetry),
                driverConnections(config, once, credentialProvider, openTelemetry),
                pools)), limits.getTableLockTimeout()));
        // A user who limits replies in the URL has chosen that limit.
        return UrlProperties.of(config.getConnectionUrl()).sets(socketTimeout) ? connections : PreparedConnections.replyLimited(connections, limits.getReplyTimeout());
    }

    private static ConnectionFactory driverConnections(BaseJdbcConfig config, Properties properties, CredentialProvider credentialProvider, OpenTelemetry openTelemetry)
            throws SQLException
    {
        return DriverConnectionFactory.builder(new Driver(), config.getConnectionUrl(), credentialProvider)
                .setConnectionProperties(properties)
                .setOpenTelemetry(openTelemetry)
                .build();
    }

    @Provides
    @Singleton
    static DriverLogin driverLogin(BaseJdbcConfig config, DriverConfig driverConfig)
    {
        return new DriverLogin(ServerUrl.server(config.getConnectionUrl()), config.getConnectionUrl(), fromProperties(DriverProperties.read(driverConfig, UrlProperties.of(config.getConnectionUrl()))));
    }
}
