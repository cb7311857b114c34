package io.mysqlpq.trino.routing;

import org.weakref.jmx.Managed;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the queries of this coordinator that read from one server of a catalog with several. */
public final class RoutedQueries
{
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong leftOut = new AtomicLong();
    private final AtomicLong spread = new AtomicLong();
    private final AtomicLong notSpread = new AtomicLong();

    void begin()
    {
        running.incrementAndGet();
    }

    void end()
    {
        running.decrementAndGet();
    }

    void recordSpread(int servers)
    {
        (servers > 1 ? spread : notSpread).incrementAndGet();
    }

    void recordLeftOut()
    {
        leftOut.incrementAndGet();
    }

    @Managed(description = "Queries that use the server now")
    public int getRunning()
    {
        return running.get();
    }

    @Managed(description = "Queries that read from another server, because this one did not answer, was no ready member, did not replicate, or lagged too much")
    public long getLeftOut()
    {
        return leftOut.get();
    }

    @Managed(description = "Queries planned on the server that read from other servers too, at the same moment")
    public long getSpread()
    {
        return spread.get();
    }

    @Managed(description = "Queries planned on the server that were to read from other servers too, but no other one showed the same moment")
    public long getNotSpread()
    {
        return notSpread.get();
    }
}
