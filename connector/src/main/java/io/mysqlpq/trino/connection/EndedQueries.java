package io.mysqlpq.trino.connection;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.util.LinkedHashMap;
import java.util.Map;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_CONNECTION_QUEUE_TIMEOUT;

/**
 * Remembers queries that have ended lately on this coordinator, so that nothing waits on their behalf.
 *
 * <p>Trino tells the connector of each end, and interrupts the thread that plans a query. Threads of the connector's own are not interrupted: those that plan splits.
 */
public final class EndedQueries
        implements JdbcQueryEventListener
{
    // What waits for a query that ended before these waits until its limit.
    private static final int MOST = 10_000;

    // The first that ended first.
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
