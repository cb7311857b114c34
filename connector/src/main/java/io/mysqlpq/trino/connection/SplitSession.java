package io.mysqlpq.trino.connection;

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.type.TimeZoneKey;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Stands for a query's session while one split is read, so that the split's statements carry its name.
 *
 * @param splitName such as 3/8: the third of eight
 */
public record SplitSession(ConnectorSession session, String splitName)
        implements ConnectorSession
{
    public SplitSession
    {
        requireNonNull(session, "session is null");
        requireNonNull(splitName, "splitName is null");
    }

    @Override
    public String getQueryId()
    {
        return session.getQueryId();
    }

    @Override
    public Optional<String> getSource()
    {
        return session.getSource();
    }

    @Override
    public ConnectorIdentity getIdentity()
    {
        return session.getIdentity();
    }

    @Override
    public TimeZoneKey getTimeZoneKey()
    {
        return session.getTimeZoneKey();
    }

    @Override
    public Locale getLocale()
    {
        return session.getLocale();
    }

    @Override
    public Optional<String> getTraceToken()
    {
        return session.getTraceToken();
    }

    @Override
    public Instant getStart()
    {
        return session.getStart();
    }

    @Override
    public <T> T getProperty(String name, Class<T> type)
    {
        return session.getProperty(name, type);
    }
}
