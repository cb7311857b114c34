package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Moves money between accounts in three tables, in transactions that keep the total.
 */
final class Bank
        implements AutoCloseable
{
    static final long ACCOUNTS = 30_000;
    static final long TOTAL = 100 * ACCOUNTS;

    // Deadlock, lock wait timeout, duplicate key: what rivals do to each other.
    private static final Set<Integer> RIVALRY = Set.of(1213, 1205, 1062);

    private static final long PAUSE_NANOS = 5_000_000;

    private final MysqlServer mysql;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> writers = new ArrayList<>();
    private final List<AtomicLong> commits = new ArrayList<>();

    private Bank(MysqlServer mysql)
    {
        this.mysql = mysql;
    }

    /** Three tables with keys of three kinds, and the writers at work. */
    static Bank open(MysqlServer mysql, int writerCount, Random random)
    {
        mysql.execute(
                "DROP SCHEMA IF EXISTS bank",
                "CREATE SCHEMA bank",
                "CREATE TABLE bank.checking (id BIGINT PRIMARY KEY, owner INT NOT NULL, amount BIGINT NOT NULL, filler VARCHAR(500) NOT NULL DEFAULT '')",
                "CREATE TABLE bank.savings (id VARCHAR(40) PRIMARY KEY, owner INT NOT NULL, amount BIGINT NOT NULL, filler VARCHAR(500) NOT NULL DEFAULT '')",
                "CREATE TABLE bank.vault (branch INT, id BIGINT, owner INT NOT NULL, amount BIGINT NOT NULL, filler VARCHAR(500) NOT NULL DEFAULT '', PRIMARY KEY (branch DESC, id))",
                "INSERT INTO bank.checking (id, owner, amount) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i * 1000, i %% 500, 100 FROM s".formatted(ACCOUNTS / 3),
                "INSERT INTO bank.savings (id, owner, amount) SELECT LEFT(SHA2(id, 256), 40), owner, 100 FROM bank.checking",
                "INSERT INTO bank.vault (branch, id, owner, amount) SELECT owner %% 20, id, owner, 100 FROM bank.checking".replace("%%", "%"));
        Bank bank = new Bank(mysql);
        for (int i = 0; i < writerCount; i++) {
            AtomicLong count = new AtomicLong();
            bank.commits.add(count);
            long seed = random.nextLong();
            bank.writers.add(Thread.ofPlatform().daemon().name("bank writer " + i).start(() -> bank.write(new Random(seed), count)));
        }
        return bank;
    }

    void assertAtWork()
    {
        assertThat(failure.get()).isNull();
        assertThat(commits).allMatch(count -> count.get() > 20);
    }

    long commits()
    {
        return commits.stream().mapToLong(AtomicLong::get).sum();
    }

    private void write(Random random, AtomicLong count)
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            while (!stopped.get()) {
                // Full speed would leave two cores no time for the queries, and their rows thousands of old versions.
                LockSupport.parkNanos(PAUSE_NANOS);
                try {
                    if (step(statement, random)) {
                        connection.commit();
                        count.incrementAndGet();
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

    // False if the accounts were not found.
    private static boolean step(Statement statement, Random random)
            throws SQLException
    {
        long key = 1000L * random.nextInt((int) ACCOUNTS / 3);
        int money = random.nextInt(50) + 1;
        String hash = "%08x".formatted(random.nextInt());
        return switch (random.nextInt(6)) {
            case 0 -> pay(statement, first("checking", "id >= " + key), first("savings", "id >= '" + hash + "'"), money);
            case 1 -> pay(statement, first("savings", "id >= '" + hash + "'"), first("vault", "branch = %s AND id >= %s".formatted(random.nextInt(20), key)), money);
            case 2 -> pay(statement, first("vault", "branch = %s AND id >= %s".formatted(random.nextInt(20), key)), first("checking", "id >= " + key), money);
            // The row leaves one table for another, or one end of its table for the other.
            case 3 -> move(statement, "checking", key, "INSERT INTO bank.savings (id, owner, amount) VALUES (CONCAT('%s', @id), @owner, @amount)".formatted(hash));
            case 4 -> moveBack(statement, hash, random);
            default -> statement.executeUpdate("UPDATE bank.checking SET id = %s, filler = REPEAT('x', %s) WHERE id >= %s ORDER BY id LIMIT 1"
                    .formatted(1000L * random.nextInt((int) ACCOUNTS / 3) + random.nextInt(1000), random.nextInt(500), key)) == 1;
        };
    }

    private record Rows(String table, String condition)
    {}

    private static Rows first(String table, String condition)
    {
        return new Rows(table, condition);
    }

    private static boolean pay(Statement statement, Rows from, Rows to, int money)
            throws SQLException
    {
        return change(statement, from, -money) && change(statement, to, money);
    }

    private static boolean change(Statement statement, Rows rows, int money)
            throws SQLException
    {
        return statement.executeUpdate("UPDATE bank.%s SET amount = amount + %s, filler = REPEAT('y', ABS(%s) * 3) WHERE %s ORDER BY id LIMIT 1".formatted(rows.table(), money, money, rows.condition())) == 1;
    }

    private static boolean move(Statement statement, String table, long key, String insert)
            throws SQLException
    {
        try (ResultSet row = statement.executeQuery("SELECT @id := id, @owner := owner, @amount := amount FROM bank.%s WHERE id >= %s ORDER BY id LIMIT 1 FOR UPDATE".formatted(table, key))) {
            if (!row.next()) {
                return false;
            }
        }
        return statement.executeUpdate("DELETE FROM bank.%s WHERE id = @id".formatted(table)) == 1 && statement.executeUpdate(insert) == 1;
    }

    private static boolean moveBack(Statement statement, String hash, Random random)
            throws SQLException
    {
        try (ResultSet row = statement.executeQuery("SELECT @id := id, @owner := owner, @amount := amount FROM bank.savings WHERE id >= '%s' ORDER BY id LIMIT 1 FOR UPDATE".formatted(hash))) {
            if (!row.next()) {
                return false;
            }
        }
        return statement.executeUpdate("DELETE FROM bank.savings WHERE id = @id") == 1
                && statement.executeUpdate("INSERT INTO bank.checking (id, owner, amount, filler) VALUES (%s, @owner, @amount, REPEAT('z', %s))"
                        .formatted(1000L * random.nextInt((int) ACCOUNTS / 3) + random.nextInt(1000), random.nextInt(500))) == 1;
    }

    @Override
    public void close()
    {
        stopped.set(true);
        for (Thread writer : writers) {
            try {
                writer.join(30_000);
            }
            catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            assertThat(writer.isAlive()).isFalse();
        }
    }
}
