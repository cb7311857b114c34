package io.mysqlpq.trino;

import com.google.common.base.Ticker;
import io.airlift.bootstrap.Bootstrap;
import io.mysqlpq.trino.driver.MarkedJdbcModule;
import io.trino.plugin.base.ConnectorContextModule;
import io.trino.plugin.jdbc.ExtraCredentialsBasedIdentityCacheMappingModule;
import io.trino.plugin.jdbc.JdbcJoinPushdownSupportModule;
import io.trino.plugin.jdbc.credential.CredentialProviderModule;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Map;

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
        Bootstrap bootstrap = new Bootstrap(
                "io.trino.bootstrap.catalog." + catalogName,
                new ConnectorContextModule(catalogName, context),
                new MarkedJdbcModule(),
                new CredentialProviderModule(),
                new ExtraCredentialsBasedIdentityCacheMappingModule(),
                new JdbcJoinPushdownSupportModule(),
                new MysqlPqModule(ticker));
        return bootstrap
                .doNotInitializeLogging()
                .disableSystemProperties()
                // Trino logs all settings but those that it knows as secrets. It does not take the URL for one.
                .withQuiet(holdsPassword(config.getOrDefault(URL, "")))
                .setRequiredConfigurationProperties(config)
                .initialize()
                .getInstance(MysqlPqConnector.class);
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
