package io.mysqlpq.trino.throttle;

import com.google.errorprone.annotations.concurrent.GuardedBy;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers queries of which a scan was admitted. Their other scans go on, because they may be what the admitted scan waits for while it
 * uses MySQL's threads.
 *
 * <p>Its size is bounded: a query can be admitted at the very time at which it ends, and then nobody would forget it.
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
