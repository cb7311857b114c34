package io.mysqlpq.trino.sharing;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalNotification;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.google.inject.Inject;
import io.airlift.units.Duration;
import io.mysqlpq.trino.protocol.ScannedPiece;
import io.trino.spi.Page;
import org.weakref.jmx.Managed;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import static com.google.common.primitives.Ints.saturatedCast;
import static java.util.Objects.requireNonNull;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Lets queries of this node that read the same of one snapshot read it once. The first one reads, those that come meanwhile wait for it, and those
 * that come later get the pages that were kept.
 *
 * <p>A snapshot never changes, so what was read in it stays right as long as anybody reads in it. What was read natively often stays right for longer:
 * then the extension gave a validator with it, and tells a query of another snapshot whether that still holds.
 *
 * <p>What is kept has a budget; what nobody asked for the longest goes first. A read that is too large is not kept.
 */
public final class SharedReads
{
    // A read that takes more of the budget is not kept: it would displace too much.
    private static final int PARTS = 8;
    // An entry takes about this much beside what is in it. It is counted, so that many small reads have a limit too.
    private static final long BYTES_OF_ENTRY = 4096;

    private final long budget;
    private final Duration wait;
    private final Cache<ReadKey, Ended> ended;
    private final Map<ReadKey, CompletableFuture<Ended>> running = new ConcurrentHashMap<>();
    private final LongAdder tooLarge = new LongAdder();
    private final LongAdder noRoom = new LongAdder();
    private final LongAdder displaced = new LongAdder();
    // Counts pages that are recorded and not yet kept.
    private final AtomicLong bytesRecorded = new AtomicLong();

    @Inject
    public SharedReads(SharedReadsConfig config)
    {
        this.budget = config.getSharedReadsMemory().toBytes();
        this.wait = config.getSharedReadsWait();
        // Each segment of the cache would have its own part of the budget.
        this.ended = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumWeight(budget / BYTES_OF_ENTRY)
                .<ReadKey, Ended>weigher((key, read) -> saturatedCast(1 + (key.bytes() + read.bytes()) / BYTES_OF_ENTRY))
                .removalListener((RemovalNotification<ReadKey, Ended> removal) -> {
                    if (removal.wasEvicted()) {
                        displaced.increment();
                    }
                })
                .build();
    }

    public boolean isEnabled()
    {
        return budget > 0;
    }

    /**
     * Joins the reads of a key: as the first one, as one that waits for the first, or as one that gets what was read. Whoever reads in a snapshot of its
     * own is the first.
     */
    public Joined join(ReadKey key)
    {
        if (key.snapshot().isEmpty()) {
            return new Joined.Reads(record(key));
        }
        CompletableFuture<Ended> mine = new CompletableFuture<>();
        CompletableFuture<Ended> first = running.putIfAbsent(key, mine);
        if (first != null) {
            return new Joined.Waits(first.copy().completeOnTimeout(new Ended.Late(), wait.toMillis(), MILLISECONDS));
        }
        // What ended is kept before it is no longer among the running ones.
        Optional<Ended> kept = keptOf(key);
        if (kept.isEmpty()) {
            return new Joined.Reads(new Recording(key, Optional.of(mine)));
        }
        running.remove(key, mine);
        mine.complete(kept.get());
        return new Joined.Waits(mine);
    }

    // What has a validator is kept once for all snapshots. It is right without asking in the one that it was read in.
    private Optional<Ended> keptOf(ReadKey key)
    {
        Ended ofSnapshot = ended.getIfPresent(key);
        if (ofSnapshot != null) {
            return Optional.of(ofSnapshot);
        }
        return ended.getIfPresent(key.inAnySnapshot()) instanceof Ended.Complete complete && complete.snapshot().equals(key.snapshot()) ? Optional.of(complete) : Optional.empty();
    }

    /** Records the read of a query that reads in a snapshot of its own. */
    public Recording record(ReadKey key)
    {
        return new Recording(key, Optional.empty());
    }

    @Managed(description = "Reads that were too large to keep for other queries")
    public long getTooLarge()
    {
        return tooLarge.sum();
    }

    @Managed(description = "Reads that were not kept because others filled the memory while they were read")
    public long getNoRoom()
    {
        return noRoom.sum();
    }

    @Managed(description = "Reads that were dropped for newer ones, since the memory was full")
    public long getDisplaced()
    {
        return displaced.sum();
    }

    @Managed(description = "Reads that are kept for other queries")
    public long getKept()
    {
        return ended.size();
    }

    @Managed(description = "Bytes of the reads that are kept for other queries")
    public long getBytesKept()
    {
        return ended.asMap().entrySet().stream().mapToLong(entry -> entry.getKey().bytes() + entry.getValue().bytes()).sum();
    }

    private long mostBytesOfRead()
    {
        return budget / PARTS;
    }

    /** What became of a query's wish to share a read. */
    public sealed interface Joined
    {
        /** The query reads, and others may wait for what it records. */
        record Reads(Recording recording)
                implements Joined
        {
            public Reads
            {
                requireNonNull(recording, "recording is null");
            }
        }

        /** Another query reads, or has read. */
        record Waits(CompletableFuture<Ended> ended)
                implements Joined
        {
            public Waits
            {
                requireNonNull(ended, "ended is null");
            }
        }
    }

    /** How the first read of a key ended, for those that wait for it. */
    public sealed interface Ended
    {
        /**
         * Here is all that it read.
         *
         * @param snapshot that it read in, if others read in it too
         */
        record Complete(KeptRead read, Optional<String> snapshot, long bytes)
                implements Ended
        {
            public Complete
            {
                requireNonNull(read, "read is null");
                requireNonNull(snapshot, "snapshot is null");
            }
        }

        /** It reads more than is kept, or all that is read now is more. Each query that waits reads by itself. */
        record TooLarge()
                implements Ended
        {}

        /** It failed, or nobody wanted its rows any more. The next one may read. */
        record Abandoned()
                implements Ended
        {}

        /** It takes too long. Whoever waited reads by itself. */
        record Late()
                implements Ended
        {}

        default long bytes()
        {
            return 0;
        }
    }

    /** Collects what the first query reads of a key. One thread at a time adds; any thread may end it. */
    public final class Recording
    {
        private final ReadKey key;
        private final Optional<CompletableFuture<Ended>> end;
        @GuardedBy("this")
        private final List<Page> pages = new ArrayList<>();
        @GuardedBy("this")
        private long bytes;
        @GuardedBy("this")
        private boolean over;

        /** What became of a page. */
        private enum Outcome
        {
            RECORDED,
            TOO_LARGE,
            NO_ROOM,
            OVER,
        }

        /** @param end completed for those that wait; empty if nobody can */
        private Recording(ReadKey key, Optional<CompletableFuture<Ended>> end)
        {
            this.key = key;
            this.end = end;
        }

        /** Whether others may wait for the read. */
        public synchronized boolean isAwaited()
        {
            return !over && end.isPresent();
        }

        /** Returns what was read of the same in another snapshot, with a validator. */
        public Optional<KeptRead> kept()
        {
            return ended.getIfPresent(key.inAnySnapshot()) instanceof Ended.Complete complete ? Optional.of(complete.read()) : Optional.empty();
        }

        public void add(Page page)
        {
            switch (keep(page)) {
                case TOO_LARGE -> {
                    tooLarge.increment();
                    end(new Ended.TooLarge(), end.isPresent());
                }
                case NO_ROOM -> {
                    noRoom.increment();
                    // There may be room for the next one.
                    end(new Ended.TooLarge(), false);
                }
                case RECORDED, OVER -> {}
            }
        }

        private synchronized Outcome keep(Page page)
        {
            if (over) {
                return Outcome.OVER;
            }
            pages.add(page);
            bytes += page.getRetainedSizeInBytes();
            boolean noRoom = bytesRecorded.addAndGet(page.getRetainedSizeInBytes()) > budget;
            if (key.bytes() + bytes > mostBytesOfRead()) {
                close();
                return Outcome.TOO_LARGE;
            }
            if (noRoom) {
                close();
                return Outcome.NO_ROOM;
            }
            return Outcome.RECORDED;
        }

        @GuardedBy("this")
        private void close()
        {
            over = true;
            pages.clear();
            bytesRecorded.addAndGet(-bytes);
        }

        /**
         * Ends the read: all its pages were added, and it was proven that they are the snapshot's.
         *
         * @param pieces that the pages are of
         */
        public void complete(List<ScannedPiece> pieces)
        {
            Ended.Complete complete;
            synchronized (this) {
                if (over) {
                    return;
                }
                KeptRead read = new KeptRead(pages, pieces);
                complete = new Ended.Complete(read, key.snapshot(), bytes + read.bytesOfPieces());
                close();
            }
            boolean forAllSnapshots = complete.read().hasValidator();
            if (forAllSnapshots) {
                ended.put(key.inAnySnapshot(), complete);
            }
            else {
                // What was kept before has changed.
                ended.invalidate(key.inAnySnapshot());
            }
            end(complete, end.isPresent() && !forAllSnapshots);
        }

        /** Ends the read if it is not complete. */
        public void abandon()
        {
            synchronized (this) {
                if (over) {
                    return;
                }
                close();
            }
            end(new Ended.Abandoned(), false);
        }

        // Runs code of those that wait: never under a lock.
        private void end(Ended how, boolean kept)
        {
            if (kept) {
                ended.put(key, how);
            }
            end.ifPresent(waited -> {
                running.remove(key, waited);
                waited.complete(how);
            });
        }
    }
}
