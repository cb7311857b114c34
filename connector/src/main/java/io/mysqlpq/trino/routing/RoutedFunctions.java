package io.mysqlpq.trino.routing;

import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;
import io.trino.spi.function.table.TableFunctionProcessorProviderFactory;
import io.trino.spi.function.table.TableFunctionSplitProcessor;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Runs a table function on the server that its split names. */
final class RoutedFunctions
        implements FunctionProvider
{
    private final ServerParts parts;

    RoutedFunctions(ServerParts parts)
    {
        this.parts = requireNonNull(parts, "parts is null");
    }

    @Override
    public TableFunctionProcessorProviderFactory getTableFunctionProcessorProviderFactory(ConnectorTableFunctionHandle function)
    {
        return () -> new Provider(parts);
    }

    private record Provider(ServerParts parts)
            implements TableFunctionProcessorProvider
    {
        @Override
        public TableFunctionSplitProcessor getSplitProcessor(ConnectorSession session, ConnectorTableFunctionHandle function, Optional<ConnectorTableCredentials> credentials, ConnectorSplit split)
        {
            RoutedSplit routed = (RoutedSplit) split;
            return parts.of(routed.server()).connector().getFunctionProvider().orElseThrow()
                    .getTableFunctionProcessorProviderFactory(function)
                    .createTableFunctionProcessorProvider()
                    .getSplitProcessor(session, function, credentials, routed.split());
        }
    }
}
