package io.mysqlpq.trino;

import com.google.inject.Inject;
import io.mysqlpq.trino.metadata.ForgettingProcedures;
import io.mysqlpq.trino.operations.OperationFunctions;
import io.mysqlpq.trino.operations.OperationSplits;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.mysqlpq.trino.tables.VerifiedTableCache;
import io.trino.plugin.jdbc.JdbcConnector;
import io.trino.spi.connector.Connector;
import io.trino.spi.connector.ConnectorAccessControl;
import io.trino.spi.connector.ConnectorCapabilities;
import io.trino.spi.connector.ConnectorMetadata;
import io.trino.spi.connector.ConnectorPageSinkProvider;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunction;
import io.trino.spi.procedure.Procedure;
import io.trino.spi.session.PropertyMetadata;
import io.trino.spi.transaction.IsolationLevel;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import static java.util.Objects.requireNonNull;

/** Adds to base-jdbc's connector a snapshot for each transaction, and functions for those who run the servers. */
public final class MysqlPqConnector
        implements Connector
{
    private final JdbcConnector delegate;
    private final TransactionSnapshots snapshots;
    private final VerifiedTableCache tables;
    private final OperationFunctions operations;

    @Inject
    public MysqlPqConnector(JdbcConnector delegate, TransactionSnapshots snapshots, VerifiedTableCache tables, OperationFunctions operations)
    {
        this.delegate = requireNonNull(delegate, "delegate is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.tables = requireNonNull(tables, "tables is null");
        this.operations = requireNonNull(operations, "operations is null");
    }

    @Override
    public ConnectorTransactionHandle beginTransaction(IsolationLevel isolationLevel, boolean readOnly, boolean autoCommit)
    {
        ConnectorTransactionHandle transaction = delegate.beginTransaction(isolationLevel, readOnly, autoCommit);
        snapshots.begin(transaction, readOnly, autoCommit);
        return transaction;
    }

    @Override
    public void commit(ConnectorTransactionHandle transaction)
    {
        try {
            snapshots.end(transaction);
        }
        finally {
            delegate.commit(transaction);
        }
    }

    @Override
    public void rollback(ConnectorTransactionHandle transaction)
    {
        try {
            snapshots.end(transaction);
        }
        finally {
            delegate.rollback(transaction);
        }
    }

    @Override
    public ConnectorMetadata getMetadata(ConnectorSession session, ConnectorTransactionHandle transaction)
    {
        return delegate.getMetadata(session, transaction);
    }

    @Override
    public ConnectorSplitManager getSplitManager()
    {
        return new OperationSplits(delegate.getSplitManager());
    }

    @Override
    public ConnectorPageSourceProvider getPageSourceProvider()
    {
        return delegate.getPageSourceProvider();
    }

    @Override
    public ConnectorPageSinkProvider getPageSinkProvider()
    {
        return delegate.getPageSinkProvider();
    }

    @Override
    public ConnectorAccessControl getAccessControl()
    {
        return delegate.getAccessControl();
    }

    @Override
    public Optional<FunctionProvider> getFunctionProvider()
    {
        return Optional.of(operations);
    }

    @Override
    public Set<Procedure> getProcedures()
    {
        return ForgettingProcedures.of(delegate.getProcedures(), tables::forget);
    }

    @Override
    public Set<ConnectorTableFunction> getTableFunctions()
    {
        return delegate.getTableFunctions();
    }

    @Override
    public List<PropertyMetadata<?>> getSessionProperties()
    {
        return delegate.getSessionProperties();
    }

    @Override
    public List<PropertyMetadata<?>> getTableProperties()
    {
        return delegate.getTableProperties();
    }

    @Override
    public Set<ConnectorCapabilities> getCapabilities()
    {
        return delegate.getCapabilities();
    }

    @Override
    public void shutdown()
    {
        delegate.shutdown();
    }
}
