package io.mysqlpq.trino.connection;

import io.trino.spi.connector.ConnectorSession;

import static java.util.Objects.requireNonNull;

/**
 * Stands for a query's session while one split is read, so that the split's statements carry its name.
 *
 * @param splitName such as 3/8: the third of eight
 */
public record SplitSession(ConnectorSession session, String splitName)
        implements ForwardingSession
{
    public SplitSession
    {
        requireNonNull(session, "session is null");
        requireNonNull(splitName, "splitName is null");
    }
}
