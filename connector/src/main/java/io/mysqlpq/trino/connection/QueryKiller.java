package io.mysqlpq.trino.connection;

import io.airlift.log.Logger;
import io.mysqlpq.trino.error.MysqlError;
import io.trino.spi.QueryId;

import javax.sql.DataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static io.airlift.concurrent.Threads.daemonThreadsNamed;
import static java.lang.System.nanoTime;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/** Ends MySQL sessions whose reader has gone. It ends one session after the other, so that a cancelled query costs one connection at a time. */
final class QueryKiller
        implements AutoCloseable
{
    private static final Logger log = Logger.get(QueryKiller.class);
    private static final int MAX_ATTEMPTS = 100;
    private static final long LONGEST_NANOS = SECONDS.toNanos(30);
    private static final int REPLY_TIMEOUT_MILLIS = 10_000;
    private static final int MAX_WAITING = 10_000;
    // After this time the session has ended, or MySQL cannot be reached.
    private static final int LONGEST_END_SECONDS = 5;

    private final ThreadPoolExecutor executor;
    private final ScheduledThreadPoolExecutor clock;

    QueryKiller(String catalog)
    {
        this.executor = new ThreadPoolExecutor(1, 1, 0, MILLISECONDS, new LinkedBlockingQueue<>(MAX_WAITING), daemonThreadsNamed(catalog + "-query-killer-%s"));
        // Starts its thread with the first task.
        this.clock = new ScheduledThreadPoolExecutor(1, daemonThreadsNamed(catalog + "-query-killer-clock-%s"));
        clock.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        clock.setRemoveOnCancelPolicy(true);
    }

    /** @param ended runs at least once: when the session was ended, or after five seconds */
    void kill(DataSource account, long sessionId, QueryId query, Runnable ended)
    {
        try {
            ScheduledFuture<?> late = clock.schedule(ended, LONGEST_END_SECONDS, SECONDS);
            executor.execute(() -> {
                try {
                    killNow(account, sessionId, query);
                }
                finally {
                    late.cancel(false);
                    ended.run();
                }
            });
        }
        catch (RejectedExecutionException e) {
            // Too many at once, or the catalog is shut down. MySQL ends the session when it next sends a row.
            logFailure(e);
            ended.run();
        }
    }

    private void killNow(DataSource account, long sessionId, QueryId query)
    {
        try {
            long start = nanoTime();
            int attempts = 1;
            while (!endSession(account, sessionId, query, attempts == MAX_ATTEMPTS || nanoTime() - start > LONGEST_NANOS)) {
                attempts++;
            }
        }
        catch (SQLException e) {
            logFailure(e);
        }
    }

    // Returns false if another attempt may succeed. The pool waits for a connection only briefly, and a connection that was used lately may be dead.
    private static boolean endSession(DataSource account, long sessionId, QueryId query, boolean isLastAttempt)
            throws SQLException
    {
        try (Connection connection = account.getConnection()) {
            connection.setNetworkTimeout(directExecutor(), REPLY_TIMEOUT_MILLIS);
            QuerySession.end(connection, sessionId, query);
            return true;
        }
        catch (SQLException e) {
            if (isLastAttempt || !mayPass(e)) {
                throw e;
            }
            return false;
        }
    }

    private static boolean mayPass(SQLException failure)
    {
        return failure instanceof SQLTransientConnectionException || (MysqlError.isConnectionLost(failure) && !MysqlError.isSilence(failure));
    }

    void logFailure(Exception failure)
    {
        log.warn(failure, "Could not end an abandoned MySQL session");
    }

    /** Takes no further session to end. */
    @Override
    public void close()
    {
        executor.shutdown();
        clock.shutdownNow();
    }
}
