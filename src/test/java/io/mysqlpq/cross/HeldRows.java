package io.mysqlpq.cross;

import io.trino.spi.function.ScalarFunction;
import io.trino.spi.function.SqlType;
import io.trino.spi.type.StandardTypes;

import java.util.concurrent.CountDownLatch;

import static com.google.common.base.Verify.verify;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Holds the rows of queries that ask for {@code held(column)}, until a test lets them go.
 *
 * <p>Such a query is slow for as long as the test needs it, on any machine.
 */
public final class HeldRows
{
    private static volatile CountDownLatch reached = new CountDownLatch(0);
    private static volatile CountDownLatch released = new CountDownLatch(0);

    private HeldRows()
    {}

    /** Holds all rows that come from now on. */
    static void hold()
    {
        reached = new CountDownLatch(1);
        released = new CountDownLatch(1);
    }

    /** Whether a row is held, or was. */
    static boolean reached()
    {
        return reached.getCount() == 0;
    }

    static void release()
    {
        released.countDown();
    }

    /** Is true of each row, once it may go on. */
    @ScalarFunction(deterministic = false)
    @SqlType(StandardTypes.BOOLEAN)
    public static boolean held(@SqlType(StandardTypes.BIGINT) long value)
            throws InterruptedException
    {
        reached.countDown();
        verify(released.await(5, MINUTES), "nobody lets the row of %s go on", value);
        return true;
    }
}
