package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import io.airlift.log.Logger;
import io.airlift.units.Duration;
import io.mysqlpq.trino.server.AwaitedPosition;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.Duration.nanosSince;
import static java.lang.Math.max;
import static java.lang.System.nanoTime;
import static java.util.Comparator.comparingLong;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Opens snapshots of several replicas that have exactly the same transactions.
 *
 * <p>Replicas of one source reach the same state at different times. Each of them opens a snapshot and tells its set of transactions. Those that are behind
 * the largest set then wait until they have it. One that commits more before its snapshot opens sets the mark for the others. No replica waits for
 * another one with its commits (docs/decisions/one-moment.md).
 */
final class OneMoment
{
    private static final Logger log = Logger.get(OneMoment.class);
    // An answer may be on its way when the time is over.
    private static final long GRACE_MILLIS = 100;
    // Every server has these.
    private static final String NO_TRANSACTIONS = "";

    private final ConnectorSession session;
    private final Duration answerLimit;
    private final Duration limit;
    private final Executor executor;
    private final Consumer<ServerPart> failed;

    /**
     * @param answerLimit longest wait for connections and tables
     * @param limit longest wait for one moment after that
     * @param failed learns of a server that cannot take part
     */
    OneMoment(ConnectorSession session, Duration answerLimit, Duration limit, Executor executor, Consumer<ServerPart> failed)
    {
        this.session = requireNonNull(session, "session is null");
        this.answerLimit = requireNonNull(answerLimit, "answerLimit is null");
        this.limit = requireNonNull(limit, "limit is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.failed = requireNonNull(failed, "failed is null");
    }

    /**
     * Blocks until the servers show one moment, or the time is over.
     *
     * @return the first server, and those of the others that show the same as it
     */
    List<ServerTransaction> open(ServerTransaction first, List<ServerTransaction> others)
    {
        List<RemoteTableName> tables = first.part().snapshots().tables(first.handle(), session);
        List<ServerTransaction> all = ImmutableList.<ServerTransaction>builder().add(first).addAll(others).build();
        Map<ServerTransaction, String> positions = ask(all, server -> begin(server, tables), answerLimit.toMillis());
        long start = nanoTime();
        while (positions.containsKey(first) && positions.values().stream().distinct().count() > 1) {
            long left = limit.toMillis() - nanosSince(start).toMillis();
            if (left <= 0) {
                break;
            }
            String mark = positions.values().stream().max(comparingLong(TransactionSets::size)).orElseThrow();
            List<ServerTransaction> behind = positions.keySet().stream().filter(server -> !positions.get(server).equals(mark)).collect(toImmutableList());
            positions.keySet().removeAll(behind);
            positions.putAll(ask(behind, server -> openAt(server, mark, left), left));
        }
        String shown = positions.getOrDefault(first, NO_TRANSACTIONS);
        // A server that counts no transactions says nothing of its rows.
        List<ServerTransaction> equal = shown.equals(NO_TRANSACTIONS) ? ImmutableList.of() : positions.keySet().stream().filter(server -> positions.get(server).equals(shown)).collect(toImmutableList());
        all.stream().filter(server -> !equal.contains(server)).forEach(this::giveUp);
        return equal.size() < 2 ? lendAlone(first, equal) : lend(first, equal);
    }

    private List<ServerTransaction> lendAlone(ServerTransaction first, List<ServerTransaction> equal)
    {
        equal.forEach(this::giveUp);
        return ImmutableList.of(first);
    }

    private List<ServerTransaction> lend(ServerTransaction first, List<ServerTransaction> equal)
    {
        Map<ServerTransaction, Map<RemoteTableName, String>> definitions = ask(equal, server -> server.part().snapshots().lend(server.handle(), session), answerLimit.toMillis());
        Map<RemoteTableName, String> ofFirst = definitions.get(first);
        ImmutableList.Builder<ServerTransaction> servers = ImmutableList.<ServerTransaction>builder().add(first);
        definitions.keySet().stream().filter(server -> !server.equals(first)).forEach(server -> {
            if (ofFirst == null) {
                giveUp(server);
            }
            else if (definitions.get(server).equals(ofFirst)) {
                servers.add(server);
            }
            else {
                log.debug("Server %s defines tables otherwise than %s", server.part().address(), first.part().address());
                fail(server);
            }
        });
        return servers.build();
    }

    private String begin(ServerTransaction server, List<RemoteTableName> tables)
            throws SQLException, ExtensionUnavailableException
    {
        tables.forEach(table -> server.part().snapshots().addTable(server.handle(), session, table));
        return openAt(server, NO_TRANSACTIONS, limit.toMillis());
    }

    private String openAt(ServerTransaction server, String mark, long millis)
            throws SQLException, ExtensionUnavailableException
    {
        return server.part().snapshots().openAt(server.handle(), session, AwaitedPosition.of(mark, new Duration(millis, MILLISECONDS))).gtidExecuted();
    }

    // Asks all servers at once. What failed, or came too late, is given up and not returned.
    private <T> Map<ServerTransaction, T> ask(List<ServerTransaction> servers, Call<T> call, long millis)
    {
        Map<ServerTransaction, CompletableFuture<T>> calls = new HashMap<>();
        servers.forEach(server -> calls.put(server, supplyAsync(() -> answer(server, call), executor)));
        long start = nanoTime();
        Map<ServerTransaction, T> answers = new LinkedHashMap<>();
        for (ServerTransaction server : servers) {
            try {
                answers.put(server, calls.get(server).get(max(millis + GRACE_MILLIS - nanosSince(start).toMillis(), 0), MILLISECONDS));
            }
            catch (ExecutionException | TimeoutException e) {
                log.debug(e, "Server %s does not take part in a moment of several", server.part().address());
                fail(server);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                giveUp(server);
            }
        }
        return answers;
    }

    private static <T> T answer(ServerTransaction server, Call<T> call)
    {
        try {
            return call.of(server);
        }
        catch (SQLException | ExtensionUnavailableException e) {
            throw new CompletionException(e);
        }
    }

    private void fail(ServerTransaction server)
    {
        failed.accept(server.part());
        giveUp(server);
    }

    private void giveUp(ServerTransaction server)
    {
        server.part().snapshots().giveUpPosition(server.handle(), session);
    }

    private interface Call<T>
    {
        T of(ServerTransaction server)
                throws SQLException, ExtensionUnavailableException;
    }
}
