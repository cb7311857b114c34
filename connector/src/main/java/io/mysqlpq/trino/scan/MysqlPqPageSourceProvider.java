package io.mysqlpq.trino.scan;

import com.google.common.base.Suppliers;
import com.google.inject.Inject;
import io.mysqlpq.trino.aggregation.AggregationPageSource;
import io.mysqlpq.trino.aggregation.GroupReader;
import io.mysqlpq.trino.aggregation.MergedAggregation;
import io.mysqlpq.trino.aggregation.ResultView;
import io.mysqlpq.trino.connection.ConnectionPermits;
import io.mysqlpq.trino.connection.ConnectionPools;
import io.mysqlpq.trino.connection.LinkSpeed;
import io.mysqlpq.trino.connection.ReadingScan;
import io.mysqlpq.trino.connection.SplitSession;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.metrics.ReadTotals;
import io.mysqlpq.trino.sharing.SharedReads;
import io.mysqlpq.trino.sharing.SharedReads.Recording;
import io.mysqlpq.trino.split.MysqlPqSplit;
import io.mysqlpq.trino.split.RangedAggregation;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.trino.plugin.jdbc.ForJdbcClient;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcPageSourceProvider;
import io.trino.plugin.jdbc.JdbcSplit;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.QueryBuilder;
import io.trino.plugin.jdbc.logging.RemoteQueryModifier;
import io.trino.spi.Node;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorPageSource;
import io.trino.spi.connector.ConnectorPageSourceProvider;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorTableCredentials;
import io.trino.spi.connector.ConnectorTableHandle;
import io.trino.spi.connector.ConnectorTransactionHandle;
import io.trino.spi.connector.DynamicFilter;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.mysqlpq.trino.nativescan.NativeScanSessionProperties.getNativeScanCompression;
import static io.mysqlpq.trino.nativescan.NativeScanSessionProperties.isNativeScanEnabled;
import static io.mysqlpq.trino.nativescan.NativeScanSessionProperties.isPacketDecodingEnabled;
import static io.trino.plugin.jdbc.JdbcDynamicFilteringSessionProperties.dynamicFilteringEnabled;
import static java.util.Objects.requireNonNull;

/** Opens splits: its own with this connector's readers, and those of base-jdbc (procedures, SQL that is passed through) with base-jdbc's readers. */
public class MysqlPqPageSourceProvider
        implements ConnectorPageSourceProvider
{
    private final JdbcPageSourceProvider passthrough;
    private final JdbcClient client;
    private final QueryBuilder queryBuilder;
    private final DynamicFilterSql dynamicFilters;
    private final RemoteQueryModifier queryModifier;
    private final ConnectionPools connections;
    private final LinkSpeed link;
    private final ConnectionPermits permits;
    private final ServerAdmission admission;
    private final ReadTotals totals;
    private final SharedReads sharedReads;
    private final ReadIdentity identity;
    private final ExecutorService executor;
    private final Node node;

    @Inject
    public MysqlPqPageSourceProvider(
            JdbcPageSourceProvider passthrough,
            JdbcClient client,
            QueryBuilder queryBuilder,
            DynamicFilterSql dynamicFilters,
            RemoteQueryModifier queryModifier,
            ConnectionPools connections,
            LinkSpeed link,
            ConnectionPermits permits,
            ServerAdmission admission,
            ReadTotals totals,
            SharedReads sharedReads,
            ReadIdentity identity,
            @ForJdbcClient ExecutorService executor,
            Node node)
    {
        this.passthrough = requireNonNull(passthrough, "passthrough is null");
        this.client = requireNonNull(client, "client is null");
        this.queryBuilder = requireNonNull(queryBuilder, "queryBuilder is null");
        this.dynamicFilters = requireNonNull(dynamicFilters, "dynamicFilters is null");
        this.queryModifier = requireNonNull(queryModifier, "queryModifier is null");
        this.connections = requireNonNull(connections, "connections is null");
        this.link = requireNonNull(link, "link is null");
        this.permits = requireNonNull(permits, "permits is null");
        this.admission = requireNonNull(admission, "admission is null");
        this.totals = requireNonNull(totals, "totals is null");
        this.sharedReads = requireNonNull(sharedReads, "sharedReads is null");
        this.identity = requireNonNull(identity, "identity is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.node = requireNonNull(node, "node is null");
    }

    @Override
    public ConnectorPageSource createPageSource(
            ConnectorTransactionHandle transaction,
            ConnectorSession session,
            ConnectorSplit split,
            ConnectorTableHandle table,
            Optional<ConnectorTableCredentials> tableCredentials,
            List<ColumnHandle> columns,
            DynamicFilter dynamicFilter,
            MemoryContext memory)
    {
        if (split instanceof JdbcSplit) {
            return passthrough.createPageSource(transaction, session, split, table, tableCredentials, columns, dynamicFilter, memory);
        }
        permits.limit(((MysqlPqSplit) split).connections());
        List<JdbcColumnHandle> jdbcColumns = columns.stream().map(JdbcColumnHandle.class::cast).collect(toImmutableList());
        MysqlPqSplit opened = (MysqlPqSplit) split;
        Function<List<JdbcColumnHandle>, ConnectorPageSource> rows = read -> openWithRowIds(session, opened, (JdbcTableHandle) table, read, dynamicFilter, memory);
        return opened.expressions().isEmpty() || opened.aggregation().isPresent()
                ? rows.apply(jdbcColumns)
                : ComputedPageSource.of(opened.expressions(), ((JdbcTableHandle) table).getColumns().orElseThrow(), jdbcColumns, rows);
    }

    private ConnectorPageSource openWithRowIds(
            ConnectorSession session,
            MysqlPqSplit split,
            JdbcTableHandle table,
            List<JdbcColumnHandle> columns,
            DynamicFilter dynamicFilter,
            MemoryContext memory)
    {
        if (columns.stream().noneMatch(MergeRowIdColumns::isRowId)) {
            return open(session, split, table, columns, dynamicFilter, memory);
        }
        MergeRowIdColumns rowId = MergeRowIdColumns.of(columns, table, split.rowIdColumns());
        return new MergeRowIdPageSource(open(session, split, table, rowId.scanned(), dynamicFilter, memory), rowId);
    }

    private ConnectorPageSource open(
            ConnectorSession session,
            MysqlPqSplit split,
            JdbcTableHandle table,
            List<JdbcColumnHandle> columns,
            DynamicFilter dynamicFilter,
            MemoryContext memory)
    {
        ScanContext context = context(session, split);
        ReadMetrics metrics = new ReadMetrics(node.getNodeIdentifier(), totals);
        RangeAdmission rangeAdmission = new RangeAdmission(admission, permits, session, new ReadingScan(split.scanId(), session.getQueryId(), session.getUser(), split.connections().query()), metrics);
        if (split.aggregation().isPresent()) {
            RangedAggregation ranged = split.aggregation().get();
            return aggregation(session, split, ranged, rangeAdmission, new ResultView(ranged.aggregation().resultColumns(), table, columns), metrics, memory);
        }
        ScanQuery query = split.groups()
                .map(groups -> ScanQuery.wholeGroups(context, split, groups, table, columns))
                .orElseGet(() -> ScanQuery.rows(context, split, table, columns));
        Optional<String> snapshot = identity.sharedSnapshot(split);
        RowReader reader = reader(context, query, identity.isReused(session, split), metrics);
        if (snapshot.isEmpty()) {
            Function<TupleDomain<ColumnHandle>, Optional<Recording>> recorder = filtered -> Optional.of(sharedReads.record(identity.ofRows(Optional.empty(), session, split, table, columns, filtered)));
            return new RangePageSource(rangeAdmission, () -> filter(session, table, split, dynamicFilter), reader, split.range().isEmpty(), identity.isReused(session, split) ? recorder : _ -> Optional.empty(), metrics, executor, memory);
        }
        // All who share the read know the same of the dynamic filters.
        Supplier<TupleDomain<ColumnHandle>> filter = Suppliers.memoize(() -> filter(session, table, split, dynamicFilter));
        return new SharedPageSource(
                sharedReads,
                () -> identity.ofRows(snapshot, session, split, table, columns, filter.get()),
                recording -> new RangePageSource(rangeAdmission, filter, reader, split.range().isEmpty(), _ -> recording, metrics, executor, memory),
                metrics,
                memory);
    }

    private AggregationPageSource aggregation(
            ConnectorSession session,
            MysqlPqSplit split,
            RangedAggregation ranged,
            RangeAdmission rangeAdmission,
            ResultView view,
            ReadMetrics metrics,
            MemoryContext memory)
    {
        List<GroupReader> ranges = split.ofRanges().stream()
                .map(range -> groups(session, range, ranged.aggregation(), rangeAdmission, metrics))
                .collect(toImmutableList());
        return new AggregationPageSource(ranged.aggregation(), ranged.options(), ranges, view, metrics, memory);
    }

    private ScanContext context(ConnectorSession session, MysqlPqSplit split)
    {
        return new ScanContext(
                client,
                queryBuilder,
                dynamicFilters,
                queryModifier,
                new SplitSession(session, split.name()),
                isPacketDecodingEnabled(session),
                isNativeScanEnabled(session),
                new LinkCompression(getNativeScanCompression(session), split.snapshot().filter(token -> token.features().hasBatchForms()).isPresent(), link),
                connections.waitTimeout());
    }

    private GroupReader groups(ConnectorSession session, MysqlPqSplit range, MergedAggregation aggregation, RangeAdmission rangeAdmission, ReadMetrics metrics)
    {
        ScanContext context = context(session, range);
        boolean reused = identity.isReused(session, range);
        AdmittedGroupReader own = new AdmittedGroupReader(rangeAdmission, reader(context, ScanQuery.groups(context, range, aggregation), reused, metrics), executor);
        Optional<String> snapshot = identity.sharedSnapshot(range);
        return snapshot.isPresent() || reused
                ? new SharedGroupReader(sharedReads, identity.ofGroups(snapshot, session, range, aggregation), own, metrics, executor)
                : own;
    }

    private RowReader reader(ScanContext context, ScanQuery query, boolean validated, ReadMetrics metrics)
    {
        return new RowReader(new ReadSession(connections, context.session()), query, validated, metrics);
    }

    // Returns a filter that also holds what was found out after the split was made. Under a limit there is none: it would change which rows the limit takes.
    private static TupleDomain<ColumnHandle> filter(ConnectorSession session, JdbcTableHandle table, MysqlPqSplit split, DynamicFilter dynamicFilter)
    {
        if (table.getLimit().isPresent() || !dynamicFilteringEnabled(session)) {
            return TupleDomain.all();
        }
        return split.dynamicFilter()
                .<ColumnHandle>transformKeys(column -> column)
                .intersect(dynamicFilter.getCurrentPredicate())
                .filter((column, _) -> !split.expressions().computed().containsKey(((JdbcColumnHandle) column).getColumnName()));
    }
}
