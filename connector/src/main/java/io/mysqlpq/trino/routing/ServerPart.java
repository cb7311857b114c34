package io.mysqlpq.trino.routing;

import io.mysqlpq.trino.connection.ServerAddress;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.mysqlpq.trino.split.ScanCopies;
import io.mysqlpq.trino.throttle.AppliedTransactions;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.trino.spi.connector.Connector;

import static java.util.Objects.requireNonNull;

/**
 * Is the part of the connector that plans and reads on one server, with connections, limits and caches of its own.
 *
 * @param address of the server
 * @param queries that read from the server
 * @param forget forgets all that the part remembers of tables
 */
public record ServerPart(ServerAddress address, Connector connector, ServerAdmission admission, AppliedTransactions transactions, TransactionSnapshots snapshots, ScanCopies copies, RoutedQueries queries, Runnable forget)
{
    public ServerPart
    {
        requireNonNull(address, "address is null");
        requireNonNull(connector, "connector is null");
        requireNonNull(admission, "admission is null");
        requireNonNull(transactions, "transactions is null");
        requireNonNull(snapshots, "snapshots is null");
        requireNonNull(copies, "copies is null");
        requireNonNull(queries, "queries is null");
        requireNonNull(forget, "forget is null");
    }
}
