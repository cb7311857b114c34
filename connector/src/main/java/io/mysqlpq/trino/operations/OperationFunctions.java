package io.mysqlpq.trino.operations;

import com.google.inject.Inject;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.trino.plugin.base.classloader.ClassLoaderSafeTableFunctionProcessorProviderFactory;
import io.trino.plugin.jdbc.ForJdbcClient;
import io.trino.spi.classloader.ThreadContextClassLoader;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.function.FunctionProvider;
import io.trino.spi.function.table.ConnectorTableFunctionHandle;
import io.trino.spi.function.table.TableFunctionProcessorProvider;
import io.trino.spi.function.table.TableFunctionProcessorProviderFactory;
import io.trino.spi.function.table.TableFunctionSplitProcessor;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static java.util.Objects.requireNonNull;

/** Finds the source of a table function's rows. */
public final class OperationFunctions
        implements FunctionProvider
{
    private final ConnectionPools connections;
    private final TableRanges ranges;
    private final RunningScans runningScans;
    private final ServerFindings findings;
    private final Executor executor;

    @Inject
    OperationFunctions(ConnectionPools connections, TableRanges ranges, RunningScans runningScans, ServerFindings findings, @ForJdbcClient ExecutorService executor)
    {
        this.connections = requireNonNull(connections, "connections is null");
        this.ranges = requireNonNull(ranges, "ranges is null");
        this.runningScans = requireNonNull(runningScans, "runningScans is null");
        this.findings = requireNonNull(findings, "findings is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public TableFunctionProcessorProviderFactory getTableFunctionProcessorProviderFactory(ConnectorTableFunctionHandle handle)
    {
        return new ClassLoaderSafeTableFunctionProcessorProviderFactory(Provider::new, getClass().getClassLoader());
    }

    private RowsProcessor processor(ConnectorSession session, OperationHandle handle, Optional<String> obstacle)
    {
        return switch (handle) {
            case OperationHandle.Ranges asked -> processor(ranges, session, asked, obstacle);
            case OperationHandle.RunningScans asked -> processor(runningScans, session, asked, obstacle);
            case OperationHandle.Doctor asked -> processor(findings, session, asked, obstacle);
            case OperationHandle.Counters asked -> new RowsProcessor(CountersFunction.COLUMNS, () -> rows(asked), () -> {}, directExecutor());
            case OperationHandle.Position asked -> new RowsProcessor(SnapshotPositionFunction.COLUMNS, () -> SnapshotPositionFunction.rows(asked), () -> {}, directExecutor());
        };
    }

    private <H extends OperationHandle> RowsProcessor processor(OperationRows<H> rows, ConnectorSession session, H handle, Optional<String> obstacle)
    {
        if (obstacle.isPresent()) {
            return new RowsProcessor(rows.columns(), () -> rows.withoutServer(obstacle.get()), () -> {}, directExecutor());
        }
        OperationCall<H> call = new OperationCall<>(connections, session, rows, handle);
        return new RowsProcessor(rows.columns(), () -> rows(call), call::cancel, executor);
    }

    private static List<List<Object>> rows(OperationCall<?> call)
    {
        try (ThreadContextClassLoader _ = new ThreadContextClassLoader(OperationFunctions.class.getClassLoader())) {
            return call.rows();
        }
    }

    private static List<List<Object>> rows(OperationHandle.Counters read)
    {
        return read.counters().stream().map(counter -> Arrays.<Object>asList(counter.type(), counter.attribute(), counter.value(), counter.server().orElse(null))).toList();
    }

    private final class Provider
            implements TableFunctionProcessorProvider
    {
        @Override
        public TableFunctionSplitProcessor getSplitProcessor(ConnectorSession session, ConnectorTableFunctionHandle handle, Optional<ConnectorTableCredentials> credentials, ConnectorSplit split)
        {
            return processor(session, (OperationHandle) handle, ((OperationSplit) split).obstacle());
        }
    }
}
