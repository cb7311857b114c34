package io.mysqlpq.extension.stress;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Sql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Repeats one kind of work over a connection of its own until told to stop.
 */
abstract class StressWorker
        implements Runnable
{
    protected final MysqlServer server;
    protected final StressReport report;
    protected final Random random;
    private final AtomicBoolean stopped;
    private Connection connection;

    StressWorker(MysqlServer server, StressReport report, long seed, AtomicBoolean stopped)
    {
        this.server = server;
        this.report = report;
        this.random = new Random(seed);
        this.stopped = stopped;
    }

    abstract void step()
            throws SQLException;

    // Whether others close the connection on purpose. Then a lost connection is replaced, else it is a crash; and a
    // crash also fails the next connection.
    boolean mayBeKilled()
    {
        return false;
    }

    @Override
    public final void run()
    {
        try {
            while (!stopped.get()) {
                runConnected();
            }
        }
        catch (SQLException | RuntimeException | AssertionError e) {
            report.failure(e);
            stopped.set(true);
        }
    }

    private void runConnected()
            throws SQLException
    {
        try (Connection ignored = server.connect()) {
            connection = ignored;
            execute("SET lock_wait_timeout = 3, innodb_lock_wait_timeout = 3");
            while (!stopped.get()) {
                step();
            }
        }
        catch (SQLException e) {
            if (!mayBeKilled() || !isLost(e)) {
                throw e;
            }
            report.count("connection lost");
        }
    }

    // 1053 is what a statement says whose connection is killed under it.
    protected static boolean isLost(SQLException e)
    {
        return e.getErrorCode() == 0 || e.getErrorCode() == 1053 || "08S01".equals(e.getSQLState()) || "08003".equals(e.getSQLState());
    }

    protected final void execute(String sql)
            throws SQLException
    {
        Sql.execute(connection, sql);
    }

    protected final String value(String sql)
            throws SQLException
    {
        return Sql.value(connection, sql);
    }

    // The first column of all rows but those in which it is NULL.
    protected final List<byte[]> bytes(String sql)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
            List<byte[]> values = new ArrayList<>();
            while (result.next()) {
                byte[] value = result.getBytes(1);
                if (value != null) {
                    values.add(value);
                }
            }
            return values;
        }
    }

    @SafeVarargs
    protected final <T> T oneOf(T... choices)
    {
        return choices[random.nextInt(choices.length)];
    }

    // Errors of ordinary statements are part of the stress; a lost connection is a crash.
    protected final boolean tryExecute(String who, String sql)
            throws SQLException
    {
        try {
            execute(sql);
            report.count(who);
            return true;
        }
        catch (SQLException e) {
            if (e.getErrorCode() == 0 || "08S01".equals(e.getSQLState())) {
                throw e;
            }
            report.error(who, e);
            return false;
        }
    }
}
