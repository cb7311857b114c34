package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.log.Logger;
import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.transaction.IsolationLevel;
import jakarta.annotation.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.routing.Failures.runAll;
import static io.trino.spi.StandardErrorCode.USER_CANCELED;
import static java.util.Objects.requireNonNull;

/** Has a query's transactions on the servers that show the moment of the server that plans it. */
final class Companions
{
    private static final Logger log = Logger.get(Companions.class);

    private final Router router;
    private final IsolationLevel isolationLevel;
    private final boolean readOnly;
    private final boolean autoCommit;

    // The servers that the scans of the query's first run read from.
    @GuardedBy("this")
    @Nullable
    private CompletableFuture<List<ServerTransaction>> moment;
    @GuardedBy("this")
    private final List<ServerTransaction> companions = new ArrayList<>();
    @GuardedBy("this")
    private boolean ended;

    Companions(Router router, IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        this.router = requireNonNull(router, "router is null");
        this.isolationLevel = requireNonNull(isolationLevel, "isolationLevel is null");
        this.readOnly = readOnly;
        this.autoCommit = autoCommit;
    }

    /**
     * Returns the servers that show one moment, of which others are looked for when the query asks for the first time.
     *
     * @param first the server that plans the query, which is the first one of the result too
     * @param others how many to look for
     */
    CompletableFuture<List<ServerTransaction>> moment(ConnectorSession session, ServerTransaction first, int others, Executor executor)
    {
        CompletableFuture<List<ServerTransaction>> opened;
        synchronized (this) {
            throwIfEnded();
            if (moment != null) {
                return moment;
            }
            opened = new CompletableFuture<>();
            moment = opened;
        }
        whenAdmitted(session, first, others, executor, opened);
        return opened;
    }

    // A busy server lets the query wait before it holds anything.
    private void whenAdmitted(ConnectorSession session, ServerTransaction first, int others, Executor executor, CompletableFuture<List<ServerTransaction>> opened)
    {
        CompletableFuture<Void> admitted = first.part().admission().admitQuery(session);
        // Whoever ends the query gives up the wait.
        var _ = opened.whenComplete((_, _) -> admitted.cancel(false));
        var _ = admitted.whenComplete((_, failure) -> {
            try {
                if (failure != null || opened.isDone()) {
                    opened.complete(ImmutableList.of(first));
                    return;
                }
                executor.execute(() -> complete(opened, () -> open(session, first, others, executor)));
            }
            catch (RuntimeException e) {
                log.debug(e, "Query %s reads from one server", session.getQueryId());
                opened.complete(ImmutableList.of(first));
            }
        });
    }

    // Scans wait for it, so it has to end, whatever fails.
    private static <T> void complete(CompletableFuture<T> future, Supplier<T> result)
    {
        try {
            future.complete(result.get());
        }
        catch (Throwable e) {
            future.completeExceptionally(e);
        }
    }

    private List<ServerTransaction> open(ConnectorSession session, ServerTransaction first, int others, Executor executor)
    {
        List<ServerTransaction> servers = ImmutableList.of(first);
        try {
            List<ServerTransaction> opened = router.admitted(session, router.companions(session, first.part(), others)).stream().map(this::open).collect(toImmutableList());
            servers = opened.isEmpty() ? servers : router.openMoment(session, first, opened, executor);
        }
        catch (RuntimeException e) {
            log.debug(e, "Query %s reads from one server", session.getQueryId());
            leave(session);
        }
        first.part().queries().recordSpread(servers.size());
        return servers;
    }

    private ServerTransaction open(ServerPart part)
    {
        ConnectorTransactionHandle transaction = part.connector().beginTransaction(isolationLevel, readOnly, autoCommit);
        ServerTransaction companion = new ServerTransaction(router.begin(part), transaction);
        boolean kept = false;
        try {
            keep(companion);
            kept = true;
            return companion;
        }
        finally {
            if (!kept) {
                router.end(part);
                part.connector().rollback(transaction);
            }
        }
    }

    private synchronized void keep(ServerTransaction companion)
    {
        throwIfEnded();
        companions.add(companion);
    }

    @GuardedBy("this")
    private void throwIfEnded()
    {
        if (ended) {
            throw new TrinoException(USER_CANCELED, "The transaction has ended");
        }
    }

    /** Ends the transactions, because their snapshots are of no use to a new run of the query. */
    void leave(ConnectorSession session)
    {
        runAll(take().stream().<Runnable>map(companion -> () -> {
            router.end(companion.part());
            companion.part().admission().cleanupQuery(session);
            companion.part().connector().rollback(companion.handle());
        }).toList());
    }

    private synchronized List<ServerTransaction> take()
    {
        List<ServerTransaction> taken = List.copyOf(companions);
        companions.clear();
        return taken;
    }

    /** Gives up to look for servers. Returns what else ends the query. */
    List<Runnable> endQuery(ConnectorSession session)
    {
        CompletableFuture<List<ServerTransaction>> given;
        List<ServerTransaction> opened;
        synchronized (this) {
            given = moment;
            moment = null;
            opened = List.copyOf(companions);
        }
        // Whoever waits for it runs other code, never under our lock.
        if (given != null) {
            given.cancel(false);
        }
        return opened.stream().<Runnable>map(companion -> () -> companion.part().admission().cleanupQuery(session)).toList();
    }

    /** Returns the transactions to end, once. */
    synchronized List<ServerTransaction> end()
    {
        ended = true;
        return take();
    }
}
