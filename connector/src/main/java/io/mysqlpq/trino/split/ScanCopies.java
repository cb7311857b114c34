package io.mysqlpq.trino.split;

import com.google.inject.Inject;
import io.mysqlpq.trino.connection.ConnectionShares;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;

import java.util.List;
import java.util.Optional;

import static io.mysqlpq.trino.planning.PlanningSessionProperties.planningOptions;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotOptions;
import static java.util.Objects.requireNonNull;

/** Makes copies of scans on this server, where its snapshot has the tables. */
public final class ScanCopies
{
    private final TransactionSnapshots snapshots;
    private final ConnectionShares shares;

    @Inject
    ScanCopies(TransactionSnapshots snapshots, ConnectionShares shares)
    {
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.shares = requireNonNull(shares, "shares is null");
    }

    /** Blocks for some statements if a table was not locked before. */
    public Optional<ScanCopy> of(ConnectorTransactionHandle transaction, ConnectorSession session, List<RemoteTableName> tables)
    {
        return snapshots.lent(transaction, session, tables, snapshotOptions(session))
                .map(snapshot -> new ScanCopy(snapshot.token(), shares.perNode(planningOptions(session).maxConnections())));
    }
}
