package io.mysqlpq.trino.routing;

import com.google.common.base.Ticker;
import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;

import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/** Lists the replicas of a catalog. Names of several servers are looked up again when {@code replica-list-ttl} is over. */
final class ReplicaList
{
    private static final Logger log = Logger.get(ReplicaList.class);
    // A name of more addresses is more likely a mistake.
    private static final int MOST_ADDRESSES = 64;

    private final List<ReplicaEntry> entries;
    private final long ttlNanos;
    private final Ticker ticker;
    private final Map<ReplicaEntry, Known> known = new ConcurrentHashMap<>();

    ReplicaList(RoutingConfig config, Ticker ticker)
    {
        this.entries = config.entries();
        this.ttlNanos = config.getReplicaListTtl().roundTo(NANOSECONDS);
        this.ticker = requireNonNull(ticker, "ticker is null");
    }

    /** Returns those that are named themselves, so that nobody has to be asked for them. */
    List<Replica> fixed()
    {
        return entries.stream().filter(entry -> !entry.named()).map(ReplicaEntry::replica).collect(toImmutableList());
    }

    /** Returns all replicas that are known. Waits for DNS only where it was never asked. */
    List<Replica> replicas()
    {
        ImmutableSet.Builder<Replica> replicas = ImmutableSet.builder();
        for (ReplicaEntry entry : entries) {
            replicas.addAll(replicas(entry));
        }
        return replicas.build().asList();
    }

    private List<Replica> replicas(ReplicaEntry entry)
    {
        if (!entry.named()) {
            return List.of(entry.replica());
        }
        Known last = known.get(entry);
        if (last == null) {
            return known.computeIfAbsent(entry, _ -> new Known(lookUp(entry, List.of()), ticker.read())).replicas();
        }
        if (ticker.read() - last.nanos() >= ttlNanos && known.replace(entry, last, new Known(last.replicas(), ticker.read()))) {
            // DNS may take long, and nobody waits for it.
            Thread _ = Thread.ofVirtual().start(() -> known.put(entry, new Known(lookUp(entry, last.replicas()), ticker.read())));
        }
        return last.replicas();
    }

    private static List<Replica> lookUp(ReplicaEntry entry, List<Replica> before)
    {
        try {
            List<Replica> found = entry.replicas();
            return found.subList(0, min(found.size(), MOST_ADDRESSES));
        }
        catch (UnknownHostException e) {
            log.warn("DNS does not know the replicas %s now (%s). Queries go on with those of before: %s", entry.replica().address(), e.getMessage(), before);
            return before;
        }
    }

    private record Known(List<Replica> replicas, long nanos)
    {}
}
