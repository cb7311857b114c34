package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import io.airlift.log.Logger;
import io.trino.spi.catalog.CatalogName;
import jakarta.annotation.PreDestroy;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Looks regularly after those who wait for a connection of this node, as long as anyone waits. */
public final class ConnectionClock
{
    /** The time between two looks. */
    static final int TICK_MILLIS = 100;

    private static final Logger log = Logger.get(ConnectionClock.class);

    // Starts its thread with the first task.
    private final ScheduledThreadPoolExecutor executor;

    @Inject
    public ConnectionClock(CatalogName catalog)
    {
        this.executor = new ScheduledThreadPoolExecutor(1, daemonThreadsNamed(catalog + "-connection-queue-%s"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void tick(Runnable look)
    {
        try {
            var _ = executor.schedule(() -> run(look), TICK_MILLIS, MILLISECONDS);
        }
        catch (RejectedExecutionException _) {
            // The catalog is shut down, and its queries end.
        }
    }

    // An executor tells nobody of a failure.
    private static void run(Runnable look)
    {
        try {
            look.run();
        }
        catch (RuntimeException | Error e) {
            log.warn(e, "Could not give out connections to waiting splits and queries. Trying again");
        }
    }

    @PreDestroy
    public void close()
    {
        executor.shutdownNow();
    }
}
