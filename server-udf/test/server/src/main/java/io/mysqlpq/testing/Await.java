package io.mysqlpq.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits until a condition holds, and fails if it does not hold in time.
 */
public final class Await
{
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final Duration INTERVAL = Duration.ofMillis(5);

    private Await()
    {}

    public static void until(String description, BooleanSupplier condition)
    {
        until(description, TIMEOUT, condition);
    }

    public static void until(String description, Duration timeout, BooleanSupplier condition)
    {
        until(description, timeout, INTERVAL, condition);
    }

    public static void until(String description, Duration timeout, Duration interval, BooleanSupplier condition)
    {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > timeout.toNanos()) {
                throw new AssertionError("Not within %s: %s".formatted(timeout, description));
            }
            LockSupport.parkNanos(interval.toNanos());
        }
    }
}
