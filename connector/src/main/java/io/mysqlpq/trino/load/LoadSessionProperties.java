package io.mysqlpq.trino.load;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.session.PropertyMetadata.booleanProperty;

/** Declares by which statements a session's rows go to MySQL. */
public class LoadSessionProperties
        implements SessionPropertiesProvider
{
    private static final String LOAD_DATA_ENABLED = "load_data_enabled";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public LoadSessionProperties(LoadConfig config)
    {
        properties = ImmutableList.of(booleanProperty(
                LOAD_DATA_ENABLED,
                "Write rows by LOAD DATA LOCAL where the MySQL server allows it (local_infile=ON); otherwise by INSERT",
                config.isLoadDataEnabled(),
                false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    static boolean isLoadDataEnabled(ConnectorSession session)
    {
        return session.getProperty(LOAD_DATA_ENABLED, Boolean.class);
    }
}
