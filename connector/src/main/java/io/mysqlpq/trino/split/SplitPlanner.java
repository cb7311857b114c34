package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.mysqlpq.trino.aggregation.AggregationByRanges;
import io.mysqlpq.trino.aggregation.MergedAggregation;
import io.mysqlpq.trino.aggregation.NativeAggregation;
import io.mysqlpq.trino.aggregation.WholeGroupAggregation;
import io.mysqlpq.trino.connection.ConnectionShare;
import io.mysqlpq.trino.connection.ConnectionShares;
import io.mysqlpq.trino.key.KeyColumn;
import io.mysqlpq.trino.metrics.PlanningMetrics;
import io.mysqlpq.trino.metrics.PlanningTotals;
import io.mysqlpq.trino.expression.RowExpressions;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.mysqlpq.trino.nativescan.NativeFilter;
import io.mysqlpq.trino.planning.OneSplitReason;
import io.mysqlpq.trino.planning.PlannedRange;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangePlan;
import io.mysqlpq.trino.planning.RangePlanner;
import io.mysqlpq.trino.snapshot.ScanMoment;
import io.mysqlpq.trino.snapshot.ScanSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotMetrics;
import io.trino.plugin.jdbc.ForBaseJdbc;
import io.trino.plugin.jdbc.JdbcClient;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcNamedRelationHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.SplitWeight;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import static com.google.common.base.Preconditions.checkState;
import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.Duration.nanosSince;
import static io.mysqlpq.trino.key.IndexKey.PRIMARY;
import static io.mysqlpq.trino.planning.OneSplitReason.POINT_LOOKUP;
import static io.mysqlpq.trino.sharing.SharingSessionProperties.isReadReuseEnabled;
import static java.lang.Math.clamp;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.UUID.randomUUID;

/** Makes the splits of a scan: one for each range of its plan, or one for all. */
public final class SplitPlanner
{
    private static final double LEAST_WEIGHT = 0.01;

    private final RangePlanner planner;
    private final PlanningTotals totals;
    private final ConnectionShares shares;
    private final ReadPlaces places;
    private final JdbcClient uncachedClient;

    @Inject
    SplitPlanner(RangePlanner planner, PlanningTotals totals, ConnectionShares shares, ReadPlaces places, @ForBaseJdbc JdbcClient uncachedClient)
    {
        this.planner = requireNonNull(planner, "planner is null");
        this.totals = requireNonNull(totals, "totals is null");
        this.shares = requireNonNull(shares, "shares is null");
        this.places = requireNonNull(places, "places is null");
        this.uncachedClient = requireNonNull(uncachedClient, "uncachedClient is null");
    }

    record PlannedSplits(List<MysqlPqSplit> splits, Metrics metrics)
    {
        PlannedSplits
        {
            splits = ImmutableList.copyOf(splits);
            requireNonNull(metrics, "metrics is null");
        }
    }

    /** Returns the connections that a worker may read the scan through now. */
    ConnectionShare share(SplitRequest request)
    {
        return shares.perNode(request.options().maxConnections());
    }

    /**
     * Opens the scan's snapshot and plans in it. Blocks for some statements.
     *
     * @param rows the table that ranges are cut from
     */
    PlannedSplits plan(SplitRequest request, JdbcTableHandle rows, ScanMoment moment)
    {
        long start = nanoTime();
        ScanSnapshot snapshot = moment.open(request.isPointLookup(rows));
        Duration snapshotTime = nanosSince(start);
        RangePlan plan = switch (snapshot) {
            case ScanSnapshot.OneStatement _ -> RangePlan.OneSplit.because(POINT_LOOKUP);
            case ScanSnapshot.Exact _ -> decidedWhole(request, rows).<RangePlan>map(RangePlan.OneSplit::because).orElseGet(() -> ranges(request, rows, snapshot));
            case ScanSnapshot.PerScan _,ScanSnapshot.Unshared _ -> ranges(request, rows, snapshot);
        };
        Metrics metrics = recorded(plan, nanosSince(start)).mergeWith(SnapshotMetrics.of(snapshot, snapshotTime));
        List<MysqlPqSplit> splits = new ScanSplits(request, snapshot, share(request), rowIdColumns(request)).of(plan, rows);
        if (isKept(request, snapshot)) {
            splits = placed(splits, request.table());
        }
        moment.planned(splits.stream().mapToLong(MysqlPqSplit::sessions).sum());
        return new PlannedSplits(splits, metrics);
    }

    // Whether workers may keep what they read for other queries.
    private static boolean isKept(SplitRequest request, ScanSnapshot snapshot)
    {
        return snapshot.sharedToken().filter(token -> token.isOfGroup() || (token.features().givesValidators() && isReadReuseEnabled(request.session()))).isPresent();
    }

    // Statements of one split that read different things of a table are not all one worker's.
    private List<MysqlPqSplit> placed(List<MysqlPqSplit> splits, JdbcTableHandle table)
    {
        int first = splits.size() == 1 ? table.hashCode() : 0;
        return IntStream.range(0, splits.size())
                .mapToObj(i -> splits.get(i).at(places.of(splits.get(i).tables().stream().map(SplitTable::name).collect(toImmutableList()), first + i)))
                .collect(toImmutableList());
    }

    // One split gives the right rows, whatever has become of the table's indexes since. But what is known of the rows by now may have made ranges the better way.
    private static Optional<OneSplitReason> decidedWhole(SplitRequest request, JdbcTableHandle rows)
    {
        return request.table().getRelationHandle() instanceof DescribedRelation relation && rows.getConstraint().equals(request.table().getConstraint())
                ? relation.decision().wholeBecause()
                : Optional.empty();
    }

    private RangePlan ranges(SplitRequest request, JdbcTableHandle rows, ScanSnapshot snapshot)
    {
        PlanningOptions options = isKept(request, snapshot) ? request.rangeOptions().withReadsKept() : request.rangeOptions();
        return planner.plan(request.session(), request.scans(), rows, request.table(), options, snapshot);
    }

    // Decides as the type of the ids was decided. Otherwise workers would have to ask, once for each split.
    private List<JdbcColumnHandle> rowIdColumns(SplitRequest request)
    {
        if (!OldValues.hasRowId(request.table())) {
            return ImmutableList.of();
        }
        JdbcNamedRelationHandle relation = request.table().getRequiredNamedRelation();
        return OldValues.idColumns(request.table(), uncachedClient.getColumns(request.session(), relation.getSchemaTableName(), relation.getRemoteTableName()));
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

    private static final class ScanSplits
    {
        private final SplitRequest request;
        private final ScanSnapshot snapshot;
        private final ConnectionShare share;
        private final List<JdbcColumnHandle> rowIdColumns;
        private final String scanId;

        ScanSplits(SplitRequest request, ScanSnapshot snapshot, ConnectionShare share, List<JdbcColumnHandle> rowIdColumns)
        {
            this.request = request;
            this.snapshot = snapshot;
            this.share = share;
            this.rowIdColumns = rowIdColumns;
            this.scanId = "%s-%s".formatted(request.session().getQueryId(), randomUUID());
        }

        List<MysqlPqSplit> of(RangePlan plan, JdbcTableHandle rows)
        {
            return switch (plan) {
                // The rows of the whole table are aggregated here if no SQL does so.
                case RangePlan.OneSplit _ -> request.aggregation().orElse(null) instanceof NativeAggregation natively && request.table().getRelationHandle() instanceof PushedQuery query && query.isNative()
                        ? ImmutableList.of(aggregated(natively, rows, ImmutableList.of()))
                        : whole();
                case RangePlan.Ranges ranges -> {
                    checkState(!(snapshot instanceof ScanSnapshot.PerScan), "Ranges of a scan that has to be one statement");
                    yield request.aggregation().map(groups -> splits(groups, rows, ranges)).orElseGet(() -> splits(ranges, rows, Optional.empty()));
                }
            };
        }

        private List<MysqlPqSplit> whole()
        {
            return ImmutableList.of(split(Optional.empty(), Optional.empty(), FilteredRelation.rowExpressions(request.table()), Optional.empty(), Optional.empty(), SplitWeight.standard()));
        }

        private List<MysqlPqSplit> splits(AggregationByRanges aggregation, JdbcTableHandle rows, RangePlan.Ranges ranges)
        {
            return switch (aggregation) {
                case MergedAggregation merged -> ImmutableList.of(aggregated(merged, rows, ranges.ranges().stream().map(range -> splitRange(ranges, range)).collect(toImmutableList())));
                // The table may have been altered since the aggregation was pushed down, and what is known of the rows by now may have made another index the better one.
                case WholeGroupAggregation groups -> areWhole(groups, ranges) ? splits(ranges.cutBy(groups.leadingColumns()), rows, Optional.of(groups.of(rows))) : whole();
            };
        }

        private static boolean areWhole(WholeGroupAggregation groups, RangePlan.Ranges ranges)
        {
            return ranges.key().index().equals(PRIMARY)
                    && groups.beginsWith(ranges.key().columns().stream().map(KeyColumn::name).collect(toImmutableList()))
                    && ranges.ranges().stream().allMatch(range -> range.partitions().isEmpty());
        }

        private List<MysqlPqSplit> splits(RangePlan.Ranges ranges, JdbcTableHandle rows, Optional<WholeGroupAggregation> groups)
        {
            Optional<NativeFilter> filter = request.options().firstRowsBySql() ? Optional.empty() : FilteredRelation.filter(rows);
            RowExpressions expressions = FilteredRelation.rowExpressions(rows);
            List<PlannedRange> planned = ranges.ranges();
            return IntStream.range(0, planned.size())
                    .mapToObj(i -> split(Optional.of(splitRange(ranges, planned.get(i))), filter, expressions, groups, Optional.empty(), weight(planned.get(i))).named(MysqlPqSplit.name(i + 1, planned.size())))
                    .collect(toImmutableList());
        }

        private MysqlPqSplit aggregated(MergedAggregation aggregation, JdbcTableHandle rows, List<SplitRange> ranges)
        {
            Optional<NativeFilter> filter = aggregation instanceof NativeAggregation && !ranges.isEmpty() ? FilteredRelation.filter(rows) : Optional.empty();
            RangedAggregation ranged = new RangedAggregation(aggregation.of(rows), ranges, request.aggregationOptions(), filter);
            return split(Optional.empty(), Optional.empty(), FilteredRelation.rowExpressions(rows), Optional.empty(), Optional.of(ranged), SplitWeight.standard());
        }

        private static SplitRange splitRange(RangePlan.Ranges ranges, PlannedRange range)
        {
            return new SplitRange(ranges.key(), range.partitions(), range.range(), ranges.definition(), ranges.hypergraphOptimizer());
        }

        private MysqlPqSplit split(Optional<SplitRange> range, Optional<NativeFilter> filter, RowExpressions expressions, Optional<WholeGroupAggregation> groups, Optional<RangedAggregation> ranged, SplitWeight weight)
        {
            return new MysqlPqSplit(scanId, MysqlPqSplit.name(1, 1), request.tables(), range, filter, expressions, groups, ranged, snapshot.sharedToken(), share, TupleDomain.all(), rowIdColumns, weight, ImmutableList.of());
        }

        private SplitWeight weight(PlannedRange range)
        {
            if (range.estimatedRows().isEmpty()) {
                return SplitWeight.standard();
            }
            return SplitWeight.fromProportion(clamp((double) range.estimatedRows().getAsLong() / request.options().targetRowsPerSplit(), LEAST_WEIGHT, 1));
        }
    }
}
