package io.mysqlpq.trino;

import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Remembers of which tables a query could find nothing out. Trino asks for their descriptions again and again, and each time MySQL would be waited for anew.
 */
final class PlanningFailures
{
    private final Map<RemoteTableName, Failure> failures = new ConcurrentHashMap<>();

    /** Fails at once where it failed before in the same query; a transaction may have several. */
    <T> T once(ConnectorSession session, RemoteTableName table, Supplier<T> planning)
    {
        Failure known = failures.get(table);
        if (known != null && known.queryId().equals(session.getQueryId())) {
            throw known.cause();
        }
        try {
            return planning.get();
        }
        catch (TrinoException e) {
            failures.put(table, new Failure(session.getQueryId(), e));
            throw e;
        }
    }

    private record Failure(String queryId, TrinoException cause)
    {}
}
