package io.mysqlpq.trino.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.util.LinkedHashMap;
import java.util.Map;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;

/**
 * Remembers the queries that ended lately on this coordinator, so that nothing waits on their behalf.
 *
 * <p>Trino tells the connector when a query ends, and interrupts the thread that plans it. It does not interrupt threads of the connector,
 * and those plan splits.
 */
public final class EndedQueries
        implements JdbcQueryEventListener
{
    // A wait on behalf of an older query lasts until its own limit.
    private static final int MOST = 10_000;

    // The queries that ended first come first.
    @GuardedBy("this")
    private final Map<String, Boolean> ended = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest)
        {
            return size() > MOST;
        }
    };

    @Override
    public void beginQuery(ConnectorSession session)
    {}

    @Override
    public synchronized void cleanupQuery(ConnectorSession session)
    {
        ended.put(session.getQueryId(), true);
    }

    /** Throws if the session's query has ended. */
    void checkWanted(ConnectorSession session)
    {
        if (hasEnded(session)) {
            throw new TrinoException(MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT, "The query has ended");
        }
    }

    private synchronized boolean hasEnded(ConnectorSession session)
    {
        return ended.containsKey(session.getQueryId());
    }
}
