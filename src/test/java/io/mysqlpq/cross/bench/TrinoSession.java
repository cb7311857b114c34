package io.mysqlpq.cross.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs queries in Trino, over one catalog.
 */
record TrinoSession(Connection connection)
        implements SideSession
{
    @Override
    public Answer answer(BenchQuery query)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet results = statement.executeQuery(query.sql())) {
            return Answer.read(results);
        }
    }

    @Override
    public double seconds(BenchQuery query, Answer expected)
            throws SQLException
    {
        long started = System.nanoTime();
        Answer answer = answer(query);
        double seconds = (System.nanoTime() - started) / 1e9;
        query.check(answer, expected);
        return seconds;
    }

    @Override
    public void close()
            throws SQLException
    {
        connection.close();
    }
}
