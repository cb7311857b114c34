package io.mysqlpq.trino.routing;

import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/** Opens each split with the part of the connector that reads its server. */
final class RoutedPages
        implements ConnectorPageSourceProvider
{
    private final ServerParts parts;

    RoutedPages(ServerParts parts)
    {
        this.parts = requireNonNull(parts, "parts is null");
    }

    @Override
    public ConnectorPageSource createPageSource(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorSplit split,
            ConnectorTableHandle table,
            Optional<ConnectorTableCredentials> tableCredentials,
            List<ColumnHandle> columns,
            DynamicFilter dynamicFilter,
            MemoryContext memory)
    {
        RoutedSplit routed = (RoutedSplit) split;
        return parts.of(routed.server()).connector().getPageSourceProvider().createPageSource(transaction, session, routed.split(), table, tableCredentials, columns, dynamicFilter, memory);
    }
}
