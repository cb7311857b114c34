package io.mysqlpq.trino.connection;

import com.mysql.cj.jdbc.MysqlDataSource;

import java.sql.Connection;
import java.sql.SQLException;

import static java.lang.System.nanoTime;

/**
 * Opens the connections of a pool, and remembers when the last failed login began. The pool repeats that failure until a login succeeds,
 * even to callers that come after the account may log in again.
 */
final class PoolLogins
        extends MysqlDataSource
{
    private static final long serialVersionUID = 1;

    private transient volatile Failure last;

    @Override
    public Connection getConnection(String user, String password)
            throws SQLException
    {
        long start = nanoTime();
        try {
            return super.getConnection(user, password);
        }
        catch (SQLException e) {
            last = new Failure(start);
            throw e;
        }
    }

    /** @param nanos of {@link System#nanoTime()} */
    boolean hasFailedSince(long nanos)
    {
        Failure failure = last;
        return failure != null && failure.startNanos() - nanos >= 0;
    }

    private record Failure(long startNanos)
    {}
}
