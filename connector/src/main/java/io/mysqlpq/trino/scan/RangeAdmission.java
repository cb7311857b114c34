package io.mysqlpq.trino.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import static io.airlift.units.Duration.nanosSince;
import static java.lang.System.nanoTime;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

/** Lets a scan's ranges begin one by one, when MySQL is fit for them and this node has a connection for them. */
final class RangeAdmission
{
    private final ServerAdmission admission;
    private final ConnectionPermits permits;
    private final ConnectorSession session;
    private final ReadingScan scan;
    private final ReadMetrics metrics;
    @GuardedBy("this")
    private final List<CompletableFuture<?>> waits = new ArrayList<>();
    @GuardedBy("this")
    private boolean cancelled;

    RangeAdmission(ServerAdmission admission, ConnectionPermits permits, ConnectorSession session, ReadingScan scan, ReadMetrics metrics)
    {
        this.admission = requireNonNull(admission, "admission is null");
        this.permits = requireNonNull(permits, "permits is null");
        this.session = requireNonNull(session, "session is null");
        this.scan = requireNonNull(scan, "scan is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
    }

    /** Completes when a range may be opened. */
    CompletableFuture<Permit> admit()
    {
        long start = nanoTime();
        CompletableFuture<Void> admitted = keep(admission.admitRange(session, () -> permits.reading(scan.scanId()) == 0));
        return admitted.thenCompose(_ -> {
            long begin = nanoTime();
            metrics.recordThrottleWait(begin - start);
            return keep(permits.acquire(scan))
                    .whenComplete((_, _) -> metrics.recordPermitWait(nanoTime() - begin))
                    .thenCompose(permit -> confirm(permit, begin));
        });
    }

    // The wait for the permit may have been long, and MySQL may be busy since. A scan of which nothing else is read goes on in any case.
    private CompletableFuture<Permit> confirm(Permit permit, long begin)
    {
        if (permits.reading(scan.scanId()) == 1) {
            return completedFuture(permit);
        }
        return keep(admission.isHeldBack(session, nanosSince(begin)))
                .whenComplete((heldBack, failure) -> {
                    if (failure != null || heldBack) {
                        permit.close();
                    }
                })
                .thenCompose(heldBack -> heldBack ? admit() : completedFuture(permit));
    }

    private <T> CompletableFuture<T> keep(CompletableFuture<T> wait)
    {
        boolean inVain;
        synchronized (this) {
            waits.removeIf(CompletableFuture::isDone);
            waits.add(wait);
            inVain = cancelled;
        }
        if (inVain) {
            wait.cancel(false);
        }
        return wait;
    }

    /** Gives up all waits, later ones too. Does not take back permits that were granted. */
    void cancel()
    {
        List<CompletableFuture<?>> open;
        synchronized (this) {
            cancelled = true;
            open = waits.stream().collect(toImmutableList());
        }
        open.forEach(wait -> wait.cancel(false));
    }
}
