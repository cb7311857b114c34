package io.mysqlpq.cross.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Writes generated rows of lineitem into MySQL, as many whatever the scale.
 *
 * @param statements that come before the one that is timed, and drop what an earlier run left
 * @param write the statement that is timed, whose table is of the session's catalog
 */
record WriteCase(String name, List<String> statements, String write)
        implements BenchCase
{
    private static final int MAX_ROUNDS = 3;
    private static final String TARGET = BenchTables.SCHEMA + ".written_lineitem";
    private static final String ROWS = "SELECT * FROM tpch.\"sf0.1\".lineitem";
    private static final long COUNT = 600_572;

    WriteCase
    {
        statements = List.copyOf(statements);
    }

    static List<BenchCase> all()
    {
        String drop = "DROP TABLE IF EXISTS " + TARGET;
        return List.of(
                new WriteCase("CREATE TABLE AS of lineitem", List.of(drop), "CREATE TABLE %s AS %s".formatted(TARGET, ROWS)),
                new WriteCase("INSERT into lineitem", List.of(drop, "CREATE TABLE %s LIKE tpch.lineitem".formatted(TARGET)), "INSERT INTO %s %s".formatted(TARGET, ROWS)));
    }

    @Override
    public Counted counted()
    {
        return Counted.ROWS;
    }

    @Override
    public boolean runsOn(Side side)
    {
        return side instanceof TrinoSide trino && trino.runsQueriesOfAll() && trino.runsLoadsOfAll();
    }

    @Override
    public boolean writes()
    {
        return true;
    }

    @Override
    public int rounds(int wanted)
    {
        return Math.min(wanted, MAX_ROUNDS);
    }

    @Override
    public CaseRun begin(BenchSides sides, List<Side> on)
            throws SQLException
    {
        for (Side side : on) {
            run(sides, side);
        }
        return side -> run(sides, side);
    }

    private Work run(BenchSides sides, Side side)
            throws SQLException
    {
        try (Connection mysql = sides.servers().mysql(); Statement statement = mysql.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
        try (Connection trino = ((TrinoSide) side).connect(sides.servers()); Statement statement = trino.createStatement()) {
            long started = System.nanoTime();
            long rows = statement.executeLargeUpdate(write);
            Work work = Work.rows(rows, (System.nanoTime() - started) / 1e9);
            if (rows != COUNT) {
                throw new IllegalStateException("%s: %d rows of %d".formatted(name, rows, COUNT));
            }
            return work;
        }
    }
}
