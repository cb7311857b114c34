package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.mysqlpq.trino.aggregation.Grouping.ByRanges;
import io.mysqlpq.trino.planning.QueryScans;
import io.mysqlpq.trino.planning.RangeSample;
import io.mysqlpq.trino.planning.ScanDecision;
import io.mysqlpq.trino.planning.ScanPlanner;
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
import java.util.concurrent.ExecutorService;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.aggregation.AggregationSessionProperties.aggregationOptions;
import static io.mysqlpq.trino.handle.TableHandles.withColumns;
import static io.mysqlpq.trino.planning.PlanningSessionProperties.planningOptions;
import static io.mysqlpq.trino.snapshot.SnapshotSessionProperties.snapshotOptions;
import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.dynamicFilteringEnabled;
import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.getDynamicFilteringWaitTimeout;
import static java.util.Objects.requireNonNull;

/** Makes splits: of tables and pushed queries by this connector's plan, of procedures and SQL that is passed through as base-jdbc does. */
public class MysqlPqSplitManager
        implements ConnectorSplitManager
{
    private final JdbcDynamicFilteringSplitManager passthrough;
    private final ServerAdmission admission;
    private final ScanPlanner scans;
    private final SplitPlanner planner;
    private final TransactionSnapshots snapshots;
    private final ExecutorService executor;

    @Inject
    public MysqlPqSplitManager(
            JdbcDynamicFilteringSplitManager passthrough,
            ServerAdmission admission,
            ScanPlanner scans,
            SplitPlanner planner,
            TransactionSnapshots snapshots,
            @ForJdbcClient ExecutorService executor)
    {
        this.passthrough = requireNonNull(passthrough, "passthrough is null");
        this.admission = requireNonNull(admission, "admission is null");
        this.scans = requireNonNull(scans, "scans is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.snapshots = requireNonNull(snapshots, "snapshots is null");
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
        Optional<ByRanges> byRanges = tableHandle.getRelationHandle() instanceof PushedQuery query ? query.byRanges() : Optional.empty();
        // A filter under a limit would change which rows the limit takes, and MySQL would read more for it.
        boolean filtered = !dynamicFilterColumns.isEmpty() && tableHandle.getLimit().isEmpty() && dynamicFilteringEnabled(session);
        Optional<RangeSample> sample = tableHandle.getRelationHandle() instanceof DescribedRelation relation ? relation.sample() : Optional.empty();
        SplitRequest request = new SplitRequest(
                session,
                tableHandle,
                tableHandle.getRelationHandle() instanceof PushedQuery query ? query.tables() : ImmutableList.of(SplitTable.of(tableHandle)),
                byRanges.map(ByRanges::aggregation),
                aggregationOptions(session),
                tableHandle.getRelationHandle() instanceof DescribedRelation relation ? relation.decision().options() : planningOptions(session),
                scans(session, tableHandle, byRanges));
        ConnectorSplitSource splits = new MysqlPqSplitSource(
                request,
                snapshots.beginScan(transaction, session, tables, snapshotOptions(session)),
                planner,
                () -> admission.admitQuery(session),
                executor,
                Optional.of(getDynamicFilteringWaitTimeout(session)).filter(_ -> filtered));
        return sample.<ConnectorSplitSource>map(part -> new SampledSplitSource(splits, part)).orElse(splits);
    }

    // Facts that were found out while the query was planned are not asked for again.
    private QueryScans scans(ConnectorSession session, JdbcTableHandle table, Optional<ByRanges> byRanges)
    {
        return byRanges.map(ByRanges::decision)
                .or(() -> table.getRelationHandle() instanceof DescribedRelation relation ? Optional.of(relation.decision()) : Optional.empty())
                .map(ScanDecision::scans)
                .orElseGet(() -> scans.query(session));
    }

    // Where Trino has asked for no projection, a scan reads all columns.
    private static JdbcTableHandle withKnownColumns(JdbcTableHandle table)
    {
        return table.getColumns().isEmpty() && table.getRelationHandle() instanceof DescribedRelation relation
                ? withColumns(table, relation.decision().rows().getColumns().orElseThrow())
                : table;
    }

    /** All that a scan reads; none where they are not known. */
    public static List<RemoteTableName> tables(ConnectorTableHandle table)
    {
        if (!(table instanceof JdbcTableHandle handle)) {
            return ImmutableList.of();
        }
        return switch (handle.getRelationHandle()) {
            case JdbcNamedRelationHandle relation -> ImmutableList.of(relation.getRemoteTableName());
            case PushedQuery query -> query.tables().stream().map(SplitTable::name).collect(toImmutableList());
            default -> ImmutableList.of();
        };
    }
}
