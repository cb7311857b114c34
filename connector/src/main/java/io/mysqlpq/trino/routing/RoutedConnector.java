package io.mysqlpq.trino.routing;

import com.google.common.base.Ticker;
import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.metadata.ForgettingProcedures;
import io.trino.plugin.jdbc.JdbcTransactionHandle;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorCapabilities;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Function;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static io.mysqlpq.trino.routing.Failures.runAll;
import static java.util.concurrent.TimeUnit.MINUTES;

/**
 * Reads one catalog from several servers. For each server it has a part of the connector, which knows of no other server. Each query reads from one
 * server; all write to the primary.
 */
public final class RoutedConnector
        implements Connector
{
    private static final int MOST_THREADS = 256;

    private final ServerParts parts;
    private final Router router;
    private final Map<ConnectorTransactionHandle, Route> routes = new ConcurrentHashMap<>();
    // Opens moments of several servers. Each wait in it has a limit. What finds no thread reads from one server.
    private final ExecutorService executor = new ThreadPoolExecutor(0, MOST_THREADS, 1, MINUTES, new SynchronousQueue<>(), daemonThreadsNamed("mysql_pq-moment-%s"));

    /** @param replica makes the part for a replica */
    public RoutedConnector(RoutingConfig config, ServerPart primary, Function<ServerAddress, ServerPart> replica, Ticker ticker)
    {
        this.parts = new ServerParts(primary, replica);
        this.router = new Router(config, parts, ticker);
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        ConnectorTransactionHandle transaction = new JdbcTransactionHandle();
        routes.put(transaction, new Route(router, isolationLevel, readOnly, autoCommit));
        return transaction;
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transaction)
    {
        return RoutedMetadata.of(route(transaction), session);
    }

    private Route route(ConnectorTransactionHandle transaction)
    {
        Route route = routes.get(transaction);
        checkState(route != null, "Transaction %s has ended", transaction);
        return route;
    }

    @Override
    public void commit(ConnectorTransactionHandle transaction)
    {
        end(transaction, Connector::commit);
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        end(transaction, Connector::rollback);
    }

    private void end(ConnectorTransactionHandle transaction, End end)
    {
        Route route = routes.remove(transaction);
        if (route != null) {
            runAll(route.end().stream().<Runnable>map(last -> () -> end.end(last.part().connector(), last.handle())).toList());
        }
    }

    private interface End
    {
        void end(Connector connector, ConnectorTransactionHandle transaction);
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return new RoutedSplits(this::route, router, executor);
    }

    @Override
    public ConnectorPageSourceProvider getPageSourceProvider()
    {
        return new RoutedPages(parts);
    }

    @Override
    public ConnectorPageSinkProvider getPageSinkProvider()
    {
        return parts.primary().connector().getPageSinkProvider();
    }

    @Override
    public ConnectorAccessControl getAccessControl()
    {
        return parts.primary().connector().getAccessControl();
    }

    @Override
    public Optional<FunctionProvider> getFunctionProvider()
    {
        return Optional.of(new RoutedFunctions(parts));
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return ForgettingProcedures.of(parts.primary().connector().getProcedures(), parts::forgetReplicas);
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions()
    {
        return parts.primary().connector().getTableFunctions().stream().map(function -> new RoutedFunction(function, this::route)).collect(toImmutableSet());
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return parts.primary().connector().getSessionProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getTableProperties()
    {
        return parts.primary().connector().getTableProperties();
    }

    @Override
    public Set<ConnectorCapabilities> getCapabilities()
    {
        return parts.primary().connector().getCapabilities();
    }

    @Override
    public void shutdown()
    {
        executor.shutdown();
        parts.shutdown();
    }
}
