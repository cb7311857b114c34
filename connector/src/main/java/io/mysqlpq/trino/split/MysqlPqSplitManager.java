package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.aggregation.AggregationByRanges;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.ResultView;
import io.mysqlpq.trino.connection.ConnectionShares;
import io.mysqlpq.trino.metrics.PlanningTotals;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangePlanner;
import io.mysqlpq.trino.planning.RangeSample;
import io.mysqlpq.trino.snapshot.ScanSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotOptions;
import io.mysqlpq.trino.snapshot.TransactionSnapshots;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.trino.plugin.jdbc.ForJdbcClient;
import io.trino.plugin.jdbc.JdbcDynamicFilteringSplitManager;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplitManager;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.Constraint;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;

import static io.mysqlpq.trino.split.DescribedRelation.withKnownColumns;
import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.dynamicFilteringEnabled;
import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.getDynamicFilteringWaitTimeout;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/** Makes splits: of tables and pushed queries by this connector's plan, of procedures and SQL that is passed through as base-jdbc does. */
public class MysqlPqSplitManager
        implements ConnectorSplitManager
{
    private final JdbcDynamicFilteringSplitManager passthrough;
    private final ServerAdmission admission;
    private final RangePlanner planner;
    private final TransactionSnapshots snapshots;
    private final Function<ConnectorSession, PlanningOptions> planningOptions;
    private final Function<ConnectorSession, SnapshotOptions> snapshotOptions;
    private final Function<ConnectorSession, AggregationOptions> aggregationOptions;
    private final PlanningTotals totals;
    private final ConnectionShares shares;
    private final ExecutorService executor;

    @Inject
    public MysqlPqSplitManager(
            JdbcDynamicFilteringSplitManager passthrough,
            ServerAdmission admission,
            RangePlanner planner,
            TransactionSnapshots snapshots,
            Function<ConnectorSession, PlanningOptions> planningOptions,
            Function<ConnectorSession, SnapshotOptions> snapshotOptions,
            Function<ConnectorSession, AggregationOptions> aggregationOptions,
            PlanningTotals totals,
            ConnectionShares shares,
            @ForJdbcClient ExecutorService executor)
    {
        this.passthrough = requireNonNull(passthrough, "passthrough is null");
        this.admission = requireNonNull(admission, "admission is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
        this.planningOptions = requireNonNull(planningOptions, "planningOptions is null");
        this.snapshotOptions = requireNonNull(snapshotOptions, "snapshotOptions is null");
        this.aggregationOptions = requireNonNull(aggregationOptions, "aggregationOptions is null");
        this.totals = requireNonNull(totals, "totals is null");
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
        List<RemoteTableName> tables = tables(table);
        if (tables.isEmpty()) {
            return new AdmittedSplitSource(passthrough.getSplits(transaction, session, table, dynamicFilterColumns, constraint), () -> admission.admitQuery(session), executor);
        }
        JdbcTableHandle tableHandle = withKnownColumns((JdbcTableHandle) table);
        // A filter under a limit would change which rows the limit takes, and MySQL would read more for it.
        boolean filtered = !dynamicFilterColumns.isEmpty() && tableHandle.getLimit().isEmpty() && dynamicFilteringEnabled(session);
        Optional<RangeSample> sample = tableHandle.getRelationHandle() instanceof DescribedRelation relation ? relation.sample() : Optional.empty();
        PlanningOptions options = planningOptions.apply(session);
        ConnectorSplitSource splits = new MysqlPqSplitSource(
                session,
                tableHandle,
                tables,
                aggregation(tableHandle, aggregationOptions.apply(session)),
                aggregationOptions.apply(session),
                () -> admission.admitQuery(session),
                oneStatement -> admitSnapshot(transaction, session, oneStatement),
                oneStatement -> snapshot(transaction, session, tables, oneStatement),
                planner,
                sample.map(part -> part.cut(options)).orElse(options),
                totals,
                shares,
                executor,
                filtered,
                filtered ? getDynamicFilteringWaitTimeout(session).toMillis() : 0);
        return sample.<ConnectorSplitSource>map(part -> new SampledSplitSource(splits, part)).orElse(splits);
    }

    private CompletableFuture<?> admitSnapshot(ConnectorTransactionHandle transaction, ConnectorSession session, boolean oneStatement)
    {
        SnapshotOptions options = snapshotOptions.apply(session);
        return oneStatement && snapshots.isOwnMoment(transaction, session, options) ? completedFuture(null) : snapshots.admit(transaction, session, options);
    }

    private ScanSnapshot snapshot(ConnectorTransactionHandle transaction, ConnectorSession session, List<RemoteTableName> tables, boolean oneStatement)
    {
        SnapshotOptions options = snapshotOptions.apply(session);
        return oneStatement && snapshots.isOwnMoment(transaction, session, options)
                ? new ScanSnapshot.OneStatement()
                : snapshots.scan(transaction, session, tables, options);
    }

    private static Optional<AggregationByRanges> aggregation(JdbcTableHandle table, AggregationOptions options)
    {
        return options.isParallel() && table.getRelationHandle() instanceof PushedQuery query ? query.byRanges().filter(found -> !(found instanceof PartialAggregation) || ResultView.isSupported(table)) : Optional.empty();
    }

    // None where they are not known.
    private static List<RemoteTableName> tables(ConnectorTableHandle table)
    {
        if (!(table instanceof JdbcTableHandle handle)) {
            return ImmutableList.of();
        }
        return switch (handle.getRelationHandle()) {
            case JdbcNamedRelationHandle relation -> ImmutableList.of(relation.getRemoteTableName());
            case PushedQuery query -> query.tables();
            default -> ImmutableList.of();
        };
    }
}
