package io.mysqlpq.trino.routing;

import io.trino.spi.connector.ConnectorTransactionHandle;

import static java.util.Objects.requireNonNull;

/** Is the part of a Trino transaction that one server's part of the connector has. */
record ServerTransaction(ServerPart part, ConnectorTransactionHandle handle)
{
    ServerTransaction
    {
        requireNonNull(part, "part is null");
        requireNonNull(handle, "handle is null");
    }
}
