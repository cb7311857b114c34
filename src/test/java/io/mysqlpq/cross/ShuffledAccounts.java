package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Moves money between the accounts of one table, and accounts from one end of its key to the other: the number of rows and the sum of amounts stay.
 */
final class ShuffledAccounts
        implements AutoCloseable
{
    // Deadlock, lock wait timeout, duplicate key.
    private static final Set<Integer> RIVALRY = Set.of(1213, 1205, 1062);

    private final MysqlServer mysql;
    private final String table;
    private final String move;
    private final int accounts;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> writers;

    /**
     * @param table with the columns id and amount, and even ids from 0 to below twice the number of accounts
     * @param move what gives an account another place in the key, by a random number: a format
     */
    ShuffledAccounts(MysqlServer mysql, String table, String move, int accounts, long seed)
    {
        this.mysql = mysql;
        this.table = table;
        this.move = move;
        this.accounts = accounts;
        this.writers = Stream.of(1, 2).map(number -> Thread.ofPlatform().daemon().start(() -> write(new Random(seed + number)))).toList();
    }

    long commits()
    {
        return commits.get();
    }

    private void write(Random random)
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            while (!stopped.get()) {
                try {
                    statement.executeUpdate("UPDATE %s SET %s WHERE id = %d".formatted(table, move.formatted(random.nextInt(2 * accounts)), random.nextInt(2 * accounts)));
                    if (pay(statement, random)) {
                        connection.commit();
                        commits.incrementAndGet();
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

    // From an account in the one half of the ids to one in the other. False if one of them is not there.
    private boolean pay(Statement statement, Random random)
            throws SQLException
    {
        int money = random.nextInt(1000);
        String change = "UPDATE %s SET amount = amount + %d WHERE id >= %d ORDER BY id LIMIT 1";
        return statement.executeUpdate(change.formatted(table, -money, random.nextInt(accounts))) == 1
                && statement.executeUpdate(change.formatted(table, money, accounts + random.nextInt(accounts))) == 1;
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
        assertThat(failure.get()).isNull();
    }
}
