package io.mysqlpq.trino.snapshot;

import com.google.inject.Inject;
import io.mysqlpq.trino.server.AwaitedPosition;
import io.mysqlpq.trino.server.ExtensionUnavailableException;
import io.mysqlpq.trino.server.SnapshotPosition;
import io.trino.plugin.jdbc.JdbcQueryEventListener;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorTransactionHandle;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import static com.google.common.base.Preconditions.checkState;
import static java.util.Objects.requireNonNull;

/**
 * Knows which snapshot each Trino transaction reads in, on the coordinator.
 *
 * <p>A transaction has one snapshot, from its first scan until it ends. A transaction of several statements that may write has one for each
 * query, because a query sees what earlier queries of the transaction wrote.
 *
 * <p>Trino ends a transaction without waiting for its workers. Their reads then fail, or nobody looks at them.
 */
public final class TransactionSnapshots
        implements JdbcQueryEventListener
{
    private final Donors donors;
    private final SnapshotGroups groups;
    private final SnapshotStats stats;
    private final Map<ConnectorTransactionHandle, Transaction> transactions = new ConcurrentHashMap<>();

    @Inject
    TransactionSnapshots(Donors donors, SnapshotGroups groups, SnapshotStats stats)
    {
        this.donors = requireNonNull(donors, "donors is null");
        this.groups = requireNonNull(groups, "groups is null");
        this.stats = requireNonNull(stats, "stats is null");
    }

    public void begin(ConnectorTransactionHandle handle, boolean readOnly, boolean autoCommit)
    {
        transactions.put(handle, autoCommit || readOnly ? new Transaction.OneSnapshot(newScope(autoCommit), autoCommit) : new Transaction.SnapshotPerQuery(new ConcurrentHashMap<>()));
    }

    /** Tells that a query of the transaction names the table, before any scan of the query is planned. */
    public void addTable(ConnectorTransactionHandle handle, ConnectorSession session, RemoteTableName table)
    {
        switch (transactions.get(handle)) {
            case null -> {}
            case Transaction.OneSnapshot transaction -> transaction.scope().add(table);
            case Transaction.SnapshotPerQuery transaction -> transaction.scopes().computeIfAbsent(session.getQueryId(), _ -> newScope(true)).add(table);
        }
    }

    /** Tells that a query of the transaction will run a scan of the tables, before any of its scans is planned. */
    public void addScan(ConnectorTransactionHandle handle, ConnectorSession session, List<RemoteTableName> tables)
    {
        switch (transactions.get(handle)) {
            case null -> {}
            case Transaction.OneSnapshot transaction -> transaction.scope().addScan(tables);
            case Transaction.SnapshotPerQuery transaction -> transaction.scopes().computeIfAbsent(session.getQueryId(), _ -> newScope(true)).addScan(tables);
        }
    }

    /** Keeps the table locked until the query ends, which changes its rows by what it read of them. */
    public void keep(ConnectorTransactionHandle handle, ConnectorSession session, RemoteTableName table)
    {
        switch (transactions.get(handle)) {
            case null -> {}
            case Transaction.OneSnapshot transaction -> transaction.scope().keep(table);
            case Transaction.SnapshotPerQuery transaction -> transaction.scopes().computeIfAbsent(session.getQueryId(), _ -> newScope(true)).keep(table);
        }
    }

    /**
     * Takes note that a scan of the tables was planned, and how often it reads them.
     *
     * @param run in which run of the query
     */
    void planned(ConnectorTransactionHandle handle, ConnectorSession session, List<RemoteTableName> tables, int run, long reads)
    {
        switch (transactions.get(handle)) {
            case null -> {}
            // A later statement may read the tables again.
            case Transaction.OneSnapshot(SnapshotScope scope, boolean oneQuery) when oneQuery -> scope.planned(tables, run, reads);
            case Transaction.OneSnapshot _ -> {}
            case Transaction.SnapshotPerQuery transaction -> Optional.ofNullable(transaction.scopes().get(session.getQueryId())).ifPresent(scope -> scope.planned(tables, run, reads));
        }
    }

    /** Tells that a scan of the query begins, for which splits are asked. */
    public ScanMoment beginScan(ConnectorTransactionHandle handle, ConnectorSession session, List<RemoteTableName> tables, SnapshotOptions options)
    {
        SnapshotScope scope = scope(handle, session);
        return new ScanMoment(this, handle, session, tables, options, scope == null ? 0 : scope.beginScan());
    }

    /** Whether a scan that is one statement sees what the whole query sees: it is the query's only scan, and the query shares its moment with no other query. */
    boolean isOwnMoment(ConnectorTransactionHandle handle, ConnectorSession session, SnapshotOptions options)
    {
        if (options.mode() != SnapshotMode.AUTO || options.group().isPresent()) {
            return false;
        }
        return switch (transactions.get(handle)) {
            case null -> false;
            case Transaction.OneSnapshot transaction -> transaction.oneQuery() && transaction.scope().hasOneScan();
            case Transaction.SnapshotPerQuery transaction -> Optional.ofNullable(transaction.scopes().get(session.getQueryId())).map(SnapshotScope::hasOneScan).orElse(false);
        };
    }

    /**
     * Says what a scan of the tables sees, in one statement or by ranges. Blocks for some statements if the snapshot has to be opened.
     *
     * @param run in which run of the query: Trino may run it again after a failure, in the same transaction
     */
    ScanSnapshot scan(ConnectorTransactionHandle handle, ConnectorSession session, List<RemoteTableName> tables, int run, SnapshotOptions options)
    {
        return openScope(handle, session).scan(session, tables, run, options);
    }

    /** Completes when the scan's snapshot may be opened: when there is a connection for it, if it needs one of its own. */
    CompletableFuture<?> admit(ConnectorTransactionHandle handle, ConnectorSession session, SnapshotOptions options)
    {
        return openScope(handle, session).admit(session, options);
    }

    /**
     * Opens the transaction's snapshot, and tells which transactions of MySQL it has. Asked again, it opens another one in its place. Scans see it when it
     * is lent. Blocks for some statements.
     *
     * @param awaited transactions that the snapshot waits for
     * @throws IllegalStateException if the server may have other rows than its source where both have the same transactions
     */
    public SnapshotPosition openAt(ConnectorTransactionHandle handle, ConnectorSession session, AwaitedPosition awaited)
            throws SQLException, ExtensionUnavailableException
    {
        return openScope(handle, session).openAt(session, awaited);
    }

    /** Has the transaction's scans see the snapshot that {@link #openAt} has opened last. Returns the definitions of the tables that it holds. */
    public Map<RemoteTableName, String> lend(ConnectorTransactionHandle handle, ConnectorSession session)
            throws SQLException, ExtensionUnavailableException
    {
        return openScope(handle, session).lend();
    }

    /** Returns the tables that the transaction's queries name. */
    public List<RemoteTableName> tables(ConnectorTransactionHandle handle, ConnectorSession session)
    {
        return openScope(handle, session).tables();
    }

    /** Has the transaction's scans see a snapshot that opens when they ask. Waits for nothing. */
    public void giveUpPosition(ConnectorTransactionHandle handle, ConnectorSession session)
    {
        SnapshotScope scope = scope(handle, session);
        if (scope != null) {
            scope.giveUpPosition();
        }
    }

    /** Returns the snapshot of tables that was opened by {@link #openAt} and lent. Empty if they have none, or if Trino has run the query again since. */
    public Optional<ScanSnapshot.Exact> lent(ConnectorTransactionHandle handle, ConnectorSession session, List<RemoteTableName> tables, SnapshotOptions options)
    {
        return openScope(handle, session).lent(tables, options);
    }

    private SnapshotScope openScope(ConnectorTransactionHandle handle, ConnectorSession session)
    {
        SnapshotScope scope = scope(handle, session);
        checkState(scope != null, "Query %s has ended", session.getQueryId());
        return scope;
    }

    @Nullable
    private SnapshotScope scope(ConnectorTransactionHandle handle, ConnectorSession session)
    {
        return switch (transactions.get(handle)) {
            case null -> null;
            case Transaction.OneSnapshot transaction -> transaction.scope();
            case Transaction.SnapshotPerQuery transaction -> transaction.scopes().get(session.getQueryId());
        };
    }

    private SnapshotScope newScope(boolean oneQuery)
    {
        return new SnapshotScope(donors, groups, stats, oneQuery);
    }

    @Override
    public void beginQuery(ConnectorSession session)
    {}

    @Override
    public void cleanupQuery(ConnectorSession session)
    {
        for (Transaction transaction : transactions.values()) {
            if (transaction instanceof Transaction.SnapshotPerQuery(Map<String, SnapshotScope> scopes)) {
                SnapshotScope scope = scopes.remove(session.getQueryId());
                if (scope != null) {
                    scope.close();
                }
            }
        }
    }

    public void end(ConnectorTransactionHandle handle)
    {
        Transaction transaction = transactions.remove(handle);
        if (transaction != null) {
            transaction.close();
        }
    }

    @PreDestroy
    public void close()
    {
        transactions.keySet().forEach(this::end);
    }

    private sealed interface Transaction
    {
        void close();

        /** @param oneQuery whether the transaction ends with its first query */
        record OneSnapshot(SnapshotScope scope, boolean oneQuery)
                implements Transaction
        {
            @Override
            public void close()
            {
                scope.close();
            }
        }

        record SnapshotPerQuery(Map<String, SnapshotScope> scopes)
                implements Transaction
        {
            @Override
            public void close()
            {
                scopes.values().forEach(SnapshotScope::close);
            }
        }
    }
}
