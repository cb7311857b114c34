package io.mysqlpq.trino.routing;

import com.google.common.collect.ImmutableSet;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.table.Argument;
import io.trino.spi.function.table.ArgumentSpecification;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.function.table.ReturnTypeSpecification;
import io.trino.spi.function.table.TableFunctionAnalysis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static java.util.Objects.requireNonNull;

/** Has a call of a table function analyzed by the part of the connector that reads the query's server. */
final class RoutedFunction
        implements ConnectorTableFunction
{
    // They tell what is wrong, or what the coordinator has counted.
    private static final Set<String> WITHOUT_READING = ImmutableSet.of("doctor", "running_scans", "counters");

    private final ConnectorTableFunction primary;
    private final Function<ConnectorTransactionHandle, Route> routes;

    /** @param primary the same function of the primary's part */
    RoutedFunction(ConnectorTableFunction primary, Function<ConnectorTransactionHandle, Route> routes)
    {
        this.primary = requireNonNull(primary, "primary is null");
        this.routes = requireNonNull(routes, "routes is null");
    }

    @Override
    public String getSchema()
    {
        return primary.getSchema();
    }

    @Override
    public String getName()
    {
        return primary.getName();
    }

    @Override
    public List<ArgumentSpecification> getArguments()
    {
        return primary.getArguments();
    }

    @Override
    public ReturnTypeSpecification getReturnTypeSpecification()
    {
        return primary.getReturnTypeSpecification();
    }

    @Override
    public TableFunctionAnalysis analyze(ConnectorSession session, ConnectorTransactionHandle transaction, Map<String, Argument> arguments, ConnectorAccessControl accessControl)
    {
        Route route = routes.apply(transaction);
        Route.Leg leg = route.current(session);
        if (!WITHOUT_READING.contains(getName())) {
            route.throwIfNothingCanBeRead();
        }
        return leg.part().connector().getTableFunctions().stream()
                .filter(function -> function.getSchema().equals(getSchema()) && function.getName().equals(getName()))
                .collect(onlyElement())
                .analyze(session, leg.transaction(), arguments, accessControl);
    }
}
