package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

/** Threads that commit one transaction after the other until they are closed. What rivals do to each other is rolled back, and is no failure. */
final class RivalWriters
        implements AutoCloseable
{
    interface Transaction
    {
        /** @return false if it is to be rolled back */
        boolean run(Statement statement, Random random)
                throws SQLException;
    }

    // Deadlock, lock wait timeout, duplicate key.
    private static final Set<Integer> RIVALRY = Set.of(1213, 1205, 1062);

    private final MysqlServer mysql;
    private final Transaction transaction;
    private volatile long pauseNanos;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLongArray commits;
    private final Iterable<Thread> threads;

    /** @param pauseNanos before each transaction */
    RivalWriters(MysqlServer mysql, int count, Random seeds, long pauseNanos, Transaction transaction)
    {
        this.mysql = mysql;
        this.transaction = transaction;
        this.pauseNanos = pauseNanos;
        this.commits = new AtomicLongArray(count);
        this.threads = IntStream.range(0, count)
                .mapToObj(number -> {
                    Random random = new Random(seeds.nextLong());
                    return Thread.ofPlatform().daemon().name("writer " + number).start(() -> write(number, random));
                })
                .collect(toImmutableList());
    }

    /** @param pauseNanos before each transaction from now on */
    void setPause(long pauseNanos)
    {
        this.pauseNanos = pauseNanos;
    }

    long commits()
    {
        return IntStream.range(0, commits.length()).mapToLong(commits::get).sum();
    }

    void assertAtWork()
    {
        assertThat(failure.get()).isNull();
        assertThat(IntStream.range(0, commits.length()).mapToLong(commits::get)).allMatch(count -> count > 20);
    }

    private void write(int number, Random random)
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            while (!stopped.get()) {
                LockSupport.parkNanos(pauseNanos);
                try {
                    if (transaction.run(statement, random)) {
                        connection.commit();
                        commits.incrementAndGet(number);
                    }
                    else {
                        connection.rollback();
                    }
                }
                catch (SQLException e) {
                    connection.rollback();
                    if (!RIVALRY.contains(e.getErrorCode())) {
                        throw e;
                    }
                }
            }
        }
        catch (SQLException | RuntimeException e) {
            failure.set(e);
        }
    }

    /** Lets them end their transactions. Fails if one of them failed. */
    @Override
    public void close()
    {
        stopped.set(true);
        for (Thread thread : threads) {
            try {
                thread.join(30_000);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(thread.isAlive()).isFalse();
        }
        assertThat(failure.get()).isNull();
    }
}
