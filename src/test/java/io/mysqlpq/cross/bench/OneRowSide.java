package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Runs the queries over tables of one row each, through this connector. What they take there is the part of their time that no way
 * to read rows can shorten: Trino's own, and MySQL's answers about tables.
 */
record OneRowSide()
        implements Side
{
    static final String NAME = "one row";

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public boolean runs(BenchQuery query)
    {
        return !query.sql().contains(BenchTables.SCHEMA);
    }

    @Override
    public boolean runsIn(Surroundings surroundings)
    {
        return surroundings == Surroundings.WARM;
    }

    @Override
    public SideSession open(RunningServers servers)
            throws SQLException
    {
        Connection connection = TrinoSide.RANGES.connect(servers);
        try (Statement statement = connection.createStatement()) {
            statement.execute("USE " + BenchTables.ONE_ROW_SCHEMA);
        }
        return new OneRowSession(new TrinoSession(connection, servers.trinoPort()));
    }

    /** Compares no answers: other rows have others. */
    private record OneRowSession(SideSession trino)
            implements SideSession
    {
        @Override
        public Answer answer(BenchQuery query)
                throws SQLException
        {
            return trino.answer(query);
        }

        @Override
        public void check(BenchQuery query, Answer expected)
                throws SQLException
        {
            answer(query);
        }

        @Override
        public double seconds(BenchQuery query, Answer expected)
                throws SQLException
        {
            long started = System.nanoTime();
            answer(query);
            return (System.nanoTime() - started) / 1e9;
        }

        @Override
        public void close()
                throws SQLException
        {
            trino.close();
        }
    }
}
