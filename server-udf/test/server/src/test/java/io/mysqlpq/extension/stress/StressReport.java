package io.mysqlpq.extension.stress;

import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what happened under stress, by kind of work and by error.
 */
final class StressReport
{
    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    void count(String what)
    {
        counts.computeIfAbsent(what, _ -> new AtomicLong()).incrementAndGet();
    }

    void error(String who, SQLException error)
    {
        count("%s error %s%s".formatted(who, error.getErrorCode(), ownCode(error)));
    }

    // A failure is what must never happen; an error is what may.
    void failure(Throwable failure)
    {
        failures.add(failure);
    }

    boolean failed()
    {
        return !failures.isEmpty();
    }

    ConcurrentLinkedQueue<Throwable> failures()
    {
        return failures;
    }

    long get(String what)
    {
        AtomicLong count = counts.get(what);
        return count == null ? 0 : count.get();
    }

    @Override
    public String toString()
    {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(counts).forEach((what, count) -> text.append("  %-40s %9d%n".formatted(what, count.get())));
        return text.toString();
    }

    private static String ownCode(SQLException error)
    {
        String message = error.getMessage();
        return message.startsWith("mysql_pq: ") ? " " + message.split(": ", 3)[1] : "";
    }
}
