package io.mysqlpq.trino.scan;

import io.mysqlpq.trino.aggregation.GroupReader;
import io.mysqlpq.trino.metrics.ReadMetrics;
import io.mysqlpq.trino.sharing.ReadKey;
import io.mysqlpq.trino.sharing.SharedReads;
import io.mysqlpq.trino.sharing.SharedReads.Ended;
import io.mysqlpq.trino.sharing.SharedReads.Joined;
import io.mysqlpq.trino.sharing.SharedReads.Recording;
import io.trino.spi.Page;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

/** Reads a range's groups only if no other query of the snapshot does, or has done, and keeps them for later queries. */
final class SharedGroupReader
        implements GroupReader
{
    private final SharedReads reads;
    private final ReadKey key;
    private final AdmittedGroupReader own;
    private final ReadMetrics metrics;
    private final Executor executor;
    // Completes when the reader is cancelled.
    private final CompletableFuture<Ended> cancelled = new CompletableFuture<>();

    SharedGroupReader(SharedReads reads, ReadKey key, AdmittedGroupReader own, ReadMetrics metrics, Executor executor)
    {
        this.reads = requireNonNull(reads, "reads is null");
        this.key = requireNonNull(key, "key is null");
        this.own = requireNonNull(own, "own is null");
        this.metrics = requireNonNull(metrics, "metrics is null");
        this.executor = requireNonNull(executor, "executor is null");
    }

    @Override
    public CompletableFuture<Void> read(Consumer<Page> groups)
    {
        return switch (reads.join(key)) {
            case Joined.Reads(Recording recording) -> record(recording, groups);
            case Joined.Waits(CompletableFuture<Ended> ended) -> ended.applyToEither(cancelled, how -> how).thenComposeAsync(how -> takeOver(how, groups), executor);
        };
    }

    private CompletableFuture<Void> record(Recording recording, Consumer<Page> groups)
    {
        boolean begun = false;
        try {
            CompletableFuture<Void> read = own
                    .read(recording::kept, page -> {
                        recording.add(page);
                        groups.accept(page);
                    })
                    .whenComplete((_, _) -> end(recording));
            begun = true;
            return read;
        }
        finally {
            if (!begun) {
                recording.abandon();
            }
        }
    }

    private void end(Recording recording)
    {
        if (own.isComplete()) {
            recording.complete(own.pieces());
        }
        else {
            recording.abandon();
        }
    }

    private CompletableFuture<Void> takeOver(Ended ended, Consumer<Page> groups)
    {
        if (cancelled.isDone()) {
            return failedFuture(new CancellationException());
        }
        return switch (ended) {
            case Ended.Complete complete -> {
                metrics.recordReadByOtherQuery(complete.read().pages());
                complete.read().pages().forEach(groups);
                yield completedFuture(null);
            }
            case Ended.Abandoned _ -> read(groups);
            case Ended.TooLarge _,Ended.Late _ -> own.read(groups);
        };
    }

    @Override
    public long retainedBytes()
    {
        return own.retainedBytes();
    }

    @Override
    public void cancel()
    {
        own.cancel();
        cancelled.complete(new Ended.Abandoned());
    }
}
