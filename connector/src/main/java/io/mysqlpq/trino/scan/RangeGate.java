package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.connection.ConnectionPermits;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.connection.ReadingScan;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.throttle.ServerAdmission;
import io.trino.spi.connector.ConnectorSession;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;

/** Lets a scan's ranges begin one by one: when MySQL is fit for them, and this node has a connection for them. */
final class RangeGate
{
    private final ServerAdmission admission;
    private final ConnectionPermits permits;
    private final ConnectorSession session;
    private final ReadingScan scan;
    private final ReadMetrics metrics;
    private final List<CompletableFuture<?>> waits = new ArrayList<>();

    RangeGate(ServerAdmission admission, ConnectionPermits permits, ConnectorSession session, ReadingScan scan, ReadMetrics metrics)
    {
        this.admission = requireNonNull(admission, "admission is null");
        this.permits = requireNonNull(permits, "permits is null");
        this.session = requireNonNull(session, "session is null");
        this.scan = requireNonNull(scan, "scan is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
    }

    /** Completes when a range may be opened. */
    CompletableFuture<Permit> pass()
    {
        long start = nanoTime();
        CompletableFuture<Void> admitted = keep(admission.admitRange(session, () -> !permits.isReading(scan.scanId())));
        return admitted.thenCompose(_ -> {
            long begin = nanoTime();
            metrics.recordThrottleWait(begin - start);
            return keep(permits.acquire(scan)).whenComplete((_, _) -> metrics.recordPermitWait(nanoTime() - begin));
        });
    }

    private synchronized <T> CompletableFuture<T> keep(CompletableFuture<T> wait)
    {
        waits.removeIf(CompletableFuture::isDone);
        waits.add(wait);
        return wait;
    }

    /** Gives all waits up. Permits that were granted are not taken back. */
    void cancel()
    {
        List<CompletableFuture<?>> open;
        synchronized (this) {
            open = waits.stream().collect(toImmutableList());
        }
        open.forEach(wait -> wait.cancel(false));
    }
}
