package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.throttle.ServerState;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/**
 * Is a server that a query may read from.
 *
 * @param queries that this coordinator has on it now
 */
record Candidate(Replica replica, ServerState state, int queries)
{
    Candidate
    {
        requireNonNull(replica, "replica is null");
        requireNonNull(state, "state is null");
    }

    /** Says why the server cannot be read. Empty if it can be. */
    Optional<String> obstacle()
    {
        return state instanceof ServerState.Unfit(String reason) ? Optional.of(reason) : Optional.empty();
    }

    /** The load that one more query would make. */
    double load()
    {
        return (queries + 1.0) / replica.weight();
    }
}
