package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.airlift.log.Logger;
import io.mysqlpq.trino.operations.OperationHandle;
import io.mysqlpq.trino.operations.OperationSplit;
import io.mysqlpq.trino.split.MysqlPqSplitManager;
import io.mysqlpq.trino.split.ScanCopy;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.FixedSplitSource;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/**
 * Makes the splits of a scan with the part of the connector that reads the query's server. Where other servers show the same moment, they read some of the
 * splits. Where all servers are asked, each has one split.
 */
final class RoutedSplits
        implements ConnectorSplitManager
{
    private static final Logger log = Logger.get(RoutedSplits.class);
    private static final Set<String> SERVER_SCHEMAS = ImmutableSet.of("mysql", "sys", "information_schema", "performance_schema");

    private final Function<ConnectorTransactionHandle, Route> routes;
    private final Router router;
    private final Executor executor;

    RoutedSplits(Function<ConnectorTransactionHandle, Route> routes, Router router, Executor executor)
    {
        this.routes = requireNonNull(routes, "routes is null");
        this.router = requireNonNull(router, "router is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableHandle table, Set<ColumnHandle> dynamicFilterColumns, Constraint constraint)
    {
        Route route = routes.apply(transaction);
        Route.Leg leg = route.beginScan(session);
        ConnectorSplitSource splits = leg.part().connector().getSplitManager().getSplits(leg.transaction(), session, table, dynamicFilterColumns, constraint);
        List<RemoteTableName> tables = MysqlPqSplitManager.tables(table);
        return new RoutedSplitSource(leg.part().address(), splits, copies(session, tables, route));
    }

    private CompletableFuture<List<CopiedScan>> copies(ConnectorSession session, List<RemoteTableName> tables, Route route)
    {
        if (tables.isEmpty() || tables.stream().anyMatch(RoutedSplits::isOfServer)) {
            return completedFuture(ImmutableList.of());
        }
        return route.moment(session, executor)
                .map(moment -> moment.thenApply(servers -> copies(session, tables, servers)))
                .orElseGet(() -> completedFuture(ImmutableList.of()));
    }

    private static List<CopiedScan> copies(ConnectorSession session, List<RemoteTableName> tables, List<ServerTransaction> servers)
    {
        if (servers.size() == 1 || copy(session, tables, servers.getFirst()).isEmpty()) {
            return ImmutableList.of();
        }
        return servers.stream().skip(1)
                .flatMap(server -> copy(session, tables, server).map(copy -> new CopiedScan(server.part().address(), copy)).stream())
                .collect(toImmutableList());
    }

    // Each server writes these tables for itself.
    private static boolean isOfServer(RemoteTableName table)
    {
        return table.getCatalogName().filter(SERVER_SCHEMAS::contains).isPresent();
    }

    private static Optional<ScanCopy> copy(ConnectorSession session, List<RemoteTableName> tables, ServerTransaction server)
    {
        try {
            return server.part().copies().of(server.handle(), session, tables);
        }
        catch (RuntimeException e) {
            log.debug(e, "A scan does not read from server %s", server.part().address());
            return Optional.empty();
        }
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableFunctionHandle function)
    {
        if (function instanceof OperationHandle operation && operation.isOfEachServer()) {
            return new FixedSplitSource(router.obstacles(session).entrySet().stream().map(server -> split(server.getKey(), server.getValue())).toList());
        }
        return new FixedSplitSource(split(routes.apply(transaction).current(session).part(), Optional.empty()));
    }

    private static RoutedSplit split(ServerPart part, Optional<String> obstacle)
    {
        return new RoutedSplit(part.address(), new OperationSplit(obstacle));
    }
}
