package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.trino.connection.StatementMark;
import io.trino.plugin.jdbc.ExtraCredentialsBasedIdentityCacheMappingModule;
import io.trino.plugin.jdbc.JdbcConnectorFactory;
import io.trino.plugin.jdbc.credential.CredentialProviderModule;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorContext;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Map;

import static io.airlift.configuration.ConfigurationAwareModule.combine;

/** Creates catalogs of the connector {@code mysql_pq}. */
public class MysqlPqConnectorFactory
        implements ConnectorFactory
{
    private static final String NAME = "mysql_pq";
    private static final String QUERY_COMMENT = "query.comment-format";

    private final JdbcConnectorFactory delegate = new JdbcConnectorFactory(
            NAME,
            () -> combine(new CredentialProviderModule(), new ExtraCredentialsBasedIdentityCacheMappingModule(), new MysqlPqModule()));

    @Override
    public String getName()
    {
        return NAME;
    }

    @Override
    public Connector create(String catalogName, Map<String, String> config, ConnectorContext context)
    {
        return delegate.create(
                catalogName,
                ImmutableMap.<String, String>builder()
                        .putAll(config)
                        .put(QUERY_COMMENT, StatementMark.commentFormat(config.getOrDefault(QUERY_COMMENT, "")))
                        .buildKeepingLast(),
                context);
    }
}
