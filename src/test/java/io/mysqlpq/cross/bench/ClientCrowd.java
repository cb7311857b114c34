package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map.Entry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Runs queries by a thread for each session, all at once.
 *
 * @param queries with their answers
 */
record ClientCrowd(List<SideSession> sessions, Duration duration, List<Entry<BenchQuery, Answer>> queries, Queue<Double> latencies, LongAdder errors)
{
    ClientCrowd(List<SideSession> sessions, Duration duration, List<Entry<BenchQuery, Answer>> queries)
    {
        this(sessions, duration, queries, new ConcurrentLinkedQueue<>(), new LongAdder());
    }

    /** @throws IllegalStateException if an answer is not the expected one */
    Work run()
    {
        long started = System.nanoTime();
        try (ExecutorService threads = Executors.newFixedThreadPool(sessions.size())) {
            List<Future<?>> clients = IntStream.range(0, sessions.size())
                    .<Future<?>>mapToObj(client -> threads.submit(() -> runClient(client, started)))
                    .toList();
            clients.forEach(ClientCrowd::await);
        }
        return Work.many((System.nanoTime() - started) / 1e9, List.copyOf(latencies), errors.sum());
    }

    private void runClient(int client, long started)
    {
        // Clients begin far from one another.
        int next = client * queries.size() / sessions.size();
        do {
            runOne(sessions.get(client), queries.get(next++ % queries.size()));
        } while (System.nanoTime() - started < duration.toNanos());
    }

    private void runOne(SideSession session, Entry<BenchQuery, Answer> query)
    {
        try {
            latencies.add(session.seconds(query.getKey(), query.getValue()));
        }
        catch (SQLException e) {
            if (errors.sum() == 0) {
                System.out.println("  the first query that fails: " + e.getMessage());
            }
            errors.increment();
        }
    }

    private static void await(Future<?> client)
    {
        try {
            client.get();
        }
        catch (ExecutionException e) {
            throw new IllegalStateException("A client got a wrong answer", e.getCause());
        }
        catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while clients ran", e);
        }
    }
}
