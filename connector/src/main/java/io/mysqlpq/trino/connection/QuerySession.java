package io.mysqlpq.trino.connection;

import io.trino.spi.QueryId;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Ends a session of MySQL that still runs a statement of a Trino query for which nobody waits any more. */
public final class QuerySession
{
    private static final int NO_SUCH_THREAD = 1094;

    /**
     * Finds the session only while it runs a statement of the same Trino query. A restarted server gives session ids anew, a URL may lead
     * to another server than before, and a connection that was given back runs statements of others. A session without a statement notices
     * its closed socket by itself.
     */
    private static final String FIND_SESSION = """
            SELECT id FROM information_schema.processlist
            WHERE id = ? AND LOCATE(?, info) > 0""";

    private QuerySession()
    {}

    /** @param connection another one of the same account */
    public static void end(Connection connection, long sessionId, QueryId query)
            throws SQLException
    {
        if (!runs(connection, sessionId, query)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute("KILL CONNECTION " + sessionId);
        }
        catch (SQLException e) {
            // It may have ended meanwhile.
            if (e.getErrorCode() != NO_SUCH_THREAD) {
                throw e;
            }
        }
    }

    private static boolean runs(Connection connection, long sessionId, QueryId query)
            throws SQLException
    {
        try (PreparedStatement statement = connection.prepareStatement(FIND_SESSION)) {
            statement.setLong(1, sessionId);
            statement.setString(2, StatementMark.of(query));
            try (ResultSet session = statement.executeQuery()) {
                return session.next();
            }
        }
    }
}
