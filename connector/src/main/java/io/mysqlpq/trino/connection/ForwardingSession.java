package io.mysqlpq.trino.connection;

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.type.TimeZoneKey;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Stands for another session, and says of itself what that session says, unless it says otherwise. */
public interface ForwardingSession
        extends ConnectorSession
{
    /** The session that this one stands for. */
    ConnectorSession session();

    @Override
    default String getQueryId()
    {
        return session().getQueryId();
    }

    @Override
    default Optional<String> getSource()
    {
        return session().getSource();
    }

    @Override
    default ConnectorIdentity getIdentity()
    {
        return session().getIdentity();
    }

    @Override
    default TimeZoneKey getTimeZoneKey()
    {
        return session().getTimeZoneKey();
    }

    @Override
    default Locale getLocale()
    {
        return session().getLocale();
    }

    @Override
    default Optional<String> getTraceToken()
    {
        return session().getTraceToken();
    }

    @Override
    default Instant getStart()
    {
        return session().getStart();
    }

    @Override
    default <T> T getProperty(String name, Class<T> type)
    {
        return session().getProperty(name, type);
    }
}
