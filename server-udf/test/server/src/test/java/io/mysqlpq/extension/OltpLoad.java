package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads and updates single rows of a table by its key from some sessions at once, and times each statement.
 */
final class OltpLoad
        implements AutoCloseable
{
    static final String TABLE = "s.oltp";
    private static final int ROWS = 300_000;
    private static final int CLIENTS = 4;
    private static final long THINK_TIME_NANOS = 1_000_000;

    private final BackgroundTasks clients = new BackgroundTasks();
    private final ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
    private volatile boolean ended;

    static void createTable(MysqlServer server)
    {
        server.execute(
                "CREATE TABLE %s (k INT PRIMARY KEY, n INT, v CHAR(250) CHARACTER SET latin1)".formatted(TABLE),
                "INSERT INTO %s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, 0, 'x' FROM s".formatted(TABLE, ROWS));
    }

    static OltpLoad start(MysqlServer server)
    {
        OltpLoad load = new OltpLoad();
        for (int i = 0; i < CLIENTS; i++) {
            load.clients.start(() -> load.run(server));
        }
        return load;
    }

    private void run(MysqlServer server)
            throws SQLException
    {
        try (Connection connection = server.connect();
                PreparedStatement read = connection.prepareStatement("SELECT v FROM %s WHERE k = ?".formatted(TABLE));
                PreparedStatement write = connection.prepareStatement("UPDATE %s SET n = n + 1 WHERE k = ?".formatted(TABLE))) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            while (!ended) {
                PreparedStatement statement = random.nextInt(4) == 0 ? write : read;
                statement.setInt(1, 1 + random.nextInt(ROWS));
                long start = System.nanoTime();
                statement.execute();
                nanos.add(System.nanoTime() - start);
                LockSupport.parkNanos(THINK_TIME_NANOS);
            }
        }
    }

    /** What came before does not count. */
    void forget()
    {
        nanos.clear();
    }

    int statements()
    {
        return nanos.size();
    }

    double millis(double quantile)
    {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.get((int) (quantile * (sorted.size() - 1))) / 1e6;
    }

    @Override
    public void close()
    {
        ended = true;
        clients.await();
    }
}
