package io.mysqlpq.trino.write;

import io.mysqlpq.trino.connection.ForwardingSession;
import io.trino.spi.connector.ConnectorSession;

import static io.trino.plugin.jdbc.JdbcWriteSessionProperties.NON_TRANSACTIONAL_INSERT;
import static java.util.Objects.requireNonNull;

/**
 * Stands for a query's session where rows have to be staged, even if the query asks for an INSERT without staging: all changes of a
 * MERGE become visible at once.
 */
record StagingSession(ConnectorSession session)
        implements ForwardingSession
{
    StagingSession
    {
        requireNonNull(session, "session is null");
    }

    @Override
    public <T> T getProperty(String name, Class<T> type)
    {
        return name.equals(NON_TRANSACTIONAL_INSERT) ? type.cast(false) : session.getProperty(name, type);
    }
}
