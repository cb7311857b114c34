package io.mysqlpq.trino.throttle;

import io.airlift.units.Duration;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Says whether a server can be read now. */
public sealed interface ServerState
{
    /**
     * It answers, and is no member of a replication group that recovers or has failed.
     *
     * @param lag empty if nobody knows it: the account may not see it, or the replication stands still
     * @param stopped whether a channel does not receive or apply
     */
    record Fit(Optional<Duration> lag, boolean stopped)
            implements ServerState
    {
        public Fit
        {
            requireNonNull(lag, "lag is null");
        }

        boolean lagsAtMost(Duration limit)
        {
            return lag.filter(known -> known.compareTo(limit) <= 0).isPresent();
        }
    }

    /** @param reason for people who look after the server */
    record Unfit(String reason)
            implements ServerState
    {
        public Unfit
        {
            requireNonNull(reason, "reason is null");
        }
    }

    /** Whether the server can be read, and lags by at most so much as far as anybody knows. */
    default boolean isFit(Duration mostLag)
    {
        return switch (this) {
            case Fit fit -> mostLag.toMillis() == 0 || fit.lagsAtMost(mostLag);
            case Unfit _ -> false;
        };
    }
}
