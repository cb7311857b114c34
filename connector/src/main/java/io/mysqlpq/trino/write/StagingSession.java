package io.mysqlpq.trino.write;

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.security.ConnectorIdentity;
import io.trino.spi.type.TimeZoneKey;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

import static io.trino.plugin.jdbc.JdbcWriteSessionProperties.NON_TRANSACTIONAL_INSERT;
import static java.util.Objects.requireNonNull;

/** Stands for a query's session where rows have to be staged, though it asks for an INSERT without: all changes of a MERGE become visible at once. */
record StagingSession(ConnectorSession session)
        implements ConnectorSession
{
    StagingSession
    {
        requireNonNull(session, "session is null");
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
        return name.equals(NON_TRANSACTIONAL_INSERT) ? type.cast(false) : session.getProperty(name, type);
    }
}
