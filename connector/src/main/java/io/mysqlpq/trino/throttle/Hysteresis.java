package io.mysqlpq.trino.throttle;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;

/** Holds back from an upper bound on, until a value is down at a lower one: so that readers do not all rush in as soon as one has left. */
final class Hysteresis
{
    private final long upper;
    private final long lower;
    private boolean holding;

    Hysteresis(long upper, long lower)
    {
        checkArgument(lower <= upper, "lower is over upper: %s, %s", lower, upper);
        this.upper = upper;
        this.lower = lower;
    }

    /** @param lower 0 stands for four fifths of the upper one */
    static Hysteresis of(long upper, long lower)
    {
        return new Hysteresis(upper, lower == 0 ? upper - max(upper / 5, 1) : lower);
    }

    boolean isHolding(long value)
    {
        holding = value >= upper || (holding && value > lower);
        return holding;
    }

    long upper()
    {
        return upper;
    }

    long lower()
    {
        return lower;
    }
}
