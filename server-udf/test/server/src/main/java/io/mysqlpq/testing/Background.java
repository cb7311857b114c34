package io.mysqlpq.testing;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import static java.util.concurrent.CompletableFuture.runAsync;
import static java.util.concurrent.CompletableFuture.supplyAsync;

/**
 * Runs work at once, in a thread of its own. The common pool, which {@link CompletableFuture} takes unasked, has one thread on two cores:
 * there work that should run side by side waits for its turn, and work that hangs stops all that comes after it.
 */
public final class Background
{
    private Background()
    {}

    public static <T> CompletableFuture<T> supply(Supplier<T> work)
    {
        return supplyAsync(work, Thread::startVirtualThread);
    }

    public static CompletableFuture<Void> run(Runnable work)
    {
        return runAsync(work, Thread::startVirtualThread);
    }
}
