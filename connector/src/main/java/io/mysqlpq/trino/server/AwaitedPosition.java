package io.mysqlpq.trino.server;

import io.airlift.units.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.clamp;
import static java.util.Objects.requireNonNull;

/**
 * Says which transactions a snapshot waits for.
 *
 * @param gtids in MySQL's notation for sets of GTIDs
 * @param limit longest wait, in milliseconds from 1 to 1000
 */
public record AwaitedPosition(String gtids, int limit)
{
    private static final int LONGEST = 1000;

    public AwaitedPosition
    {
        requireNonNull(gtids, "gtids is null");
        checkArgument(limit > 0 && limit <= LONGEST, "limit is %s", limit);
    }

    /** Waits at most that long, as far as the extension waits at all. */
    public static AwaitedPosition of(String gtids, Duration limit)
    {
        return new AwaitedPosition(gtids, clamp(limit.toMillis(), 1, LONGEST));
    }
}
