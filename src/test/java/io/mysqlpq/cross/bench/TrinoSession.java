package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.QueryInformation;
import io.mysqlpq.cross.running.RangeMetrics;
import io.trino.jdbc.TrinoResultSet;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs queries in Trino, over one catalog.
 */
final class TrinoSession
        implements SideSession
{
    private final Connection connection;
    private final QueryInformation information;
    private String lastQuery;

    TrinoSession(Connection connection, int trinoPort)
    {
        this.connection = connection;
        this.information = new QueryInformation(trinoPort);
    }

    @Override
    public Answer answer(BenchQuery query)
            throws SQLException
    {
        try (Statement statement = connection.createStatement(); ResultSet results = statement.executeQuery(query.sql())) {
            lastQuery = results.unwrap(TrinoResultSet.class).getQueryId();
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
    public RangeMetrics ranges()
    {
        return information.rangesOf(lastQuery);
    }

    @Override
    public void close()
            throws SQLException
    {
        connection.close();
    }
}
