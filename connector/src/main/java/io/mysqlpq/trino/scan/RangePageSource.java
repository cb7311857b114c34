package io.mysqlpq.trino.scan;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mysqlpq.trino.connection.ConnectionPermits.Permit;
import io.mysqlpq.trino.metrics.MeasuredPageSource;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.sharing.SharedReads.Recording;
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
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;
import static java.util.concurrent.CompletableFuture.runAsync;

/**
 * Gives Trino the pages of one split, and reads at most one page ahead.
 *
 * <p>If nobody takes that page, and others need the connection, it reads the rest of the split into memory, which Trino counts, and gives
 * the connection back. If other queries may wait for the pages, it reads on without a pause: they must not wait for this query's consumer.
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
    private final Function<TupleDomain<ColumnHandle>, Optional<Recording>> recorder;
    private final ReadMetrics metrics;
    private final Executor executor;
    private final MemoryContext memory;

    // Keeps the pages for other queries. Empty before the dynamic filter is known.
    private volatile Optional<Recording> recording = Optional.empty();
    // What Trino takes next.
    @GuardedBy("this")
    @Nullable
    private CompletableFuture<Optional<Page>> next;
    // Whether the next page is still to be read.
    @GuardedBy("this")
    private boolean waiting;
    // Pages after the next one, read ahead.
    @GuardedBy("this")
    private final Queue<Page> pages = new ArrayDeque<>();
    @GuardedBy("this")
    private long bytesOfPages;
    @GuardedBy("this")
    @Nullable
    private Permit permit;
    // Bytes of the page that Trino has, and of the next one.
    @GuardedBy("this")
    private long pageBytes;
    // Whether the reader waits until its page is taken.
    @GuardedBy("this")
    private boolean paused;
    // Whether the rest is read without a pause, to give the connection back.
    @GuardedBy("this")
    private boolean hurried;
    // Whether all pages are read.
    @GuardedBy("this")
    private boolean ended;
    @GuardedBy("this")
    @Nullable
    private Throwable failure;
    @GuardedBy("this")
    private boolean finished;

    /**
     * @param dynamicFilter asked when the range opens, so that late filters help
     * @param wholeStatement whether the split may be much more than a range
     * @param recorder begins a recording of the pages for other queries, once it is known what is filtered
     */
    RangePageSource(
            RangeAdmission admission,
            Supplier<TupleDomain<ColumnHandle>> dynamicFilter,
            RowReader reader,
            boolean wholeStatement,
            Function<TupleDomain<ColumnHandle>, Optional<Recording>> recorder,
            ReadMetrics metrics,
            Executor executor,
            MemoryContext memory)
    {
        this.admission = admission;
        this.dynamicFilter = dynamicFilter;
        this.reader = reader;
        this.wholeStatement = wholeStatement;
        this.recorder = recorder;
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
        if (begins()) {
            start();
        }
        synchronized (this) {
            return finished || !next.isDone() ? Optional.empty() : Optional.of(next);
        }
    }

    private synchronized boolean begins()
    {
        if (finished || next != null) {
            return false;
        }
        next = new CompletableFuture<>();
        waiting = true;
        return true;
    }

    // To ask for a permit runs code of others who get one, so it is never done under our lock.
    private void start()
    {
        CompletableFuture<Void> _ = admission.admit()
                .thenAcceptAsync(this::open, executor)
                .exceptionally(this::fail);
    }

    private void open(Permit granted)
    {
        hold(granted);
        TupleDomain<ColumnHandle> filter = filter(granted);
        reader.open(granted, filter, recording.flatMap(Recording::kept));
        if (!reader.isNative()) {
            // It gives no validator.
            recording.filter(record -> !record.isAwaited()).ifPresent(Recording::abandon);
        }
        readOn(granted);
    }

    // Nobody else would give the permit back yet.
    private TupleDomain<ColumnHandle> filter(Permit granted)
    {
        try {
            TupleDomain<ColumnHandle> filter = dynamicFilter.get();
            recording = recorder.apply(filter);
            return filter;
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

    // Reads until a page waits to be taken, or all are read.
    private void readOn(Permit granted)
    {
        boolean pauses = false;
        while (!pauses) {
            Optional<Page> page = reader.read();
            if (page.isEmpty()) {
                end();
                return;
            }
            recording.ifPresent(record -> record.add(page.get()));
            pauses = pauses();
            if (pauses) {
                // Before the page can be taken, since whoever takes it reads on.
                granted.waitsForConsumer(wholeStatement, this::giveBack);
            }
            give(page.get(), pauses);
        }
    }

    private synchronized boolean pauses()
    {
        return !hurried && !recording.map(Recording::isAwaited).orElse(false);
    }

    private void give(Page page, boolean pause)
    {
        Optional<CompletableFuture<Optional<Page>>> taker;
        synchronized (this) {
            paused = pause;
            taker = taker();
            if (taker.isEmpty() && !finished) {
                pages.add(page);
                bytesOfPages += page.getRetainedSizeInBytes();
                account();
            }
        }
        taker.ifPresent(wanted -> wanted.complete(Optional.of(page)));
    }

    @GuardedBy("this")
    private Optional<CompletableFuture<Optional<Page>>> taker()
    {
        Optional<CompletableFuture<Optional<Page>>> taker = waiting ? Optional.of(next) : Optional.empty();
        waiting = false;
        return taker;
    }

    private void end()
    {
        Optional<CompletableFuture<Optional<Page>>> taker;
        synchronized (this) {
            ended = true;
            taker = taker();
        }
        recording.ifPresent(reader.isComplete() ? record -> record.complete(reader.pieces()) : Recording::abandon);
        taker.ifPresent(wanted -> wanted.complete(Optional.empty()));
    }

    // There may have been too little memory, for example. The query learns of it with its next page, and others get the connection now.
    private Void fail(Throwable thrown)
    {
        Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
        reader.cancel();
        recording.ifPresent(Recording::abandon);
        Optional<CompletableFuture<Optional<Page>>> taker;
        synchronized (this) {
            failure = cause;
            pages.clear();
            bytesOfPages = 0;
            taker = taker();
        }
        taker.ifPresent(wanted -> wanted.completeExceptionally(cause));
        return null;
    }

    private synchronized void goOn(Page taken)
    {
        // The page that is read meanwhile is likely as large.
        pageBytes = 2 * taken.getRetainedSizeInBytes();
        if (paused && pages.isEmpty()) {
            permit.readsOn();
            resume();
        }
        next = following();
        account();
    }

    @GuardedBy("this")
    private CompletableFuture<Optional<Page>> following()
    {
        if (failure != null) {
            return failedFuture(failure);
        }
        Optional<Page> page = Optional.ofNullable(pages.poll());
        page.ifPresent(read -> bytesOfPages -= read.getRetainedSizeInBytes());
        waiting = page.isEmpty() && !ended;
        return waiting ? new CompletableFuture<>() : completedFuture(page);
    }

    @GuardedBy("this")
    private void resume()
    {
        Permit granted = permit;
        CompletableFuture<Void> _ = runAsync(() -> readOn(granted), executor).exceptionally(this::fail);
        paused = false;
    }

    private synchronized boolean giveBack()
    {
        if (finished || !paused) {
            return false;
        }
        hurried = true;
        resume();
        metrics.recordRestReadAhead();
        return true;
    }

    @GuardedBy("this")
    private void account()
    {
        if (!finished) {
            memory.setBytes(reader.retainedBytes() + pageBytes + bytesOfPages);
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
            pages.clear();
            memory.setBytes(0);
        }
        // This runs outside our lock, because the permit that comes free may be another reader's at once.
        reader.cancel();
        admission.cancel();
        recording.ifPresent(Recording::abandon);
    }

    @Override
    public ReadMetrics metrics()
    {
        return metrics;
    }
}
