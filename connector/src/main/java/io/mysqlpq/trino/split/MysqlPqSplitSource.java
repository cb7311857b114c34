package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.units.Duration;
import io.mysqlpq.trino.aggregation.AggregationByRanges;
import io.mysqlpq.trino.aggregation.AggregationOptions;
import io.mysqlpq.trino.aggregation.PartialAggregation;
import io.mysqlpq.trino.aggregation.WholeGroups;
import io.mysqlpq.trino.connection.ConnectionShares;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.metrics.PlanningMetrics;
import io.mysqlpq.trino.metrics.PlanningTotals;
import io.mysqlpq.trino.planning.PlannedRange;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangePlan;
import io.mysqlpq.trino.planning.QueryScans;
import io.mysqlpq.trino.planning.RangePlanner;
import io.mysqlpq.trino.planning.RangeSource;
import io.mysqlpq.trino.snapshot.ScanSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotMetrics;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.getDomainCompactionThreshold;
import static java.lang.Math.clamp;
import static java.lang.Math.min;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.UUID.randomUUID;
import static java.util.concurrent.CompletableFuture.completedFuture;

/** Plans when the engine first asks, after its wait for dynamic filters, and then hands out the plan's splits. */
final class MysqlPqSplitSource
        implements ConnectorSplitSource
{
    private static final double LEAST_WEIGHT = 0.01;

    private final ConnectorSession session;
    private final JdbcTableHandle table;
    private final List<RemoteTableName> tables;
    private final Optional<AggregationByRanges> aggregation;
    private final AggregationOptions aggregationOptions;
    private final Supplier<CompletableFuture<Void>> admit;
    // Both are told whether the scan is one statement at any rate.
    private final Function<Boolean, CompletableFuture<?>> admitSnapshot;
    private final Function<Boolean, ScanSnapshot> openSnapshot;
    // Told in how many sessions the scan's tables will be read.
    private final LongConsumer planned;
    private final QueryScans scans;
    private final RangePlanner planner;
    private final PlanningOptions options;
    private final PlanningTotals totals;
    private final ConnectionShares shares;
    private final ExecutorService executor;
    private final boolean filtered;
    private final long filterWaitMillis;
    private final String scanId;
    private final long created = nanoTime();

    @GuardedBy("this")
    private CompletableFuture<Void> admitted;
    @GuardedBy("this")
    private CompletableFuture<List<MysqlPqSplit>> splits;
    @GuardedBy("this")
    private int handedOut;
    @GuardedBy("this")
    private boolean finished;
    private volatile Metrics metrics = Metrics.EMPTY;

    MysqlPqSplitSource(
            ConnectorSession session,
            JdbcTableHandle table,
            List<RemoteTableName> tables,
            Optional<AggregationByRanges> aggregation,
            AggregationOptions aggregationOptions,
            Supplier<CompletableFuture<Void>> admit,
            Function<Boolean, CompletableFuture<?>> admitSnapshot,
            Function<Boolean, ScanSnapshot> openSnapshot,
            LongConsumer planned,
            QueryScans scans,
            RangePlanner planner,
            PlanningOptions options,
            PlanningTotals totals,
            ConnectionShares shares,
            ExecutorService executor,
            boolean filtered,
            long filterWaitMillis)
    {
        this.session = requireNonNull(session, "session is null");
        this.table = requireNonNull(table, "table is null");
        this.tables = ImmutableList.copyOf(tables);
        this.aggregation = requireNonNull(aggregation, "aggregation is null");
        this.aggregationOptions = requireNonNull(aggregationOptions, "aggregationOptions is null");
        this.admit = requireNonNull(admit, "admit is null");
        this.admitSnapshot = requireNonNull(admitSnapshot, "admitSnapshot is null");
        this.openSnapshot = requireNonNull(openSnapshot, "openSnapshot is null");
        this.planned = requireNonNull(planned, "planned is null");
        this.scans = requireNonNull(scans, "scans is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.options = requireNonNull(options, "options is null");
        this.totals = requireNonNull(totals, "totals is null");
        this.shares = requireNonNull(shares, "shares is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.filtered = filtered;
        this.filterWaitMillis = filterWaitMillis;
        this.scanId = "%s-%s".formatted(session.getQueryId(), randomUUID());
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return filterWaitMillis;
    }

    @Override
    public synchronized CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot filters)
    {
        TupleDomain<JdbcColumnHandle> filter = filtered ? brief(filters.currentPredicate().transformKeys(JdbcColumnHandle.class::cast)) : TupleDomain.all();
        if (splits == null) {
            Metrics waited = filtered ? PlanningMetrics.filterWait(nanosSince(created)) : Metrics.EMPTY;
            metrics = waited;
            splits = plan(filter, waited);
        }
        return PlainFailures.of(splits.thenApply(all -> next(all, maxSize, filter)));
    }

    // Each split takes the filter along to its worker, so it holds no more than the SQL will. Of texts the least and greatest would
    // let too much through to be worth comparing each row by them.
    private TupleDomain<JdbcColumnHandle> brief(TupleDomain<JdbcColumnHandle> filter)
    {
        return filter.simplify(getDomainCompactionThreshold(session))
                .filter((column, domain) -> !isText(column.getColumnType()) || filter.getDomains().map(domains -> domain.equals(domains.get(column))).orElse(true));
    }

    private static boolean isText(Type type)
    {
        return type instanceof VarcharType || type instanceof CharType;
    }

    @GuardedBy("this")
    private CompletableFuture<List<MysqlPqSplit>> plan(TupleDomain<JdbcColumnHandle> filter, Metrics waited)
    {
        JdbcTableHandle filteredTable = table.intersectedWithConstraint(filter.transformKeys(column -> column));
        if (filteredTable.getConstraint().isNone()) {
            planned.accept(0);
            return completedFuture(ImmutableList.of());
        }
        JdbcTableHandle rows = aggregation.map(groups -> groups.table().intersectedWithConstraint(filterOfRows(groups, filter))).orElse(filteredTable);
        admitted = admit.get();
        return admitted.thenCompose(_ -> planWhenAdmitted(rows, waited));
    }

    private CompletableFuture<List<MysqlPqSplit>> planWhenAdmitted(JdbcTableHandle rows, Metrics waited)
    {
        long start = nanoTime();
        boolean pointLookup = scans.isPointLookup(rows) && options.rangeSource() != RangeSource.EXTENSION;
        return admitSnapshot.apply(pointLookup)
                .thenApplyAsync(_ -> {
                    List<MysqlPqSplit> all = plan(rows, waited.mergeWith(PlanningMetrics.queueTime(nanosSince(start))), pointLookup);
                    planned.accept(all.stream().mapToLong(MysqlPqSplit::sessions).sum());
                    return all;
                }, executor);
    }

    // A filter of the groups is one of the rows. Not of columns that Trino has handed over a filter of: see DynamicFilterSql.
    private static TupleDomain<ColumnHandle> filterOfRows(AggregationByRanges groups, TupleDomain<JdbcColumnHandle> filter)
    {
        Map<ColumnHandle, Domain> filtered = groups.table().getConstraint().getDomains().orElse(ImmutableMap.of());
        return filter.filter((column, _) -> groups.groupBy().contains(column) && !filtered.containsKey(column)).transformKeys(column -> column);
    }

    /** @param rows what ranges are cut from */
    private List<MysqlPqSplit> plan(JdbcTableHandle rows, Metrics waited, boolean pointLookup)
    {
        long start = nanoTime();
        ScanSnapshot snapshot = openSnapshot.apply(pointLookup);
        Duration snapshotTime = nanosSince(start);
        RangePlan plan = snapshot instanceof ScanSnapshot.OneStatement ? RangePlan.OneSplit.because(POINT_LOOKUP) : planner.plan(session, scans, rows, table, aggregation.map(groups -> groups.rangeOptions(options, aggregationOptions)).orElse(options), snapshot);
        metrics = recorded(plan, nanosSince(start)).mergeWith(SnapshotMetrics.of(snapshot, snapshotTime)).mergeWith(waited);
        return switch (plan) {
            case RangePlan.OneSplit _ -> whole(snapshot);
            case RangePlan.Ranges ranges -> {
                checkState(!(snapshot instanceof ScanSnapshot.PerScan), "Ranges of a scan that has to be one statement");
                yield aggregation.map(groups -> splits(groups, rows, ranges, snapshot)).orElseGet(() -> splits(ranges, Optional.empty(), snapshot));
            }
        };
    }

    private List<MysqlPqSplit> whole(ScanSnapshot snapshot)
    {
        return ImmutableList.of(split(Optional.empty(), Optional.empty(), Optional.empty(), snapshot, SplitWeight.standard()));
    }

    private List<MysqlPqSplit> splits(AggregationByRanges aggregation, JdbcTableHandle rows, RangePlan.Ranges ranges, ScanSnapshot snapshot)
    {
        return switch (aggregation) {
            case PartialAggregation partial -> ImmutableList.of(split(partial, rows, ranges, snapshot));
            // The table may have been altered since the aggregation was pushed down, and what is known of the rows by now may have made another index the better one.
            case WholeGroups groups -> areWhole(groups, ranges) ? splits(ranges.cutBy(groups.leadingColumns()), Optional.of(groups.of(rows)), snapshot) : whole(snapshot);
        };
    }

    private static boolean areWhole(WholeGroups groups, RangePlan.Ranges ranges)
    {
        return ranges.key().index().equals(PRIMARY)
                && groups.beginsWith(ranges.key().columns().stream().map(KeyColumn::name).collect(toImmutableList()))
                && ranges.ranges().stream().allMatch(range -> range.partitions().isEmpty());
    }

    private List<MysqlPqSplit> splits(RangePlan.Ranges ranges, Optional<WholeGroups> groups, ScanSnapshot snapshot)
    {
        List<PlannedRange> planned = ranges.ranges();
        return IntStream.range(0, planned.size())
                .mapToObj(i -> split(Optional.of(read(ranges, planned.get(i))), groups, Optional.empty(), snapshot, weight(planned.get(i))).named(MysqlPqSplit.name(i + 1, planned.size())))
                .collect(toImmutableList());
    }

    private MysqlPqSplit split(PartialAggregation partial, JdbcTableHandle rows, RangePlan.Ranges ranges, ScanSnapshot snapshot)
    {
        RangedAggregation ranged = new RangedAggregation(
                new PartialAggregation(rows, partial.groupBy(), partial.aggregates()),
                ranges.ranges().stream().map(range -> read(ranges, range)).collect(toImmutableList()),
                aggregationOptions);
        return split(Optional.empty(), Optional.empty(), Optional.of(ranged), snapshot, SplitWeight.standard());
    }

    private static RangeRead read(RangePlan.Ranges ranges, PlannedRange range)
    {
        return new RangeRead(ranges.key(), range.partitions(), range.range(), ranges.definition(), ranges.hypergraphOptimizer());
    }

    private Metrics recorded(RangePlan plan, Duration planningTime)
    {
        return switch (plan) {
            case RangePlan.OneSplit oneSplit -> {
                totals.addOneSplit(planningTime);
                yield PlanningMetrics.oneSplit(oneSplit.reason().name(), oneSplit.fallbackCause().map(Enum::name), planningTime);
            }
            case RangePlan.Ranges ranges -> {
                totals.addRanges(ranges.ranges().size(), ranges.pagesRead(), planningTime);
                yield PlanningMetrics.ranges(ranges.key().index(), ranges.ranges().size(), ranges.pagesRead(), planningTime);
            }
        };
    }

    private MysqlPqSplit split(Optional<RangeRead> range, Optional<WholeGroups> groups, Optional<RangedAggregation> ranged, ScanSnapshot snapshot, SplitWeight weight)
    {
        return new MysqlPqSplit(scanId, MysqlPqSplit.name(1, 1), tables, range, groups, ranged, snapshot.sharedToken(), shares.perNode(options.maxConnections()), TupleDomain.all(), weight);
    }

    private SplitWeight weight(PlannedRange range)
    {
        if (range.estimatedRows().isEmpty()) {
            return SplitWeight.standard();
        }
        return SplitWeight.fromProportion(clamp((double) range.estimatedRows().getAsLong() / options.targetRowsPerSplit(), LEAST_WEIGHT, 1));
    }

    private synchronized List<ConnectorSplit> next(List<MysqlPqSplit> all, int maxSize, TupleDomain<JdbcColumnHandle> filter)
    {
        int end = min(handedOut + maxSize, all.size());
        List<ConnectorSplit> batch = all.subList(handedOut, end).stream()
                .map(split -> split.with(shares.perNode(options.maxConnections()), filter))
                .collect(toImmutableList());
        handedOut = end;
        finished = end == all.size();
        return batch;
    }

    @Override
    public synchronized boolean isFinished()
    {
        return finished;
    }

    @Override
    public Metrics getMetrics()
    {
        return metrics;
    }

    @Override
    public synchronized void close()
    {
        if (admitted != null) {
            admitted.cancel(false);
        }
        if (splits != null) {
            splits.cancel(true);
        }
    }
}
