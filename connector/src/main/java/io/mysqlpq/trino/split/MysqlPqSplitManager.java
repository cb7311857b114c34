package io.mysqlpq.trino.split;

import com.google.inject.Inject;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangePlanner;
import io.mysqlpq.trino.snapshot.SnapshotOptions;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.trino.plugin.jdbc.ForJdbcClient;
import io.trino.plugin.jdbc.JdbcDynamicFilteringSplitManager;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;

import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.dynamicFilteringEnabled;
import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.getDynamicFilteringWaitTimeout;
import static java.util.Objects.requireNonNull;

/** Makes splits: of tables by this connector's plan, of procedures and pushed queries as base-jdbc does. */
public class MysqlPqSplitManager
        implements ConnectorSplitManager
{
    private final JdbcDynamicFilteringSplitManager opaqueQueries;
    private final RangePlanner planner;
    private final TransactionSnapshots snapshots;
    private final Function<ConnectorSession, PlanningOptions> planningOptions;
    private final Function<ConnectorSession, SnapshotOptions> snapshotOptions;
    private final ConnectionShares shares;
    private final ExecutorService executor;

    @Inject
    public MysqlPqSplitManager(
            JdbcDynamicFilteringSplitManager opaqueQueries,
            RangePlanner planner,
            TransactionSnapshots snapshots,
            Function<ConnectorSession, PlanningOptions> planningOptions,
            Function<ConnectorSession, SnapshotOptions> snapshotOptions,
            ConnectionShares shares,
            @ForJdbcClient ExecutorService executor)
    {
        this.opaqueQueries = requireNonNull(opaqueQueries, "opaqueQueries is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.planningOptions = requireNonNull(planningOptions, "planningOptions is null");
        this.snapshotOptions = requireNonNull(snapshotOptions, "snapshotOptions is null");
        this.shares = requireNonNull(shares, "shares is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public ConnectorSplitSource getSplits(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorTableHandle table,
            Set<ColumnHandle> dynamicFilterColumns,
            Constraint constraint)
    {
        // A range put around a pushed query would filter outside it.
        if (!(table instanceof JdbcTableHandle tableHandle) || !tableHandle.isNamedRelation()) {
            return opaqueQueries.getSplits(transaction, session, table, dynamicFilterColumns, constraint);
        }
        // A filter under a limit would change which rows the limit takes, and MySQL would read more for it.
        boolean filtered = !dynamicFilterColumns.isEmpty() && tableHandle.getLimit().isEmpty() && dynamicFilteringEnabled(session);
        RemoteTableName name = tableHandle.getRequiredNamedRelation().getRemoteTableName();
        return new MysqlPqSplitSource(
                session,
                tableHandle,
                () -> snapshots.scan(transaction, session, name, snapshotOptions.apply(session)),
                planner,
                planningOptions.apply(session),
                shares,
                executor,
                filtered,
                filtered ? getDynamicFilteringWaitTimeout(session).toMillis() : 0);
    }
}
