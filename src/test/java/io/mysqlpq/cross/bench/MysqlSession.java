package io.mysqlpq.cross.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Runs queries in MySQL. The client gets all rows of a scan, as Trino's checksums read each cell of them too. */
record MysqlSession(Connection connection)
        implements SideSession
{
    // Connector/J's sign for reading rows as they come, without keeping them.
    private static final int STREAMED = Integer.MIN_VALUE;

    @Override
    public Answer answer(BenchQuery query)
            throws SQLException
    {
        try (Statement statement = statement(query); ResultSet results = statement.executeQuery(query.mysqlSql())) {
            return query.isScan() ? RowDigest.read(results) : Answer.read(results);
        }
    }

    @Override
    public double seconds(BenchQuery query, Answer expected)
            throws SQLException
    {
        long started = System.nanoTime();
        if (query.isScan()) {
            long rows = rowCount(query);
            double seconds = (System.nanoTime() - started) / 1e9;
            // What is in the rows was compared beforehand: looking at it again would be the client's time.
            query.checkRowCount(rows, expected);
            return seconds;
        }
        Answer answer = answer(query);
        double seconds = (System.nanoTime() - started) / 1e9;
        query.check(answer, expected);
        return seconds;
    }

    private long rowCount(BenchQuery query)
            throws SQLException
    {
        try (Statement statement = statement(query); ResultSet results = statement.executeQuery(query.mysqlSql())) {
            long rows = 0;
            while (results.next()) {
                rows++;
            }
            return rows;
        }
    }

    private Statement statement(BenchQuery query)
            throws SQLException
    {
        Statement statement = connection.createStatement();
        if (query.isScan()) {
            statement.setFetchSize(STREAMED);
        }
        return statement;
    }

    @Override
    public void close()
            throws SQLException
    {
        connection.close();
    }
}
