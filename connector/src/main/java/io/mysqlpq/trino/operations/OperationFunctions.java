package io.mysqlpq.trino.operations;

import com.google.inject.Inject;
import io.trino.plugin.base.classloader.ClassLoaderSafeTableFunctionProcessorProviderFactory;
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

/** Finds who gives the rows of a table function. */
public final class OperationFunctions
        implements FunctionProvider
{
    private final TableRanges ranges;
    private final RunningScans runningScans;
    private final ServerFindings findings;

    @Inject
    OperationFunctions(TableRanges ranges, RunningScans runningScans, ServerFindings findings)
    {
        this.ranges = requireNonNull(ranges, "ranges is null");
        this.runningScans = requireNonNull(runningScans, "runningScans is null");
        this.findings = requireNonNull(findings, "findings is null");
    }

    @Override
    public TableFunctionProcessorProviderFactory getTableFunctionProcessorProviderFactory(ConnectorTableFunctionHandle handle)
    {
        return new ClassLoaderSafeTableFunctionProcessorProviderFactory(Provider::new, getClass().getClassLoader());
    }

    private RowsProcessor processor(ConnectorSession session, OperationHandle handle)
    {
        return switch (handle) {
            case OperationHandle.Ranges asked -> processor(ranges, session, asked);
            case OperationHandle.RunningScans asked -> processor(runningScans, session, asked);
            case OperationHandle.Doctor asked -> processor(findings, session, asked);
        };
    }

    private static <H extends OperationHandle> RowsProcessor processor(OperationRows<H> rows, ConnectorSession session, H handle)
    {
        return new RowsProcessor(rows.columns(), () -> rows.rows(session, handle));
    }

    private final class Provider
            implements TableFunctionProcessorProvider
    {
        @Override
        public TableFunctionSplitProcessor getSplitProcessor(ConnectorSession session, ConnectorTableFunctionHandle handle, Optional<ConnectorTableCredentials> credentials, ConnectorSplit split)
        {
            return processor(session, (OperationHandle) handle);
        }
    }
}
