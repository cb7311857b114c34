package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * Times one query alone, while other processes keep each core busy.
 */
record BusyCase(QueryCase query)
        implements BenchCase
{
    static String name(String query)
    {
        return query + " on busy cores";
    }

    @Override
    public String name()
    {
        return name(query.name());
    }

    @Override
    public Counted counted()
    {
        return query.counted();
    }

    @Override
    public Surroundings surroundings()
    {
        return Surroundings.BUSY;
    }

    @Override
    public boolean runsOn(Side side)
    {
        return query.runsOn(side);
    }

    @Override
    public CaseRun begin(BenchSides sides, List<Side> on)
            throws SQLException
    {
        CaseRun run = query.begin(sides, on);
        return side -> {
            try (BusyCores _ = BusyCores.all()) {
                return run.on(side);
            }
        };
    }
}
