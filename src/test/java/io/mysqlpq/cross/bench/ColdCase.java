package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * Times one query alone, right after MySQL started, so that all data come from disk.
 */
record ColdCase(BenchQuery query)
        implements BenchCase
{
    private static final int MAX_ROUNDS = 3;
    // Opens connections and asks the extension who it is, as the first query after a start would.
    private static final BenchQuery FIRST = BenchQuery.same("first query", "SELECT count(*) FROM region");

    static String name(String query)
    {
        return query + " cold";
    }

    @Override
    public String name()
    {
        return name(query.name());
    }

    @Override
    public Counted counted()
    {
        return Counted.SINGLE_QUERY;
    }

    @Override
    public Surroundings surroundings()
    {
        return Surroundings.COLD;
    }

    @Override
    public boolean runsOn(Side side)
    {
        // A new session of any other side is a new process, whose start would be timed.
        return side.runs(query) && (side instanceof TrinoSide || side instanceof MysqlSide);
    }

    // A start takes longer than most queries.
    @Override
    public int rounds(int wanted)
    {
        return Math.min(wanted, MAX_ROUNDS);
    }

    @Override
    public CaseRun begin(BenchSides sides, List<Side> on)
            throws SQLException
    {
        Answer answer;
        try (SideSession session = sides.another(on.getFirst())) {
            answer = session.answer(query);
        }
        for (Side side : on) {
            try (SideSession session = sides.another(side)) {
                session.check(query, answer);
            }
        }
        return side -> run(sides, side, answer);
    }

    private Work run(BenchSides sides, Side side, Answer answer)
            throws SQLException
    {
        try (SideSession session = sides.another(side)) {
            session.answer(FIRST);
            return new QueryCase(query).run(session, answer);
        }
    }

    /** Has MySQL begin anew. */
    @Override
    public void prepare(BenchServers servers)
            throws SQLException
    {
        servers.restartCold();
    }
}
