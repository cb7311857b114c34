package io.mysqlpq.trino.write;

import io.mysqlpq.trino.connection.ForwardingSession;
import io.trino.spi.connector.ConnectorSession;

import static io.trino.plugin.jdbc.JdbcWriteSessionProperties.NON_TRANSACTIONAL_INSERT;
import static java.util.Objects.requireNonNull;

/**
 * Stands for a query's session where it is not the query that decides whether rows wait in a temporary table until all of them are there.
 *
 * @param staged whether they do
 */
public record WriteSession(ConnectorSession session, boolean staged)
        implements ForwardingSession
{
    public WriteSession
    {
        requireNonNull(session, "session is null");
    }

    @Override
    public <T> T getProperty(String name, Class<T> type)
    {
        return name.equals(NON_TRANSACTIONAL_INSERT) ? type.cast(!staged) : session.getProperty(name, type);
    }
}
