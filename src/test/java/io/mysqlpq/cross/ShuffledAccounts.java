package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/**
 * Moves money between the accounts of one table, and accounts from one end of its key to the other: the number of rows and the sum of amounts stay.
 */
final class ShuffledAccounts
        implements AutoCloseable
{
    private final String table;
    private final String move;
    private final int accounts;
    private final RivalWriters writers;

    /**
     * @param table with the columns id and amount, and even ids from 0 to below twice the number of accounts
     * @param move what gives an account another place in the key, by a random number: a format
     */
    ShuffledAccounts(MysqlServer mysql, String table, String move, int accounts, long seed)
    {
        this.table = table;
        this.move = move;
        this.accounts = accounts;
        this.writers = new RivalWriters(mysql, 2, new Random(seed), 0, this::shuffle);
    }

    long commits()
    {
        return writers.commits();
    }

    private boolean shuffle(Statement statement, Random random)
            throws SQLException
    {
        statement.executeUpdate("UPDATE %s SET %s WHERE id = %d".formatted(table, move.formatted(random.nextInt(2 * accounts)), random.nextInt(2 * accounts)));
        return pay(statement, random);
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
        writers.close();
    }
}
