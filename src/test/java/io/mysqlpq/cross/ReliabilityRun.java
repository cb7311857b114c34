package io.mysqlpq.cross;

import io.mysqlpq.testing.Background;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;

import static com.google.common.base.Throwables.throwIfUnchecked;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

/**
 * Counts the queries of a long run and those whose answer differed, and prints at its end what docs/reliability-log.tsv keeps.
 */
final class ReliabilityRun
        implements AutoCloseable
{
    private final String name;
    private final long seed;
    private final long start = System.nanoTime();
    private final Duration duration;
    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicInteger differences = new AtomicInteger();

    /** How long all runs of one test class are together. */
    static Duration wholeDuration()
    {
        return Duration.ofSeconds(Long.getLong("pq.stress.seconds", 60));
    }

    ReliabilityRun(String name, long seed, Duration duration)
    {
        this.name = name;
        this.seed = seed;
        this.duration = duration;
    }

    boolean goesOn()
    {
        return System.nanoTime() - start < duration.toNanos();
    }

    int queries()
    {
        return queries.get();
    }

    /** One query and its comparison. That which fails, for whatever reason, counts as different. */
    void compare(Runnable query)
    {
        queries.incrementAndGet();
        differences.incrementAndGet();
        query.run();
        differences.decrementAndGet();
    }

    /** Several at the same time; fails as the first of them that failed. */
    void compareTogether(List<Runnable> all)
    {
        List<CompletableFuture<Void>> results = all.stream().map(query -> Background.run(() -> compare(query))).toList();
        try {
            CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)).join();
        }
        catch (CompletionException e) {
            throwIfUnchecked(e.getCause());
            throw e;
        }
    }

    /** Writes what there is so far to the file -Dpq.progress, if it is given, for the case that the run is interrupted. */
    void keep()
    {
        Optional.ofNullable(System.getProperty("pq.progress")).map(Path::of).ifPresent(file -> {
            try {
                Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), summary() + "\n");
                Files.move(next, file, ATOMIC_MOVE);
            }
            catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close()
    {
        keep();
        System.out.println(summary());
    }

    // scripts/reliability.py looks for this line.
    private String summary()
    {
        double minutes = (System.nanoTime() - start) / 60e9;
        return "Reliability: %s seed %s minutes %.2f queries %s differences %s".formatted(name, seed, minutes, queries, differences);
    }
}
