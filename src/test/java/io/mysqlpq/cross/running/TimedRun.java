package io.mysqlpq.cross.running;

import io.trino.jdbc.TrinoResultSet;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs a query once on a connection to Trino, and takes its time until the last row is there.
 */
public record TimedRun(Answer answer, double seconds, String queryId)
{
    public static TimedRun of(Connection trino, String sql)
            throws SQLException
    {
        try (Statement statement = trino.createStatement()) {
            long started = System.nanoTime();
            try (ResultSet results = statement.executeQuery(sql)) {
                Answer answer = Answer.read(results);
                double seconds = (System.nanoTime() - started) / 1e9;
                return new TimedRun(answer, seconds, results.unwrap(TrinoResultSet.class).getQueryId());
            }
        }
    }

    /** @throws IllegalStateException if the answer is not the expected one */
    public TimedRun assertAnswer(String query, Answer expected)
    {
        if (!answer.equals(expected)) {
            throw new IllegalStateException("%s: the answers of two runs differ:%n%s%n%s".formatted(query, expected, answer));
        }
        return this;
    }
}
