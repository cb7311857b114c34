package io.mysqlpq.trino.split;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.airlift.units.Duration;
import io.mysqlpq.trino.expression.Expression;
import io.mysqlpq.trino.nativescan.FilteredRelation;
import io.mysqlpq.trino.metrics.PlanningMetrics;
import io.mysqlpq.trino.snapshot.ScanMoment;
import io.trino.plugin.jdbc.JdbcColumnHandle;
import io.trino.plugin.jdbc.JdbcTableHandle;
import io.trino.spi.connector.ConnectorSplit;
import io.trino.spi.connector.ConnectorSplitSource;
import io.trino.spi.connector.DynamicFilterSnapshot;
import io.trino.spi.metrics.Metrics;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.CharType;
import io.trino.spi.type.Type;
import io.trino.spi.type.VarcharType;
import jakarta.annotation.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.airlift.units.Duration.nanosSince;
import static io.trino.plugin.jdbc.JdbcMetadataSessionProperties.getDomainCompactionThreshold;
import static java.lang.Math.min;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/** Plans when the engine first asks, after its wait for dynamic filters, and then hands out the plan's splits. */
final class MysqlPqSplitSource
        implements ConnectorSplitSource
{
    private final SplitRequest request;
    private final ScanMoment moment;
    private final SplitPlanner planner;
    private final Supplier<CompletableFuture<Void>> admit;
    private final ExecutorService executor;
    private final Optional<Duration> filterWait;
    private final long created = nanoTime();

    // What was asked for to plan. It has to be given up if nobody wants splits any more.
    @GuardedBy("this")
    private final List<CompletableFuture<?>> asked = new ArrayList<>();
    @GuardedBy("this")
    @Nullable
    private CompletableFuture<List<MysqlPqSplit>> splits;
    @GuardedBy("this")
    private boolean closed;
    @GuardedBy("this")
    private int handedOut;
    @GuardedBy("this")
    private boolean finished;
    private volatile Metrics metrics = Metrics.EMPTY;

    /**
     * @param admit completes when the server is fit to be read
     * @param filterWait longest wait for dynamic filters; empty if the scan takes none
     */
    MysqlPqSplitSource(SplitRequest request, ScanMoment moment, SplitPlanner planner, Supplier<CompletableFuture<Void>> admit, ExecutorService executor, Optional<Duration> filterWait)
    {
        this.request = requireNonNull(request, "request is null");
        this.moment = requireNonNull(moment, "moment is null");
        this.planner = requireNonNull(planner, "planner is null");
        this.admit = requireNonNull(admit, "admit is null");
        this.executor = requireNonNull(executor, "executor is null");
        this.filterWait = requireNonNull(filterWait, "filterWait is null");
    }

    @Override
    public long getRequestedDynamicFilterWaitTimeoutMillis()
    {
        return filterWait.map(Duration::toMillis).orElse(0L);
    }

    @Override
    public CompletableFuture<List<ConnectorSplit>> getNextBatch(int maxSize, DynamicFilterSnapshot filters)
    {
        TupleDomain<JdbcColumnHandle> filter = filterWait.isPresent() ? brief(filters.currentPredicate().transformKeys(JdbcColumnHandle.class::cast)) : TupleDomain.all();
        return PlainFailures.of(splits(filter).thenApply(all -> next(all, maxSize, filter)));
    }

    // The engine asks for one batch at a time.
    private CompletableFuture<List<MysqlPqSplit>> splits(TupleDomain<JdbcColumnHandle> filter)
    {
        synchronized (this) {
            if (splits != null) {
                return splits;
            }
        }
        Metrics waited = filterWait.isPresent() ? PlanningMetrics.filterWait(nanosSince(created)) : Metrics.EMPTY;
        metrics = waited;
        // Asking for a connection runs code of others who get one: never under our lock.
        CompletableFuture<List<MysqlPqSplit>> planned = keep(plan(filter, waited));
        synchronized (this) {
            splits = planned;
        }
        return planned;
    }

    private <T> CompletableFuture<T> keep(CompletableFuture<T> wait)
    {
        boolean inVain;
        synchronized (this) {
            asked.add(wait);
            inVain = closed;
        }
        if (inVain) {
            wait.cancel(false);
        }
        return wait;
    }

    // Each split takes the filter along to its worker, so the filter holds no more than its SQL. For texts, the least and greatest values would let
    // too much through to be worth comparing each row with them.
    private TupleDomain<JdbcColumnHandle> brief(TupleDomain<JdbcColumnHandle> filter)
    {
        Map<String, Expression> computed = FilteredRelation.rowExpressions(request.scanned()).computed();
        return filter.simplify(getDomainCompactionThreshold(request.session()))
                .filter((column, _) -> !computed.containsKey(column.getColumnName()))
                .filter((column, domain) -> !isText(column.getColumnType()) || filter.getDomains().map(domains -> domain.equals(domains.get(column))).orElse(true));
    }

    private static boolean isText(Type type)
    {
        return type instanceof VarcharType || type instanceof CharType;
    }

    private CompletableFuture<List<MysqlPqSplit>> plan(TupleDomain<JdbcColumnHandle> filter, Metrics waited)
    {
        Optional<JdbcTableHandle> rows = request.rows(filter);
        if (rows.isEmpty()) {
            moment.planned(0);
            return completedFuture(ImmutableList.of());
        }
        return keep(admit.get()).thenCompose(_ -> planWhenAdmitted(rows.get(), waited));
    }

    private CompletableFuture<List<MysqlPqSplit>> planWhenAdmitted(JdbcTableHandle rows, Metrics waited)
    {
        long start = nanoTime();
        return keep(moment.admit(request.isPointLookup(rows))).thenApplyAsync(_ -> {
            Metrics queued = PlanningMetrics.queueTime(nanosSince(start));
            SplitPlanner.PlannedSplits planned = planner.plan(request, rows, moment);
            metrics = planned.metrics().mergeWith(waited).mergeWith(queued);
            return planned.splits();
        }, executor);
    }

    private synchronized List<ConnectorSplit> next(List<MysqlPqSplit> all, int maxSize, TupleDomain<JdbcColumnHandle> filter)
    {
        int end = min(handedOut + maxSize, all.size());
        List<ConnectorSplit> batch = all.subList(handedOut, end).stream()
                .map(split -> split.with(planner.share(request), filter))
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
    public void close()
    {
        List<CompletableFuture<?>> open;
        synchronized (this) {
            closed = true;
            open = ImmutableList.copyOf(asked);
        }
        // Cancelling a future runs code of whoever waits for it: never under our lock.
        open.forEach(wait -> wait.cancel(false));
    }
}
