package io.mysqlpq.trino.routing;

import java.util.List;

/** Runs what has to be done in any case, whatever becomes of the rest. */
final class Failures
{
    private Failures()
    {}

    /** Runs all tasks, and then throws what the first one that failed has thrown. */
    static void runAll(List<Runnable> tasks)
    {
        RuntimeException failure = null;
        for (Runnable task : tasks) {
            try {
                task.run();
            }
            catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                }
                else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
