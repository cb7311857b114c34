package io.mysqlpq.trino.routing;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.ImmutableList;
import io.airlift.units.Duration;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.error.ErrorHints;
import io.mysqlpq.trino.throttle.ServerState;
import io.mysqlpq.trino.throttle.ThrottleSessionProperties;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NO_REPLICA;
import static io.mysqlpq.trino.routing.RoutingSessionProperties.isReadAfterWrite;
import static io.mysqlpq.trino.routing.RoutingSessionProperties.readServer;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotOptions;
import static io.trino.plugin.jdbc.JdbcErrorCode.JDBC_ERROR;
import static io.trino.spi.StandardErrorCode.INVALID_SESSION_PROPERTY;
import static java.util.Comparator.comparingDouble;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.stream.Collectors.joining;

/** Finds the server that a query reads from, by what the servers say of themselves and by how many queries they have. */
final class Router
{
    private static final java.time.Duration APART = java.time.Duration.ofSeconds(1);
    private static final int MOST_SERVERS = 1000;

    private final RoutingConfig config;
    private final ServerParts parts;
    private final ReplicaList replicas;
    private final Map<ServerAddress, ServerState> lastStates = new ConcurrentHashMap<>();
    // Servers that could take no part in a moment of several, so that not each query asks them in vain.
    private final Cache<ServerAddress, ServerPart> apart;

    Router(RoutingConfig config, ServerParts parts, Ticker ticker)
    {
        this.config = requireNonNull(config, "config is null");
        this.parts = requireNonNull(parts, "parts is null");
        this.replicas = new ReplicaList(config, ticker);
        this.apart = CacheBuilder.newBuilder().concurrencyLevel(1).maximumSize(MOST_SERVERS).expireAfterWrite(APART).ticker(ticker).build();
        // A wrong setting shows when the catalog is created, and no query waits for this.
        replicas.fixed().forEach(replica -> parts.of(replica.address()));
    }

    ServerParts parts()
    {
        return parts;
    }

    /** Counts a query for the server until its end is told. */
    ServerPart begin(ServerPart part)
    {
        part.queries().begin();
        return part;
    }

    void end(ServerPart part)
    {
        part.queries().end();
    }

    /**
     * Returns the server that a query reads from, and counts the query for it. Blocks until the servers have told their state, and until the server has
     * what the query must see.
     *
     * @param checkWanted throws if the query has ended meanwhile
     */
    ServerPart choose(ConnectorSession session, Runnable checkWanted)
    {
        if (isReadAfterWrite(session) && snapshotOptions(session).group().isPresent()) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "read_after_write cannot be true with snapshot_group or snapshot_sharing_window, because the group's snapshot may be older than what was written. Reset one of them");
        }
        ServerPart chosen = begin(readServer(session).map(this::named).orElseGet(() -> best(session)));
        boolean isFit = false;
        try {
            if (isReadAfterWrite(session) && !chosen.equals(parts.primary())) {
                awaitPrimary(session, chosen, checkWanted);
            }
            isFit = true;
            return chosen;
        }
        finally {
            if (!isFit) {
                end(chosen);
            }
        }
    }

    /**
     * Returns the replicas that a query may read from besides the chosen one, the least busy ones first. Blocks until the servers have told their state. A
     * replica that lately could take no part is left out.
     */
    List<ServerPart> companions(ConnectorSession session, ServerPart chosen, int most)
    {
        ServerChoice choice = new ServerChoice(ThrottleSessionProperties.maxReplicaLag(session), Optional.empty(), session.getUser());
        return candidates(session).stream()
                .filter(candidate -> !choice.leavesOut(candidate) && !candidate.replica().address().equals(chosen.address()) && apart.getIfPresent(candidate.replica().address()) == null)
                .sorted(comparingDouble(Candidate::load))
                .limit(most)
                .map(candidate -> parts.of(candidate.replica().address()))
                .collect(toImmutableList());
    }

    /** Returns those servers that let the query read soon. Nobody waits long for a busy server while another one can be read. */
    List<ServerPart> admitted(ConnectorSession session, List<ServerPart> servers)
    {
        Map<ServerPart, CompletableFuture<Void>> asked = new LinkedHashMap<>();
        servers.forEach(server -> asked.put(server, server.admission().admitQuery(session)));
        var _ = CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new)).completeOnTimeout(null, config.getOneMomentTimeout().toMillis(), MILLISECONDS).exceptionally(_ -> null).join();
        ImmutableList.Builder<ServerPart> admitted = ImmutableList.builder();
        asked.forEach((server, admission) -> {
            // What is done cannot be cancelled.
            if (!admission.cancel(false) && !admission.isCompletedExceptionally()) {
                admitted.add(server);
            }
            else {
                apart.put(server.address(), server);
            }
        });
        return admitted.build();
    }

    /** Opens the moment that a query sees on several servers, where that can be had. Blocks. */
    List<ServerTransaction> openMoment(ConnectorSession session, ServerTransaction first, List<ServerTransaction> others, Executor executor)
    {
        return new OneMoment(session, config.getReplicaAnswerTimeout(), config.getOneMomentTimeout(), executor, part -> {
            if (!part.equals(first.part())) {
                apart.put(part.address(), part);
            }
        }).open(first, others);
    }

    /** Returns each server of the catalog, and why it cannot be asked if that is so. */
    Map<ServerPart, Optional<String>> obstacles(ConnectorSession session)
    {
        Map<ServerPart, Optional<String>> obstacles = new LinkedHashMap<>();
        obstacles.put(parts.primary(), Optional.empty());
        candidates(session).forEach(candidate -> obstacles.put(parts.of(candidate.replica().address()), candidate.obstacle()));
        return obstacles;
    }

    private ServerPart named(ServerAddress address)
    {
        if (!address.equals(parts.primary().address()) && replicas.replicas().stream().noneMatch(replica -> replica.address().equals(address))) {
            throw new TrinoException(INVALID_SESSION_PROPERTY, "read_server must be a server of the catalog: '%s'. There are %s".formatted(
                    address,
                    ImmutableList.<ServerAddress>builder().add(parts.primary().address()).addAll(replicas.replicas().stream().map(Replica::address).iterator()).build()));
        }
        return parts.of(address);
    }

    private ServerPart best(ConnectorSession session)
    {
        List<Candidate> candidates = candidates(session);
        ServerChoice choice = new ServerChoice(ThrottleSessionProperties.maxReplicaLag(session), group(session), session.getUser());
        Optional<Candidate> chosen = choice.of(candidates);
        candidates.stream()
                .filter(candidate -> choice.leavesOut(candidate) && !chosen.equals(Optional.of(candidate)))
                .forEach(candidate -> parts.of(candidate.replica().address()).queries().recordLeftOut());
        return chosen
                .map(candidate -> parts.of(candidate.replica().address()))
                .or(() -> Optional.of(parts.primary()).filter(_ -> config.isReadFromPrimary()))
                .orElseThrow(() -> noReplica(candidates));
    }

    // Queries of a group see one snapshot, which one server has. Those that only may share one rather read sooner.
    private static Optional<String> group(ConnectorSession session)
    {
        return snapshotOptions(session).group().filter(group -> !group.isEmpty()).map(group -> session.getUser() + " " + group);
    }

    private List<Candidate> candidates(ConnectorSession session)
    {
        Map<Replica, CompletableFuture<ServerState>> asked = new LinkedHashMap<>();
        for (Replica replica : replicas.replicas()) {
            CompletableFuture<ServerState> state = parts.of(replica.address()).admission().state(session);
            // A late answer counts for the next query.
            var _ = state.whenComplete((known, _) -> {
                if (known != null) {
                    lastStates.put(replica.address(), known);
                }
            });
            asked.put(replica, state);
        }
        awaitThoseThatWereFit(asked);
        return asked.entrySet().stream()
                .map(entry -> new Candidate(entry.getKey(), state(entry.getKey(), entry.getValue()), parts.of(entry.getKey().address()).queries().getRunning()))
                .collect(toImmutableList());
    }

    // A server that did not answer lately is asked again, but nobody waits for it while others answer.
    private void awaitThoseThatWereFit(Map<Replica, CompletableFuture<ServerState>> asked)
    {
        List<CompletableFuture<ServerState>> awaited = asked.entrySet().stream()
                .filter(entry -> !(lastStates.get(entry.getKey().address()) instanceof ServerState.Unfit))
                .map(Map.Entry::getValue)
                .collect(toImmutableList());
        Duration limit = config.getReplicaAnswerTimeout();
        try {
            CompletableFuture.allOf((awaited.isEmpty() ? asked.values() : awaited).toArray(CompletableFuture[]::new)).get(limit.toMillis(), MILLISECONDS);
        }
        catch (ExecutionException | TimeoutException _) {
            // Each of them is looked at.
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TrinoException(JDBC_ERROR, "Interrupted while replicas told their state", e);
        }
    }

    private ServerState state(Replica replica, CompletableFuture<ServerState> asked)
    {
        return switch (asked.state()) {
            case SUCCESS -> asked.resultNow();
            case FAILED -> new ServerState.Unfit(String.valueOf(asked.exceptionNow().getMessage()));
            case CANCELLED -> new ServerState.Unfit("nobody asked it");
            case RUNNING -> lateState(replica);
        };
    }

    private ServerState lateState(Replica replica)
    {
        ServerState late = new ServerState.Unfit("no answer within %s".formatted(config.getReplicaAnswerTimeout()));
        return lastStates.compute(replica.address(), (_, last) -> last instanceof ServerState.Unfit ? last : late);
    }

    private void awaitPrimary(ConnectorSession session, ServerPart chosen, Runnable checkWanted)
    {
        try {
            String transactions = parts.primary().transactions().committed(session);
            if (!chosen.transactions().awaitCommitted(session, transactions, config.getReadAfterWriteTimeout(), checkWanted)) {
                throw new TrinoException(
                        MYSQL_PQ_NO_REPLICA,
                        "Replica %s did not catch up with the primary within %s, and read_after_write is true. Run the query later, raise read-after-write-timeout, or set read_after_write to false to accept older rows".formatted(chosen.address(), config.getReadAfterWriteTimeout()));
            }
        }
        catch (SQLException e) {
            throw new TrinoException(JDBC_ERROR, "Failed to compare replica %s with the primary: %s".formatted(chosen.address(), ErrorHints.explain(e, "planning-timeout")), e);
        }
    }

    private static TrinoException noReplica(List<Candidate> candidates)
    {
        return new TrinoException(
                MYSQL_PQ_NO_REPLICA,
                "No replica can be read now: %s. Repair one, or set read-from-primary to true to read from the primary meanwhile".formatted(candidates.isEmpty()
                        ? "DNS knows no address of replica-hosts"
                        : candidates.stream().map(candidate -> "%s (%s)".formatted(candidate.replica().address(), candidate.obstacle().orElse("fit"))).collect(joining(", "))));
    }
}
