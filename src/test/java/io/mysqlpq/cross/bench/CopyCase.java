package io.mysqlpq.cross.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Copies all of lineitem into a catalog that keeps it in memory.
 */
record CopyCase()
        implements BenchCase
{
    static final String NAME = "copy of lineitem";
    private static final int MAX_ROUNDS = 3;
    private static final String TARGET = "memory.default.lineitem_copy";

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public Counted counted()
    {
        return Counted.ROWS;
    }

    @Override
    public boolean runsOn(Side side)
    {
        return side instanceof TrinoSide trino && trino.runsQueriesOfAll();
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
        long rows = run(sides, on.getFirst()).done();
        for (Side side : on) {
            checkRows(rows, run(sides, side));
        }
        return side -> checkRows(rows, run(sides, side));
    }

    private static Work run(BenchSides sides, Side side)
            throws SQLException
    {
        try (Connection trino = ((TrinoSide) side).connect(sides.servers()); Statement statement = trino.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + TARGET);
            long started = System.nanoTime();
            long rows = statement.executeLargeUpdate("CREATE TABLE %s AS SELECT * FROM lineitem".formatted(TARGET));
            Work work = Work.rows(rows, (System.nanoTime() - started) / 1e9);
            statement.execute("DROP TABLE " + TARGET);
            return work;
        }
    }

    private static Work checkRows(long expected, Work work)
    {
        if (work.done() != expected) {
            throw new IllegalStateException("%s: %d rows and %d rows".formatted(NAME, expected, work.done()));
        }
        return work;
    }
}
