package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;

import static java.lang.Math.max;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Counts the statements of one plan, and its time. */
final class StatementBudget
{
    private final Ticker ticker;
    private final long deadlineNanos;
    private final int most;
    private int spent;

    StatementBudget(SqlRangesConfig config, Ticker ticker)
    {
        this.ticker = requireNonNull(ticker, "ticker is null");
        this.deadlineNanos = ticker.read() + MILLISECONDS.toNanos(config.getSqlPlanningTimeLimit().toMillis());
        this.most = config.getSqlPlanningMaxStatements();
    }

    boolean allows(int statements)
    {
        return spent + statements <= most && ticker.read() < deadlineNanos;
    }

    void spend()
    {
        spent++;
    }

    int spent()
    {
        return spent;
    }

    /** Time left, at least 1: to MySQL 0 is no limit. */
    long millisLeft()
    {
        return max(NANOSECONDS.toMillis(deadlineNanos - ticker.read()), 1);
    }
}
