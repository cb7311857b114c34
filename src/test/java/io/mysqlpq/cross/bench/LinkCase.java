package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * Times one query alone, all traffic being as slow as a network of 1 Gb/s.
 */
record LinkCase(QueryCase query)
        implements BenchCase
{
    // The link is what a run waits for, always as long.
    private static final int MAX_ROUNDS = 3;

    static String name(String query)
    {
        return query + " over 1 Gb/s";
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
        return Surroundings.LINK;
    }

    @Override
    public boolean runsOn(Side side)
    {
        return query.runsOn(side);
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
        CaseRun run = query.begin(sides, on);
        return side -> {
            try (Link _ = Link.limited()) {
                return run.on(side);
            }
        };
    }
}
