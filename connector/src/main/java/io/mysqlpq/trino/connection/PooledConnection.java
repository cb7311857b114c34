package io.mysqlpq.trino.connection;

import com.mysql.cj.jdbc.JdbcConnection;
import com.zaxxer.hikari.HikariDataSource;
import io.airlift.units.Duration;
import io.trino.spi.QueryId;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
import static java.lang.Math.min;

/** Lends one pooled connection, which ends either clean and back in the pool, or discarded. */
public final class PooledConnection
        implements AutoCloseable
{
    private final HikariDataSource pool;
    private final Connection connection;
    // Used past the pool's wrapper. The wrapper costs time for each cell, and takes a cancelled read for a broken connection.
    private final JdbcConnection driverConnection;
    private final Connection tracedConnection;
    private final QueryKiller queryKiller;
    private final QueryId query;
    private final BooleanSupplier isSurplus;
    private final AtomicBoolean returned = new AtomicBoolean();
    // Completes when the connection was given back, or its session has ended in MySQL.
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    /** @param isSurplus whether there are more connections than allowed, so that this one does not go back into its pool */
    PooledConnection(HikariDataSource pool, Connection connection, StatementSpans spans, QueryKiller queryKiller, QueryId query, BooleanSupplier isSurplus)
            throws SQLException
    {
        this.pool = pool;
        this.connection = connection;
        this.driverConnection = connection.unwrap(JdbcConnection.class);
        this.tracedConnection = spans.of(driverConnection);
        this.queryKiller = queryKiller;
        this.query = query;
        this.isSurplus = isSurplus;
    }

    /** @param onReturn runs once, when the connection was given back or its session has ended in MySQL; at once if that has happened before */
    public void whenReturned(Runnable onReturn)
    {
        CompletableFuture<Void> _ = gone.thenRun(onReturn);
    }

    public Connection connection()
    {
        return tracedConnection;
    }

    /** @param replyTime limits the wait for each reply from then on */
    void setUp(SessionSetup setup, Duration limit, Duration replyTime)
            throws SQLException
    {
        try {
            limitReplyTime(limit);
            setup.apply(driverConnection);
            limitReplyTime(replyTime);
        }
        catch (SQLException | RuntimeException e) {
            discard();
            throw e;
        }
    }

    /** Limits the wait for each reply of MySQL. A connection that waited longer is broken. */
    public void limitReplyTime(Duration limit)
            throws SQLException
    {
        driverConnection.setNetworkTimeout(directExecutor(), (int) min(limit.toMillis(), Integer.MAX_VALUE));
    }

    /** Gives the connection back. The caller has read all rows; a transaction that it left open ends with the session. */
    @Override
    public void close()
            throws SQLException
    {
        // A connection that broke may leave its statement running.
        if (driverConnection.isClosed() || driverConnection.getSession().getServerSession().inTransactionOnServer()) {
            discard();
            return;
        }
        if (!returned.compareAndSet(false, true)) {
            return;
        }
        try {
            if (isSurplus.getAsBoolean()) {
                pool.evictConnection(connection);
            }
            else {
                connection.close();
            }
        }
        finally {
            tellReturned();
        }
    }

    /**
     * Cuts the connection in the midst of whatever it does, from any thread. MySQL notices a closed socket only
     * when it next sends a row, so its session is ended by a KILL as well.
     */
    public void discard()
    {
        if (!returned.compareAndSet(false, true)) {
            return;
        }
        boolean killed = false;
        try {
            long sessionId = driverConnection.getSession().getThreadId();
            // Closing in the usual way would first read all remaining rows.
            driverConnection.abort(directExecutor());
            queryKiller.kill(pool, sessionId, query, this::tellReturned);
            killed = true;
        }
        catch (SQLException | RuntimeException e) {
            queryKiller.logFailure(e);
        }
        finally {
            pool.evictConnection(connection);
            if (!killed) {
                tellReturned();
            }
        }
    }

    private void tellReturned()
    {
        boolean _ = gone.complete(null);
    }
}
