package io.mysqlpq.trino.snapshot;

import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/** Finds the moment that one scan sees, in the scan's transaction. */
public final class ScanMoment
{
    private final TransactionSnapshots snapshots;
    private final ConnectorTransactionHandle transaction;
    private final ConnectorSession session;
    private final List<RemoteTableName> tables;
    private final SnapshotOptions options;
    // Trino may run a query again after a failure, in the same transaction.
    private final int run;

    ScanMoment(TransactionSnapshots snapshots, ConnectorTransactionHandle transaction, ConnectorSession session, List<RemoteTableName> tables, SnapshotOptions options, int run)
    {
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.transaction = requireNonNull(transaction, "transaction is null");
        this.session = requireNonNull(session, "session is null");
        this.tables = List.copyOf(tables);
        this.options = requireNonNull(options, "options is null");
        this.run = run;
    }

    /**
     * Completes when the scan's snapshot may be opened: when there is a connection for it, if it needs one of its own.
     *
     * @param oneStatement whether the scan is one statement in any case
     */
    public CompletableFuture<?> admit(boolean oneStatement)
    {
        return isOwn(oneStatement) ? completedFuture(null) : snapshots.admit(transaction, session, options);
    }

    /**
     * Says what the scan sees. Blocks for some statements if the snapshot has to be opened.
     *
     * @param oneStatement whether the scan is one statement in any case
     */
    public ScanSnapshot open(boolean oneStatement)
    {
        return isOwn(oneStatement) ? new ScanSnapshot.OneStatement() : snapshots.scan(transaction, session, tables, run, options);
    }

    private boolean isOwn(boolean oneStatement)
    {
        return oneStatement && snapshots.isOwnMoment(transaction, session, options);
    }

    /** Tells in how many sessions the scan's tables will be read. */
    public void planned(long sessions)
    {
        snapshots.planned(transaction, session, tables, run, sessions);
    }
}
