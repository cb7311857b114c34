package io.mysqlpq.trino.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.metrics.MeasuredPageSource;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.trino.spi.Page;
import io.trino.spi.connector.ColumnHandle;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import io.trino.spi.predicate.TupleDomain;
import jakarta.annotation.Nullable;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static java.util.concurrent.CompletableFuture.supplyAsync;

/**
 * Gives Trino the pages of one split, and reads at most one page ahead.
 *
 * <p>If nobody takes that page, and others need the connection, it reads the rest of the split into memory, which Trino counts, and gives
 * the connection back.
 *
 * <p>Reading blocks on the network, so it runs on threads of the connector. Trino's driver thread never waits inside a read, which it could
 * not cancel.
 */
final class RangePageSource
        implements MeasuredPageSource
{
    private final RangeAdmission admission;
    private final Supplier<TupleDomain<ColumnHandle>> dynamicFilter;
    private final RowReader reader;
    private final boolean wholeStatement;
    private final ReadMetrics metrics;
    private final Executor executor;
    private final MemoryContext memory;

    @GuardedBy("this")
    @Nullable
    private CompletableFuture<Optional<Page>> next;
    @GuardedBy("this")
    @Nullable
    private Permit permit;
    // Bytes of the page that Trino has, and of the one that is read ahead.
    @GuardedBy("this")
    private long pageBytes;
    // Holds the rest that was read to give the connection back. Completes at its end.
    @GuardedBy("this")
    @Nullable
    private CompletableFuture<Queue<Page>> rest;
    @GuardedBy("this")
    private long restBytes;
    @GuardedBy("this")
    private boolean finished;

    /**
     * @param dynamicFilter asked when the range opens, so that late filters help
     * @param wholeStatement whether the split may be much more than a range
     */
    RangePageSource(
            RangeAdmission admission,
            Supplier<TupleDomain<ColumnHandle>> dynamicFilter,
            RowReader reader,
            boolean wholeStatement,
            ReadMetrics metrics,
            Executor executor,
            MemoryContext memory)
    {
        this.admission = admission;
        this.dynamicFilter = dynamicFilter;
        this.reader = reader;
        this.wholeStatement = wholeStatement;
        this.metrics = metrics;
        this.executor = executor;
        this.memory = memory;
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        Optional<CompletableFuture<Optional<Page>>> ready = ready();
        if (ready.isEmpty()) {
            return null;
        }
        Optional<Page> page = getFutureValue(ready.get());
        if (page.isEmpty()) {
            close();
            return null;
        }
        goOn(page.get());
        return SourcePage.create(page.get());
    }

    private Optional<CompletableFuture<Optional<Page>>> ready()
    {
        if (!isStarted()) {
            begin(start());
        }
        synchronized (this) {
            return finished || !next.isDone() ? Optional.empty() : Optional.of(next);
        }
    }

    private synchronized boolean isStarted()
    {
        return finished || next != null;
    }

    // To ask for a permit runs code of others who get one, so it is never done under our lock. One thread at a time takes pages.
    private synchronized void begin(CompletableFuture<Optional<Page>> first)
    {
        next = first;
    }

    private CompletableFuture<Optional<Page>> start()
    {
        return admission.admit().thenApplyAsync(granted -> {
            hold(granted);
            reader.open(granted, filter(granted));
            return read(granted);
        }, executor);
    }

    // Nobody else would give the permit back yet.
    private TupleDomain<ColumnHandle> filter(Permit granted)
    {
        try {
            return dynamicFilter.get();
        }
        catch (RuntimeException e) {
            granted.close();
            throw e;
        }
    }

    private synchronized void hold(Permit granted)
    {
        permit = granted;
    }

    private Optional<Page> read(Permit granted)
    {
        Optional<Page> page = reader.read();
        granted.waitsForConsumer(wholeStatement, this::giveBack);
        return page;
    }

    private synchronized void goOn(Page taken)
    {
        // The page that is read ahead meanwhile is likely as large.
        pageBytes = 2 * taken.getRetainedSizeInBytes();
        if (rest == null) {
            Permit granted = permit;
            granted.readsOn();
            next = supplyAsync(() -> read(granted), executor);
        }
        else {
            next = rest.thenApply(this::nextOf);
        }
        account();
    }

    private synchronized Optional<Page> nextOf(Queue<Page> pages)
    {
        Optional<Page> page = Optional.ofNullable(pages.poll());
        page.ifPresent(taken -> restBytes -= taken.getRetainedSizeInBytes());
        return page;
    }

    // The next page is there, and stays the next.
    private synchronized boolean giveBack()
    {
        if (finished || rest != null || next == null || !next.isDone()) {
            return false;
        }
        rest = supplyAsync(this::readRest, executor);
        metrics.recordRestReadAhead();
        return true;
    }

    private Queue<Page> readRest()
    {
        Queue<Page> pages = new ArrayDeque<>();
        try {
            for (Optional<Page> page = reader.read(); page.isPresent(); page = reader.read()) {
                pages.add(page.get());
                keep(page.get());
            }
            return pages;
        }
        catch (RuntimeException e) {
            // There may have been too little memory, for example. The query learns of it with its next page, and others have the connection now.
            reader.cancel();
            throw e;
        }
    }

    private synchronized void keep(Page page)
    {
        restBytes += page.getRetainedSizeInBytes();
        account();
    }

    @GuardedBy("this")
    private void account()
    {
        if (!finished) {
            memory.setBytes(reader.retainedBytes() + pageBytes + restBytes);
        }
    }

    @Override
    public synchronized CompletableFuture<?> isBlocked()
    {
        return next == null || finished ? NOT_BLOCKED : next;
    }

    @Override
    public synchronized boolean isFinished()
    {
        return finished;
    }

    @Override
    public void close()
    {
        synchronized (this) {
            if (finished) {
                return;
            }
            finished = true;
            memory.setBytes(0);
        }
        // This runs outside our lock, because the permit that comes free may be another reader's at once.
        reader.cancel();
        admission.cancel();
    }

    @Override
    public ReadMetrics metrics()
    {
        return metrics;
    }
}
