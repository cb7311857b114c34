package io.mysqlpq.trino.connection;

import com.google.inject.Inject;
import jakarta.annotation.PreDestroy;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/** Looks after those who wait for a connection of this node, while there are any. */
public final class ConnectionClock
{
    /** Between two looks. */
    static final int TICK_MILLIS = 100;

    // Starts its thread with the first task.
    private final ScheduledThreadPoolExecutor executor;

    @Inject
    public ConnectionClock(ConnectionSettings settings)
    {
        this.executor = new ScheduledThreadPoolExecutor(1, daemonThreadsNamed(settings.catalog() + "-connection-queue-%s"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void tick(Runnable look)
    {
        try {
            var _ = executor.schedule(look, TICK_MILLIS, MILLISECONDS);
        }
        catch (RejectedExecutionException _) {
            // The catalog is shut down, and its queries end.
        }
    }

    @PreDestroy
    public void close()
    {
        executor.shutdownNow();
    }
}
