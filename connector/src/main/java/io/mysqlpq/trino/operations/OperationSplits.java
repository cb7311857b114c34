package io.mysqlpq.trino.operations;

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

import static java.util.Objects.requireNonNull;

/** Adds the one split of a table function to the splits of tables. */
public final class OperationSplits
        implements ConnectorSplitManager
{
    private final ConnectorSplitManager tables;

    public OperationSplits(ConnectorSplitManager tables)
    {
        this.tables = requireNonNull(tables, "tables is null");
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableHandle table, Set<ColumnHandle> dynamicFilterColumns, Constraint constraint)
    {
        return tables.getSplits(transaction, session, table, dynamicFilterColumns, constraint);
    }

    @Override
    public ConnectorSplitSource getSplits(ConnectorTransactionHandle transaction, ConnectorSession session, ConnectorTableFunctionHandle function)
    {
        return new FixedSplitSource(new OperationSplit(Optional.empty()));
    }
}
