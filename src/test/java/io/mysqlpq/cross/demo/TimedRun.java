package io.mysqlpq.cross.demo;

import io.trino.jdbc.TrinoResultSet;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs a query once, with one split per table or in parallel ranges, and takes its time.
 */
record TimedRun(Answer answer, double seconds, String queryId)
{
    static TimedRun of(Connection trino, String sql, boolean parallel)
            throws SQLException
    {
        try (Statement statement = trino.createStatement()) {
            statement.execute("SET SESSION mysql_pq.parallel_reads_enabled = " + parallel);
            long started = System.nanoTime();
            try (ResultSet results = statement.executeQuery(sql)) {
                Answer answer = Answer.read(results);
                double seconds = (System.nanoTime() - started) / 1e9;
                return new TimedRun(answer, seconds, results.unwrap(TrinoResultSet.class).getQueryId());
            }
        }
    }
}
