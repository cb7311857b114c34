package io.mysqlpq.trino;

import com.google.common.base.Ticker;
import com.google.inject.Injector;
import io.airlift.bootstrap.Bootstrap;
import io.mysqlpq.trino.connection.DriverLogin;
import io.mysqlpq.trino.connection.ReadServer;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.driver.CredentialModule;
import io.mysqlpq.trino.driver.MarkedJdbcModule;
import io.mysqlpq.trino.driver.ServerUrl;
import io.mysqlpq.trino.routing.RoutedConnector;
import io.mysqlpq.trino.routing.RoutedQueries;
import io.mysqlpq.trino.routing.RoutingConfig;
import io.mysqlpq.trino.routing.ServerPart;
import io.mysqlpq.trino.sharing.SharedReads;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.mysqlpq.trino.split.ScanCopies;
import io.mysqlpq.trino.throttle.AppliedTransactions;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.plugin.jdbc.ExtraCredentialsBasedIdentityCacheMappingModule;
import io.trino.plugin.jdbc.JdbcJoinPushdownSupportModule;
import io.trino.spi.TrinoException;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import static io.trino.plugin.base.Versions.checkStrictSpiVersionMatch;
import static io.trino.spi.StandardErrorCode.CONFIGURATION_INVALID;
import static java.util.Locale.ENGLISH;
import static java.util.Objects.requireNonNull;

/** Creates catalogs of the connector {@code mysql_pq}. */
public class MysqlPqConnectorFactory
        implements ConnectorFactory
{
    private static final String NAME = "mysql_pq";
    private static final String URL = "connection-url";

    private final Ticker ticker;

    public MysqlPqConnectorFactory()
    {
        this(Ticker.systemTicker());
    }

    /** @param ticker tells the age of snapshots and of all that catalogs remember */
    public MysqlPqConnectorFactory(Ticker ticker)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    @Override
    public String getName()
    {
        return NAME;
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
    {
        requireSameRelease(context);
        Injector primary = part(catalogName, config, context, ReadServer.PRIMARY, Optional.empty());
        RoutingConfig routing = primary.getInstance(RoutingConfig.class);
        if (routing.getReplicaHosts().isEmpty()) {
            return primary.getInstance(MysqlPqConnector.class);
        }
        boolean created = false;
        try {
            Connector connector = withReplicas(catalogName, config, context, routing, primary);
            created = true;
            return connector;
        }
        finally {
            if (!created) {
                primary.getInstance(MysqlPqConnector.class).shutdown();
            }
        }
    }

    private Connector withReplicas(String catalogName, Map<String, String> config, ConnectorContext context, RoutingConfig routing, Injector primary)
    {
        SharedReads sharedReads = primary.getInstance(SharedReads.class);
        return new RoutedConnector(
                routing,
                serverPart(primary),
                // Trino calls a page source with this plugin's class loader, but threads of the connector may not have it.
                address -> {
                    try (ThreadContextClassLoader _ = new ThreadContextClassLoader(getClass().getClassLoader())) {
                        return serverPart(part(catalogName, withServer(config, address), context, new ReadServer(Optional.of(address)), Optional.of(sharedReads)));
                    }
                },
                ticker);
    }

    private static Map<String, String> withServer(Map<String, String> config, ServerAddress server)
    {
        Map<String, String> ofServer = new HashMap<>(config);
        try {
            ofServer.put(URL, ServerUrl.of(config.get(URL), server));
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(CONFIGURATION_INVALID, "connection-url must be jdbc:mysql://host:port?parameters if there are replica-hosts: it is %s".formatted(e.getMessage()), e);
        }
        return ofServer;
    }

    private static ServerPart serverPart(Injector injector)
    {
        return new ServerPart(
                injector.getInstance(DriverLogin.class).server().orElseThrow(() -> new TrinoException(CONFIGURATION_INVALID, "connection-url must name a host, because replica-hosts names others")),
                injector.getInstance(MysqlPqConnector.class),
                injector.getInstance(ServerAdmission.class),
                injector.getInstance(AppliedTransactions.class),
                injector.getInstance(TransactionSnapshots.class),
                injector.getInstance(ScanCopies.class),
                injector.getInstance(RoutedQueries.class),
                injector.getInstance(ServerCaches.class)::forget);
    }

    private Injector part(String catalogName, Map<String, String> config, ConnectorContext context, ReadServer server, Optional<SharedReads> sharedReads)
    {
        Bootstrap bootstrap = new Bootstrap(
                "io.trino.bootstrap.catalog." + catalogName,
                new ConnectorContextModule(catalogName, context),
                new MarkedJdbcModule(),
                new CredentialModule(),
                new ExtraCredentialsBasedIdentityCacheMappingModule(),
                new JdbcJoinPushdownSupportModule(),
                new MysqlPqModule(ticker, server, sharedReads));
        return bootstrap
                .doNotInitializeLogging()
                .disableSystemProperties()
                // Trino logs all settings but those that it knows as secrets. It does not take the URL for one.
                .withQuiet(holdsPassword(config.getOrDefault(URL, "")))
                .setRequiredConfigurationProperties(config)
                .initialize();
    }

    // Releases of Trino differ in blocks and interfaces. Some differences show only when rows are read.
    private void requireSameRelease(ConnectorContext context)
    {
        try {
            checkStrictSpiVersionMatch(context, this);
        }
        catch (IllegalStateException e) {
            throw new TrinoException(
                    CONFIGURATION_INVALID,
                    "The plugin was built for another release of Trino: %s. On the coordinator and all workers, install the plugin for this release of Trino, or run the release of Trino that this plugin is for".formatted(e.getMessage()),
                    e);
        }
    }

    // The password may be the account's, also as user:password@host, or that of a key store.
    private static boolean holdsPassword(String url)
    {
        return url.contains("@") || url.toLowerCase(ENGLISH).contains("password");
    }
}
