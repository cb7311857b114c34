package io.mysqlpq.cross.fault;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds a fault until connections are far enough for it. */
record ArmedFault(NetworkFault fault, long afterBytes, int most, AtomicInteger struck, CountDownLatch disarmed)
{
    static final ArmedFault NONE = new ArmedFault(new NetworkFault.Reset(), Long.MAX_VALUE, 0);

    ArmedFault(NetworkFault fault, long afterBytes, int most)
    {
        this(fault, afterBytes, most, new AtomicInteger(), new CountDownLatch(1));
    }

    /** Whether the caller's connection is one of those to be struck. */
    boolean strikes()
    {
        return struck.getAndUpdate(count -> count < most ? count + 1 : count) < most;
    }
}
