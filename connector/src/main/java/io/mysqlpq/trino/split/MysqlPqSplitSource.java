package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.units.Duration;
import io.mysqlpq.trino.metrics.PlanningMetrics;
import io.mysqlpq.trino.planning.PlannedRange;
import io.mysqlpq.trino.planning.PlanningOptions;
import io.mysqlpq.trino.planning.RangePlan;
import io.mysqlpq.trino.planning.RangePlanner;
import io.mysqlpq.trino.snapshot.ScanSnapshot;
import io.mysqlpq.trino.snapshot.SnapshotMetrics;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.plugin.jdbc.RemoteTableName;
import io.trino.spi.SplitWeight;
import io.trino.spi.connector.ConnectorSession;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

import static com.google.common.base.Preconditions.checkState;
import static io.airlift.units.Duration.nanosSince;
import static java.lang.Math.clamp;
import static java.lang.Math.min;
import static java.util.Objects.requireNonNull;
import static java.util.UUID.randomUUID;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.supplyAsync;

/** Plans when the engine first asks, after its wait for dynamic filters, and then hands out the plan's splits. */
final class MysqlPqSplitSource
        implements ConnectorSplitSource
{
    private static final double LEAST_WEIGHT = 0.01;

    private final ConnectorSession session;
    private final JdbcTableHandle table;
    private final List<RemoteTableName> tables;
    private final Supplier<ScanSnapshot> openSnapshot;
    private final RangePlanner planner;
    private final PlanningOptions options;
    private final ConnectionShares shares;
    private final ExecutorService executor;
    private final boolean filtered;
    private final long filterWaitMillis;
    private final String scanId;

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
            Supplier<ScanSnapshot> openSnapshot,
            RangePlanner planner,
            PlanningOptions options,
            ConnectionShares shares,
            ExecutorService executor,
            boolean filtered,
            long filterWaitMillis)
    {
        this.session = requireNonNull(session, "session is null");
        this.table = requireNonNull(table, "table is null");
        this.tables = ImmutableList.copyOf(tables);
        this.openSnapshot = requireNonNull(openSnapshot, "openSnapshot is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.options = requireNonNull(options, "options is null");
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
        TupleDomain<JdbcColumnHandle> filter = filtered
                ? filters.currentPredicate().transformKeys(JdbcColumnHandle.class::cast)
                : TupleDomain.all();
        if (splits == null) {
            splits = plan(filter);
        }
        return splits.thenApply(all -> next(all, maxSize, filter));
    }

    private CompletableFuture<List<MysqlPqSplit>> plan(TupleDomain<JdbcColumnHandle> filter)
    {
        JdbcTableHandle filteredTable = table.intersectedWithConstraint(filter.transformKeys(column -> column));
        if (filteredTable.getConstraint().isNone()) {
            return completedFuture(ImmutableList.of());
        }
        return supplyAsync(() -> plan(filteredTable), executor);
    }

    private List<MysqlPqSplit> plan(JdbcTableHandle filteredTable)
    {
        long start = System.nanoTime();
        ScanSnapshot snapshot = openSnapshot.get();
        Duration snapshotTime = nanosSince(start);
        RangePlan plan = planner.plan(session, filteredTable, options, snapshot instanceof ScanSnapshot.PerScan(var cause) ? cause : Optional.empty());
        metrics = metrics(plan, nanosSince(start)).mergeWith(SnapshotMetrics.of(snapshot, snapshotTime));
        return switch (plan) {
            case RangePlan.OneSplit _ -> ImmutableList.of(split(Optional.empty(), snapshot, SplitWeight.standard()));
            case RangePlan.Ranges ranges -> {
                checkState(!(snapshot instanceof ScanSnapshot.PerScan), "Ranges of a scan that has to be one statement");
                yield ranges.ranges().stream()
                        .map(range -> split(Optional.of(new RangeRead(ranges.key(), range.partitions(), range.range(), ranges.definition())), snapshot, weight(range)))
                        .collect(ImmutableList.toImmutableList());
            }
        };
    }

    private static Metrics metrics(RangePlan plan, Duration planningTime)
    {
        return switch (plan) {
            case RangePlan.OneSplit oneSplit -> PlanningMetrics.oneSplit(oneSplit.reason().name(), oneSplit.fallbackCause().map(Enum::name), planningTime);
            case RangePlan.Ranges ranges -> PlanningMetrics.ranges(ranges.key().index(), ranges.ranges().size(), ranges.pagesRead(), planningTime);
        };
    }

    private MysqlPqSplit split(Optional<RangeRead> range, ScanSnapshot snapshot, SplitWeight weight)
    {
        return new MysqlPqSplit(scanId, tables, range, snapshot.sharedToken(), shares.perNode(), TupleDomain.all(), weight);
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
                .map(split -> new MysqlPqSplit(split.scanId(), split.tables(), split.range(), split.snapshot(), shares.perNode(), filter, split.weight()))
                .collect(ImmutableList.toImmutableList());
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
        if (splits != null) {
            splits.cancel(true);
        }
    }
}
