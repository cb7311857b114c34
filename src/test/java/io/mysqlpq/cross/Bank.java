package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Moves money between the accounts of all tables, in transactions that keep the total.
 */
final class Bank
        implements AutoCloseable
{
    static final long ACCOUNTS = 30_000;
    static final long TOTAL = 100 * ACCOUNTS;
    static final int OWNERS = 500;
    static final long LARGEST_ID = 10_000_000;
    /** An account of checking that pays so often that two looks at it differ. */
    static final String BUSY_ACCOUNT = "id = 0";

    private static final List<BankTable> TABLES = List.of(BankTable.values());

    // Full speed would leave two cores no time for the queries, and their rows thousands of old versions.
    private static final long PAUSE_NANOS = 5_000_000;

    private final RivalWriters writers;

    private Bank(RivalWriters writers)
    {
        this.writers = writers;
    }

    /** Tables with keys of all kinds, and the writers at work. */
    static Bank open(MysqlServer mysql, int writerCount, Random random)
    {
        createTables(mysql);
        return new Bank(new RivalWriters(mysql, writerCount, random, PAUSE_NANOS, Bank::step));
    }

    /**
     * The same tables, with writers that change accounts near one place.
     *
     * @param place any number, which may change
     */
    static Bank openInOnePlace(MysqlServer mysql, int writerCount, Random random, AtomicLong place)
    {
        createTables(mysql);
        return new Bank(new RivalWriters(mysql, writerCount, random, PAUSE_NANOS, (statement, drawn) -> step(statement, new LocalRandom(drawn, place))));
    }

    private static void createTables(MysqlServer mysql)
    {
        mysql.execute("DROP SCHEMA IF EXISTS bank", "CREATE SCHEMA bank", "CREATE TABLE bank.news (id INT AUTO_INCREMENT PRIMARY KEY)");
        for (BankTable table : BankTable.values()) {
            mysql.execute(table.ddl(), fill(table));
        }
    }

    /** Lets the writers write in a burst, as always, or hardly at all. */
    void changePace(Random random)
    {
        writers.setPause(List.of(0L, PAUSE_NANOS, 20 * PAUSE_NANOS).get(random.nextInt(3)));
    }

    /** Lets the writers write as always, or hardly at all. */
    void changePaceForReplicas(Random random)
    {
        writers.setPause(List.of(PAUSE_NANOS, 20 * PAUSE_NANOS).get(random.nextInt(2)));
    }

    void assertAtWork()
    {
        writers.assertAtWork();
    }

    long commits()
    {
        return writers.commits();
    }

    private static String fill(BankTable table)
    {
        long accounts = ACCOUNTS / BankTable.values().length;
        // The ids of savings are in no order, so that pages of its table split.
        String id = table == BankTable.SAVINGS ? "LEFT(SHA2(i, 256), 40)" : "i * %s".formatted(LARGEST_ID / accounts);
        return "INSERT INTO %s (id, branch, owner, amount, filler) WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT %s, i %% %s, i %% %s, 100, REPEAT('f', 500) FROM s"
                .formatted(table.qualifiedName(), accounts - 1, id, BankTable.BRANCHES, OWNERS);
    }

    // False if the accounts were not found.
    private static boolean step(Statement statement, Random random)
            throws SQLException
    {
        BankTable from = table(random);
        BankTable to = table(random);
        return switch (random.nextInt(7)) {
            case 0, 1, 2 -> pay(statement, from, to, random);
            case 6 -> pay(statement, BankTable.CHECKING, BUSY_ACCOUNT, to, to.some(random), random);
            case 3, 4 -> move(statement, from, to, random);
            // The account leaves one end of its table, or one partition, for another.
            default -> statement.executeUpdate("UPDATE %s SET id = %s, branch = %s, filler = REPEAT('x', %s) WHERE %s ORDER BY id LIMIT 1"
                    .formatted(from.qualifiedName(), from.id(random), random.nextInt(BankTable.BRANCHES), random.nextInt(800), from.some(random))) == 1;
        };
    }

    private static BankTable table(Random random)
    {
        return TABLES.get(random.nextInt(TABLES.size()));
    }

    private static boolean pay(Statement statement, BankTable from, BankTable to, Random random)
            throws SQLException
    {
        return pay(statement, from, from.some(random), to, to.some(random), random);
    }

    private static boolean pay(Statement statement, BankTable from, String payer, BankTable to, String payee, Random random)
            throws SQLException
    {
        int money = random.nextInt(50) + 1;
        return change(statement, from, payer, -money) && change(statement, to, payee, money);
    }

    private static boolean change(Statement statement, BankTable table, String account, int money)
            throws SQLException
    {
        return statement.executeUpdate("UPDATE %s SET amount = amount + %s, filler = REPEAT('y', ABS(%s) * 15) WHERE %s ORDER BY id LIMIT 1".formatted(table.qualifiedName(), money, money, account)) == 1;
    }

    private static boolean move(Statement statement, BankTable from, BankTable to, Random random)
            throws SQLException
    {
        String find = "SELECT @branch := branch, @id := id, @owner := owner, @amount := amount FROM %s WHERE %s ORDER BY id LIMIT 1 FOR UPDATE".formatted(from.qualifiedName(), from.some(random));
        try (ResultSet row = statement.executeQuery(find)) {
            if (!row.next()) {
                return false;
            }
        }
        // Without a key there may be two accounts of one id. Those of one owner and amount are as good as one another.
        return statement.executeUpdate("DELETE FROM %s WHERE branch = @branch AND id = @id AND owner = @owner AND amount = @amount LIMIT 1".formatted(from.qualifiedName())) == 1
                && statement.executeUpdate("INSERT INTO %s (id, branch, owner, amount, filler) VALUES (%s, @branch, @owner, @amount, REPEAT('z', %s))".formatted(to.qualifiedName(), to.id(random), random.nextInt(800))) == 1;
    }

    /** The tables stay. */
    void stopWriters()
    {
        writers.close();
    }

    @Override
    public void close()
    {
        stopWriters();
    }
}
