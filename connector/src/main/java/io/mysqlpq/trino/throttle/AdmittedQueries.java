package io.mysqlpq.trino.throttle;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers queries one of whose scans was let in. The others go on: they may be what the first one waits for, with MySQL's threads in its hands.
 *
 * <p>Bounded, since a query can be let in at the moment at which it ends, and nobody would forget it then.
 */
final class AdmittedQueries
{
    private static final int MOST = 100_000;

    // Least recently asked for first.
    @GuardedBy("this")
    private final Map<String, Boolean> queries = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest)
        {
            return size() > MOST;
        }
    };

    synchronized void add(String query)
    {
        queries.put(query, true);
    }

    // Asking is using.
    synchronized boolean contains(String query)
    {
        return queries.get(query) != null;
    }

    synchronized void remove(String query)
    {
        queries.remove(query);
    }
}
