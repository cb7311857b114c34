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
    static TimedRun oneSplit(Connection trino, DemoQuery query)
            throws SQLException
    {
        return run(trino, query.sql(), "parallel_reads_enabled = false");
    }

    static TimedRun parallel(Connection trino, DemoQuery query)
            throws SQLException
    {
        return run(trino, query.sql(), "parallel_reads_enabled = true", "max_ranges_per_scan = " + query.maxRanges());
    }

    private static TimedRun run(Connection trino, String sql, String... properties)
            throws SQLException
    {
        try (Statement statement = trino.createStatement()) {
            for (String property : properties) {
                statement.execute("SET SESSION mysql_pq." + property);
            }
            long started = System.nanoTime();
            try (ResultSet results = statement.executeQuery(sql)) {
                Answer answer = Answer.read(results);
                double seconds = (System.nanoTime() - started) / 1e9;
                return new TimedRun(answer, seconds, results.unwrap(TrinoResultSet.class).getQueryId());
            }
        }
    }

    TimedRun assertAnswer(DemoQuery query, Answer expected)
    {
        if (!answer.equals(expected)) {
            throw new IllegalStateException("%s: the answers of two runs differ:%n%s%n%s".formatted(query.name(), expected, answer));
        }
        return this;
    }
}
