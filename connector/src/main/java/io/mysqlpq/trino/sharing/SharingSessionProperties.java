package io.mysqlpq.trino.sharing;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;

import static io.trino.spi.session.PropertyMetadata.booleanProperty;

/** Declares whether a session takes what earlier queries read. */
public class SharingSessionProperties
        implements SessionPropertiesProvider
{
    private static final String READ_REUSE_ENABLED = "read_reuse_enabled";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public SharingSessionProperties(SharedReadsConfig config)
    {
        properties = ImmutableList.of(booleanProperty(
                READ_REUSE_ENABLED,
                "Give queries what earlier ones read, if the extension says that it has not changed since",
                config.isReadReuseEnabled(),
                false));
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    public static boolean isReadReuseEnabled(ConnectorSession session)
    {
        return session.getProperty(READ_REUSE_ENABLED, Boolean.class);
    }
}
