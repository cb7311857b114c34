package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.util.List;

/**
 * Times one query alone.
 */
record QueryCase(BenchQuery query)
        implements BenchCase
{
    @Override
    public String name()
    {
        return query.name();
    }

    @Override
    public Counted counted()
    {
        return Counted.SINGLE_QUERY;
    }

    @Override
    public boolean runsOn(Side side)
    {
        return side.runs(query);
    }

    @Override
    public CaseRun begin(BenchSides sides, List<Side> on)
            throws SQLException
    {
        Answer answer = sides.session(on.getFirst()).answer(query);
        for (Side side : on) {
            sides.session(side).check(query, answer);
        }
        return side -> run(sides.session(side), answer);
    }

    Work run(SideSession session, Answer answer)
            throws SQLException
    {
        double seconds = session.seconds(query, answer);
        return query.isScan() ? Work.scan(seconds, new ScanFacts((long) answer.rows().getFirst().getFirst(), session.ranges())) : Work.one(seconds);
    }
}
