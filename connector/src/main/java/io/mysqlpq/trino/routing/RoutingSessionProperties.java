package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.connection.ServerAddress;
import io.trino.plugin.base.session.SessionPropertiesProvider;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.session.PropertyMetadata;

import java.util.List;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static io.trino.spi.session.PropertyMetadata.booleanProperty;
import static io.trino.spi.session.PropertyMetadata.stringProperty;

/** Declares which server a session reads, and how new its rows are. */
public class RoutingSessionProperties
        implements SessionPropertiesProvider
{
    private static final String READ_SERVER = "read_server";
    private static final String READ_AFTER_WRITE = "read_after_write";

    private final List<PropertyMetadata<?>> properties;

    @Inject
    public RoutingSessionProperties(RoutingConfig config)
    {
        properties = ImmutableList.of(
                stringProperty(
                        READ_SERVER,
                        "Read from this server, as host:port: the primary or a replica of the catalog; the connector chooses one if it is not set",
                        null,
                        RoutingSessionProperties::checkServer,
                        false),
                booleanProperty(
                        READ_AFTER_WRITE,
                        "Read only from a replica that has all that the primary had when the query began",
                        config.isReadAfterWrite(),
                        false));
    }

    private static void checkServer(String value)
    {
        try {
            ServerAddress _ = ServerAddress.parse(value);
        }
        catch (IllegalArgumentException e) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "read_server must be host:port of a server of the catalog: '%s'".formatted(value), e);
        }
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return properties;
    }

    static Optional<ServerAddress> readServer(ConnectorSession session)
    {
        return Optional.ofNullable(session.getProperty(READ_SERVER, String.class)).map(ServerAddress::parse);
    }

    static boolean isReadAfterWrite(ConnectorSession session)
    {
        return session.getProperty(READ_AFTER_WRITE, Boolean.class);
    }
}
