package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.metrics.MeasuredPageSource;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.sharing.ReadKey;
import io.mysqlpq.trino.sharing.SharedReads;
import io.mysqlpq.trino.sharing.SharedReads.Ended;
import io.mysqlpq.trino.sharing.SharedReads.Joined;
import io.mysqlpq.trino.sharing.SharedReads.Recording;
import io.trino.spi.Page;
import io.trino.spi.connector.MemoryContext;
import io.trino.spi.connector.SourcePage;
import jakarta.annotation.Nullable;

import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

import static java.util.Objects.requireNonNull;

/** Gives Trino the pages of one split, which this query reads itself only if no other query of the snapshot does, or has done. */
final class SharedPageSource
        implements MeasuredPageSource
{
    private final SharedReads reads;
    private final Supplier<ReadKey> key;
    private final Function<Optional<Recording>, RangePageSource> own;
    private final ReadMetrics metrics;
    private final MemoryContext memory;

    // How the read of another query ends.
    @Nullable
    private CompletableFuture<Ended> waits;
    @Nullable
    private Iterator<Page> shared;
    @Nullable
    private RangePageSource source;
    // What others wait for while this query reads.
    private Optional<Recording> recording = Optional.empty();
    private boolean closed;

    /** @param own reads the split for this query, and records it for others if told so */
    SharedPageSource(SharedReads reads, Supplier<ReadKey> key, Function<Optional<Recording>, RangePageSource> own, ReadMetrics metrics, MemoryContext memory)
    {
        this.reads = requireNonNull(reads, "reads is null");
        this.key = requireNonNull(key, "key is null");
        this.own = requireNonNull(own, "own is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.memory = requireNonNull(memory, "memory is null");
    }

    @Override
    public SourcePage getNextSourcePage()
    {
        if (closed) {
            return null;
        }
        while (source == null && shared == null) {
            if (waits == null) {
                join();
            }
            else if (!waits.isDone()) {
                return null;
            }
            else {
                takeOver(waits.join());
            }
        }
        return source == null ? nextShared() : source.getNextSourcePage();
    }

    private void join()
    {
        switch (reads.join(key.get())) {
            case Joined.Reads(Recording begun) -> {
                recording = Optional.of(begun);
                source = own.apply(recording);
            }
            case Joined.Waits(CompletableFuture<Ended> ended) -> waits = ended;
        }
    }

    private void takeOver(Ended ended)
    {
        switch (ended) {
            case Ended.Complete complete -> {
                metrics.recordReadByOtherQuery(complete.read().pages());
                shared = complete.read().pages().iterator();
            }
            case Ended.Abandoned _ -> waits = null;
            case Ended.TooLarge _,Ended.Late _ -> source = own.apply(Optional.empty());
        }
    }

    private SourcePage nextShared()
    {
        if (!shared.hasNext()) {
            close();
            return null;
        }
        Page page = shared.next();
        memory.setBytes(page.getRetainedSizeInBytes());
        return SourcePage.create(page);
    }

    @Override
    public CompletableFuture<?> isBlocked()
    {
        if (source != null) {
            return source.isBlocked();
        }
        return waits == null || closed ? NOT_BLOCKED : waits;
    }

    @Override
    public boolean isFinished()
    {
        return source == null ? closed : source.isFinished();
    }

    @Override
    public void close()
    {
        closed = true;
        memory.setBytes(0);
        if (source != null) {
            source.close();
        }
        // The source does not know of it before it may read.
        recording.ifPresent(Recording::abandon);
    }

    @Override
    public ReadMetrics metrics()
    {
        return metrics;
    }
}
