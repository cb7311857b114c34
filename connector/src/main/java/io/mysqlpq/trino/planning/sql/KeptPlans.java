package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.units.Duration;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Keeps plans for a limited time: the latest ones, up to a number of ranges. An old plan is as right as a new one, though less even. */
final class KeptPlans
{
    // A range takes some hundred bytes.
    private static final int MOST_RANGES = 100_000;

    private final Duration timeToLive;
    private final Ticker ticker;
    @GuardedBy("this")
    private final Map<Key, Kept> plans = new LinkedHashMap<>();
    @GuardedBy("this")
    private int ranges;

    KeptPlans(Duration timeToLive, Ticker ticker)
    {
        this.timeToLive = requireNonNull(timeToLive, "timeToLive is null");
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    synchronized Optional<SqlPlan> get(Key key)
    {
        Kept kept = plans.get(key);
        if (kept == null || NANOSECONDS.toMillis(ticker.read() - kept.plannedAtNanos()) >= timeToLive.toMillis()) {
            return Optional.empty();
        }
        return Optional.of(kept.plan());
    }

    synchronized void put(Key key, SqlPlan plan)
    {
        remove(key);
        plans.put(key, new Kept(plan, ticker.read()));
        ranges += plan.ranges().size();
        while (ranges > MOST_RANGES) {
            remove(plans.keySet().iterator().next());
        }
    }

    synchronized void clear()
    {
        plans.clear();
        ranges = 0;
    }

    @GuardedBy("this")
    private void remove(Key key)
    {
        Kept removed = plans.remove(key);
        if (removed != null) {
            ranges -= removed.plan().ranges().size();
        }
    }

    /**
     * Says what a plan answers.
     *
     * @param user whose rights to the key's values were checked
     * @param definition the version of the table
     */
    record Key(String user, String definition, SqlRangesRequest request)
    {}

    private record Kept(SqlPlan plan, long plannedAtNanos)
    {}
}
