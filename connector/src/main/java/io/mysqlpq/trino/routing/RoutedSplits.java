package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.operations.OperationHandle;
import io.mysqlpq.trino.operations.OperationSplit;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;
import io.trino.spi.connector.FixedSplitSource;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

import static java.util.Objects.requireNonNull;

/** Makes the splits of a scan with the part of the connector that reads the query's server, and one split for each server where all of them are asked. */
final class RoutedSplits
        implements ConnectorSplitManager
{
    private final Function<ConnectorTransactionHandle, Route> routes;
    private final Router router;

    RoutedSplits(Function<ConnectorTransactionHandle, Route> routes, Router router)
    {
        this.routes = requireNonNull(routes, "routes is null");
        this.router = requireNonNull(router, "router is null");
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableHandle table, Set<ColumnHandle> dynamicFilterColumns, Constraint constraint)
    {
        Route.Leg leg = routes.apply(transaction).beginScan(session);
        return new RoutedSplitSource(leg.part().address(), leg.part().connector().getSplitManager().getSplits(leg.transaction(), session, table, dynamicFilterColumns, constraint));
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
