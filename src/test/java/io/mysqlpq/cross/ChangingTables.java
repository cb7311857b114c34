package io.mysqlpq.cross;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.NastyColumn;
import io.mysqlpq.testing.random.RandomNastyTable;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

/**
 * Changes few rows of random tables at a time, those with the largest numbers or any, in transactions of which some stay open for a while and some roll
 * back.
 */
final class ChangingTables
        implements AutoCloseable
{
    private static final int WRITERS = 2;
    // The tables have rows with numbers up to about this one.
    private static final int OLD_ROWS = 2400;
    // New rows have larger numbers than all others.
    private static final int FIRST_NEW = 10_000;
    private static final int LAST_ROWS = 20;
    private static final List<Long> PAUSES_MILLIS = List.of(5L, 100L, 1000L);

    private final String schema;
    private final List<RandomNastyTable> tables;
    private final AtomicInteger next = new AtomicInteger(FIRST_NEW);
    private final RivalWriters writers;
    private volatile boolean atEnd;

    ChangingTables(MysqlServer mysql, String schema, List<RandomNastyTable> tables, Random random)
    {
        this.schema = schema;
        this.tables = List.copyOf(tables);
        this.writers = new RivalWriters(mysql, WRITERS, random, MILLISECONDS.toNanos(PAUSES_MILLIS.getFirst()), this::change);
    }

    /** Draws how often rows change from now on, and where. */
    void changePace(Random random)
    {
        writers.setPause(MILLISECONDS.toNanos(PAUSES_MILLIS.get(random.nextInt(PAUSES_MILLIS.size()))));
        atEnd = random.nextInt(3) > 0;
    }

    long commits()
    {
        return writers.commits();
    }

    // False if it is to be rolled back.
    private boolean change(Statement statement, Random random)
            throws SQLException
    {
        // A character set may lack some characters of a value.
        statement.execute("SET SESSION sql_mode = ''");
        for (int i = random.nextInt(3); i >= 0; i--) {
            statement.executeUpdate(change(tables.get(random.nextInt(tables.size())), random));
        }
        if (random.nextInt(4) == 0) {
            LockSupport.parkNanos(MILLISECONDS.toNanos(random.nextInt(200)));
        }
        return random.nextInt(4) > 0;
    }

    private String change(RandomNastyTable table, Random random)
    {
        String name = schema + "." + table.table().name();
        return switch (random.nextInt(8)) {
            case 0 -> "DELETE FROM %s WHERE %s".formatted(name, oneRow(random));
            // The row leaves its place.
            case 1 -> "UPDATE %s SET n = %s WHERE %s".formatted(name, next.getAndIncrement(), oneRow(random));
            case 2, 3, 4 -> table.insert(schema, next.getAndIncrement(), random);
            default -> {
                NastyColumn column = table.changeable().get(random.nextInt(table.changeable().size()));
                yield "UPDATE %s SET %s = %s WHERE %s".formatted(name, column.name(), column.presentValue(random), oneRow(random));
            }
        };
    }

    private String oneRow(Random random)
    {
        return "n >= %s ORDER BY n LIMIT 1".formatted(atEnd ? next.get() - 1 - random.nextInt(LAST_ROWS) : random.nextInt(OLD_ROWS));
    }

    /** Lets the open transactions end. */
    @Override
    public void close()
    {
        writers.close();
    }
}
