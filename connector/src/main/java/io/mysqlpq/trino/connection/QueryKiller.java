package io.mysqlpq.trino.connection;

import io.airlift.log.Logger;

import javax.sql.DataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.util.concurrent.Executors.newSingleThreadExecutor;

/** Ends MySQL sessions whose reader has gone, one after the other, so that a cancelled query costs one connection at a time. */
final class QueryKiller
        implements AutoCloseable
{
    private static final Logger log = Logger.get(QueryKiller.class);
    private static final int NO_SUCH_THREAD = 1094;

    private final ExecutorService executor;

    QueryKiller(String catalog)
    {
        this.executor = newSingleThreadExecutor(daemonThreadsNamed(catalog + "-query-killer-%s"));
    }

    void kill(DataSource account, long sessionId)
    {
        try {
            executor.execute(() -> killNow(account, sessionId));
        }
        catch (RejectedExecutionException e) {
            // The catalog is shut down. MySQL ends the session when it next sends a row.
            logFailure(e);
        }
    }

    private void killNow(DataSource account, long sessionId)
    {
        try (Connection connection = account.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("KILL CONNECTION " + sessionId);
        }
        catch (SQLException e) {
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                logFailure(e);
            }
        }
    }

    void logFailure(Exception failure)
    {
        log.warn(failure, "Could not end an abandoned MySQL session");
    }

    @Override
    public void close()
    {
        executor.shutdown();
    }
}
