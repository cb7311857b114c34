package io.mysqlpq.extension;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs tasks in threads of their own. */
final class BackgroundTasks
{
    interface Task
    {
        void run()
                throws Exception;
    }

    private final List<FutureTask<Void>> tasks = new ArrayList<>();

    void start(Task task)
    {
        Callable<Void> call = () -> {
            task.run();
            return null;
        };
        FutureTask<Void> started = new FutureTask<>(call);
        tasks.add(started);
        Thread.ofPlatform().start(started);
    }

    /** Waits until all have ended. Fails if some of them did, with the failure of the one that began first. */
    void await()
    {
        Throwable failure = null;
        for (FutureTask<Void> task : tasks) {
            try {
                task.get();
            }
            catch (ExecutionException e) {
                failure = failure == null ? e.getCause() : failure;
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while tasks end", e);
            }
        }
        if (failure != null) {
            throw new AssertionError("A task failed", failure);
        }
    }
}
