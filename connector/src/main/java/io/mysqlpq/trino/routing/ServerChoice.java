package io.mysqlpq.trino.routing;

import com.google.common.hash.Hashing;
import io.airlift.units.Duration;
import io.mysqlpq.trino.throttle.ServerState.Fit;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import static java.lang.Math.log;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparingDouble;
import static java.util.Objects.requireNonNull;

/**
 * Chooses the server that a query reads from.
 *
 * @param mostLag that the query accepts; 0 accepts any
 * @param group names queries that shall read from the same server; empty if the query may read from any
 * @param affinity names queries that rather read from the same server, where that makes none wait
 */
record ServerChoice(Duration mostLag, Optional<String> group, String affinity)
{
    ServerChoice
    {
        requireNonNull(mostLag, "mostLag is null");
        requireNonNull(group, "group is null");
        requireNonNull(affinity, "affinity is null");
    }

    /** Returns the best one. Empty if none is fit. One that lags too much is taken only if all do: what becomes of the query then is not decided here. */
    Optional<Candidate> of(List<Candidate> candidates)
    {
        return best(candidates, candidate -> !leavesOut(candidate))
                .or(() -> best(candidates, candidate -> candidate.state().isFit(mostLag)))
                .or(() -> candidates.stream().filter(candidate -> candidate.state() instanceof Fit).min(comparingDouble(ServerChoice::lagMillis).thenComparingDouble(Candidate::load)));
    }

    /** Says whether the query reads from the server only if it must, because the server cannot be read, lags too much, or does not replicate. */
    boolean leavesOut(Candidate candidate)
    {
        return !candidate.state().isFit(mostLag) || isStopped(candidate);
    }

    private Optional<Candidate> best(List<Candidate> candidates, Predicate<Candidate> accepted)
    {
        Comparator<Candidate> sticky = comparingDouble(candidate -> -rank(group.orElse(affinity), candidate));
        return candidates.stream()
                .filter(accepted)
                .min(group.isPresent() ? sticky : comparingDouble(Candidate::load).thenComparing(sticky));
    }

    private static boolean isStopped(Candidate candidate)
    {
        return candidate.state() instanceof Fit fit && fit.stopped();
    }

    private static double lagMillis(Candidate candidate)
    {
        return candidate.state() instanceof Fit fit ? fit.lag().map(Duration::toMillis).orElse(Long.MAX_VALUE) : Double.MAX_VALUE;
    }

    /**
     * Ranks servers for a name, so that each name keeps its server while others come and go, and servers get names in proportion to their weights.
     *
     * <p>Source: weighted rendezvous hashing, Schindelhauer and Schomaker, "Weighted Distributed Hash Tables", 2005.
     */
    private static double rank(String name, Candidate candidate)
    {
        long hash = Hashing.murmur3_128().newHasher().putString(name, UTF_8).putInt(0).putString(candidate.replica().address().toString(), UTF_8).hash().asLong();
        // Between 0 and 1, both excluded.
        double uniform = ((hash >>> 11) + 0.5) / (1L << 53);
        return -candidate.replica().weight() / log(uniform);
    }
}
