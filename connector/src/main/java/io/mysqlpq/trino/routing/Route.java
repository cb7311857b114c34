package io.mysqlpq.trino.routing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.snapshot.SnapshotOptions;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.transaction.IsolationLevel;
import jakarta.annotation.Nullable;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static io.mysqlpq.trino.planning.PlanningSessionProperties.replicasPerQuery;
import static io.mysqlpq.trino.routing.Failures.runAll;
import static io.mysqlpq.trino.routing.RoutingSessionProperties.readServer;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotOptions;
import static io.trino.spi.StandardErrorCode.USER_CANCELED;
import static java.util.Objects.requireNonNull;

/**
 * Knows which server a Trino transaction reads from.
 *
 * <p>A query reads from one server, so that all its scans see one moment, and finds its tables there. Other servers may read some of its ranges, if they
 * show the same moment. There are three rules:
 * <ul>
 * <li>A transaction of several statements that may write reads from the primary, because it must see what it wrote.
 * <li>A query that changes rows by what it reads of them reads from the primary, because a replica may show them as they were.
 * <li>Every other transaction reads from the server that is chosen when it first asks for a table. Only if Trino runs the query again, it may be
 * another one.
 * </ul>
 */
final class Route
{
    private final Router router;
    private final IsolationLevel isolationLevel;
    private final boolean readOnly;
    private final boolean autoCommit;
    private final Companions companions;
    // Held while a server is chosen, for as long as servers take to answer. Whoever ends the query does not wait for it.
    private final ReentrantLock choosing = new ReentrantLock();

    // The transaction's servers, each of which has a transaction of its own.
    @GuardedBy("this")
    private final Map<ServerPart, Leg> legs = new LinkedHashMap<>();
    // What the query told the metadata, which another server's must know too.
    @GuardedBy("this")
    private final List<Told> told = new ArrayList<>();
    @GuardedBy("this")
    @Nullable
    private Leg current;
    // Why nothing can be read.
    @GuardedBy("this")
    private Optional<TrinoException> obstacle = Optional.empty();
    @GuardedBy("this")
    private boolean changesRows;
    @GuardedBy("this")
    private boolean queryEnded;
    @GuardedBy("this")
    private boolean ended;
    @GuardedBy("this")
    private int scans;
    // Counts scans in all runs of the query.
    @GuardedBy("this")
    private int begun;

    Route(Router router, IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        this.router = requireNonNull(router, "router is null");
        this.isolationLevel = requireNonNull(isolationLevel, "isolationLevel is null");
        this.readOnly = readOnly;
        this.autoCommit = autoCommit;
        this.companions = new Companions(router, isolationLevel, readOnly, autoCommit);
    }

    /** Returns what the query reads from. Blocks while a server is chosen. */
    Leg current(ConnectorSession session)
    {
        return present().orElseGet(() -> choosing(() -> present().orElseGet(() -> goToChosen(session))));
    }

    /** Returns the primary's part, where all is written. What is read from stays what it is. */
    Leg primary(ConnectorSession session)
    {
        return choosing(() -> leg(session, router.parts().primary()));
    }

    private synchronized Optional<Leg> present()
    {
        throwIfEnded();
        return Optional.ofNullable(current);
    }

    private <T> T choosing(Supplier<T> choice)
    {
        choosing.lock();
        try {
            return choice.get();
        }
        finally {
            choosing.unlock();
        }
    }

    // A server that was chosen counts the query until its part of the transaction does.
    private Leg goToChosen(ConnectorSession session)
    {
        ServerPart chosen = choose(session);
        try {
            return go(session, chosen);
        }
        finally {
            router.end(chosen);
        }
    }

    // Tables can be created while there is nothing to read from.
    private ServerPart choose(ConnectorSession session)
    {
        if (!autoCommit && !readOnly) {
            return router.begin(router.parts().primary());
        }
        try {
            return router.choose(session, this::checkWanted);
        }
        catch (TrinoException e) {
            setObstacle(Optional.of(e));
            return router.begin(router.parts().primary());
        }
    }

    private synchronized void checkWanted()
    {
        throwIfEnded();
        if (queryEnded) {
            throw new TrinoException(USER_CANCELED, "The query has ended");
        }
    }

    private synchronized void setObstacle(Optional<TrinoException> cause)
    {
        obstacle = cause;
    }

    private Leg go(ConnectorSession session, ServerPart part)
    {
        Leg leg = leg(session, part);
        become(leg);
        return leg;
    }

    private synchronized void become(Leg leg)
    {
        throwIfEnded();
        current = leg;
    }

    // The caller holds the lock of those that choose, so nobody else opens it.
    private Leg leg(ConnectorSession session, ServerPart part)
    {
        Leg leg = existing(part).orElseGet(() -> open(session, part));
        for (Optional<Told> next = next(leg); next.isPresent(); next = next(leg)) {
            Object _ = RoutedMetadata.call(leg.metadata(), next.get().method(), next.get().arguments().toArray());
        }
        return leg;
    }

    private synchronized Optional<Leg> existing(ServerPart part)
    {
        throwIfEnded();
        return Optional.ofNullable(legs.get(part));
    }

    private Leg open(ConnectorSession session, ServerPart part)
    {
        ConnectorTransactionHandle transaction = part.connector().beginTransaction(isolationLevel, readOnly, autoCommit);
        Leg leg = new Leg(part, transaction, part.connector().getMetadata(session, transaction));
        ServerPart _ = router.begin(part);
        boolean kept = false;
        try {
            keep(leg);
            kept = true;
            return leg;
        }
        finally {
            if (!kept) {
                router.end(part);
                part.connector().rollback(transaction);
            }
        }
    }

    private synchronized void keep(Leg leg)
    {
        throwIfEnded();
        legs.put(leg.part(), leg);
    }

    private synchronized Optional<Told> next(Leg leg)
    {
        return leg.heard < told.size() ? Optional.of(told.get(leg.heard++)) : Optional.empty();
    }

    /** Takes note of what the query tells the metadata of its tables. */
    synchronized void tell(Method method, Object[] arguments)
    {
        boolean upToDate = current != null && current.heard == told.size();
        told.add(new Told(method, Arrays.asList(arguments)));
        if (upToDate) {
            current.heard++;
        }
    }

    /** Takes note that the query will run a scan. */
    synchronized void tellScan(Method method, Object[] arguments)
    {
        throwIfNothingCanBeRead();
        tell(method, arguments);
        scans++;
    }

    /**
     * Has the query read from the primary, because it will change rows by what it reads. A transaction of several statements has chosen for good.
     *
     * @return what the query has read its tables' columns from until now, if that was another server
     */
    Optional<Leg> changeRows(ConnectorSession session)
    {
        if (!autoCommit) {
            return Optional.empty();
        }
        return choosing(() -> {
            Optional<Leg> before = present();
            Leg primary = go(session, router.parts().primary());
            setChangesRows();
            return before.filter(leg -> leg != primary);
        });
    }

    private synchronized void setChangesRows()
    {
        changesRows = true;
        obstacle = Optional.empty();
    }

    /** Returns the calls by which the query has found its tables. */
    synchronized List<Told> tables()
    {
        return told.stream().filter(call -> call.method().getName().equals("getTableHandle")).toList();
    }

    /** Returns what a scan of the query reads from. Trino begins all scans once more if it runs a query again. */
    Leg beginScan(ConnectorSession session)
    {
        if (beginsAgain()) {
            choosing(() -> {
                setObstacle(Optional.empty());
                companions.leave(session);
                Leg before = current(session);
                Leg now = goToChosen(session);
                if (now != before) {
                    // Its snapshot is of no use to the new run.
                    leave(session, before);
                }
                return now;
            });
        }
        throwIfNothingCanBeRead();
        return current(session);
    }

    /**
     * Returns the servers that the query's scans read from at one moment, with the one that plans first. Empty if the query reads from that one only, as it
     * does when Trino runs it again.
     */
    Optional<CompletableFuture<List<ServerTransaction>>> moment(ConnectorSession session, Executor executor)
    {
        int servers = replicasPerQuery(session);
        if (servers == 1 || !autoCommit || readServer(session).isPresent() || !sharesOneSnapshot(session)) {
            return Optional.empty();
        }
        return planning().map(first -> companions.moment(session, first, servers - 1, executor));
    }

    private synchronized Optional<ServerTransaction> planning()
    {
        throwIfEnded();
        if (changesRows || begun > scans || current == null || current.part().equals(router.parts().primary())) {
            return Optional.empty();
        }
        return Optional.of(current.serverTransaction());
    }

    // The snapshots of groups are opened without regard to other servers.
    private static boolean sharesOneSnapshot(ConnectorSession session)
    {
        SnapshotOptions options = snapshotOptions(session);
        return options.group().isEmpty() && options.mode().isShared();
    }

    private synchronized boolean beginsAgain()
    {
        boolean again = begun > 0 && scans > 0 && begun % scans == 0;
        begun++;
        return again && autoCommit && !changesRows;
    }

    private void leave(ConnectorSession session, Leg leg)
    {
        forget(leg);
        router.end(leg.part());
        runAll(List.of(
                () -> leg.metadata().cleanupQuery(session),
                () -> leg.part().connector().rollback(leg.transaction())));
    }

    private synchronized void forget(Leg leg)
    {
        Leg _ = legs.remove(leg.part());
    }

    /** Fails if there was no server to read from when the query chose one. */
    synchronized void throwIfNothingCanBeRead()
    {
        obstacle.ifPresent(cause -> {
            throw new TrinoException(cause::getErrorCode, cause.getMessage(), cause);
        });
    }

    /** Has all servers' parts forget what they remember of tables, because one has changed. */
    void forgetTables()
    {
        router.parts().forget();
    }

    @GuardedBy("this")
    private void throwIfEnded()
    {
        if (ended) {
            throw new TrinoException(USER_CANCELED, "The transaction has ended");
        }
    }

    /** Takes note that a query begins. A transaction may have several. Chooses no server: Trino waits for the call with a lock. */
    void beginQuery(ConnectorSession session, Method method, Object[] arguments)
    {
        begin(method, arguments);
        present().ifPresent(leg -> choosing(() -> leg(session, leg.part())));
    }

    private synchronized void begin(Method method, Object[] arguments)
    {
        queryEnded = false;
        told.add(new Told(method, Arrays.asList(arguments)));
    }

    /** Ends the query. Waits for nobody who chooses a server for it. */
    void endQuery(ConnectorSession session)
    {
        List<Runnable> cleanups = companions.endQuery(session);
        runAll(Stream.concat(
                endQuery().stream().<Runnable>map(leg -> () -> leg.metadata().cleanupQuery(session)),
                cleanups.stream()).toList());
    }

    private synchronized List<Leg> endQuery()
    {
        queryEnded = true;
        told.clear();
        legs.values().forEach(leg -> leg.heard = 0);
        scans = 0;
        begun = 0;
        return List.copyOf(legs.values());
    }

    /** Returns the transactions to end, once. */
    List<ServerTransaction> end()
    {
        List<ServerTransaction> last = Stream.concat(endLegs().stream(), companions.end().stream()).toList();
        last.forEach(transaction -> router.end(transaction.part()));
        return last;
    }

    private synchronized List<ServerTransaction> endLegs()
    {
        ended = true;
        List<ServerTransaction> last = legs.values().stream().map(Leg::serverTransaction).toList();
        legs.clear();
        current = null;
        return last;
    }

    /** One server's part of a transaction. */
    static final class Leg
    {
        private final ServerPart part;
        private final ConnectorTransactionHandle transaction;
        private final ConnectorMetadata metadata;
        // How much of what the query has told the metadata knows. Guarded by the route.
        private int heard;

        private Leg(ServerPart part, ConnectorTransactionHandle transaction, ConnectorMetadata metadata)
        {
            this.part = requireNonNull(part, "part is null");
            this.transaction = requireNonNull(transaction, "transaction is null");
            this.metadata = requireNonNull(metadata, "metadata is null");
        }

        ServerPart part()
        {
            return part;
        }

        ConnectorTransactionHandle transaction()
        {
            return transaction;
        }

        ServerTransaction serverTransaction()
        {
            return new ServerTransaction(part, transaction);
        }

        ConnectorMetadata metadata()
        {
            return metadata;
        }
    }

    record Told(Method method, List<Object> arguments)
    {}
}
