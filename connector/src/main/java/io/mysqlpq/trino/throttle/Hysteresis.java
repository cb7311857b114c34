package io.mysqlpq.trino.throttle;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;

import static com.google.common.base.Preconditions.checkArgument;
import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Holds readers back when a value reaches an upper bound, until the value is down at a lower bound. Otherwise readers would all rush in as soon as one has left. */
final class Hysteresis
{
    private final long upper;
    private final long lower;
    private final Duration memory;
    private final Ticker ticker;
    private boolean holding;
    private long seenAtNanos;

    /** @param memory how long a value holds readers back: it may have been down later, when nobody looked */
    Hysteresis(long upper, long lower, Duration memory, Ticker ticker)
    {
        checkArgument(lower <= upper, "lower is over upper: %s, %s", lower, upper);
        this.upper = upper;
        this.lower = lower;
        this.memory = requireNonNull(memory, "memory is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /** @param lower 0 stands for four fifths of the upper one */
    static Hysteresis of(long upper, long lower, Duration memory, Ticker ticker)
    {
        return new Hysteresis(upper, lower == 0 ? upper - max(upper / 5, 1) : lower, memory, ticker);
    }

    boolean isHolding(long value)
    {
        long now = ticker.read();
        boolean remembered = holding && NANOSECONDS.toMillis(now - seenAtNanos) <= memory.toMillis();
        seenAtNanos = now;
        holding = value >= upper || (remembered && value > lower);
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
