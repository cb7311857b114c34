package io.mysqlpq.cross.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Has many clients run queries at once.
 *
 * @param duration for which each client begins a next query; one each if zero
 * @param queries that clients take in turn, each beginning at another one
 */
record LoadCase(String name, int clients, Duration duration, List<BenchQuery> queries)
        implements BenchCase
{
    // A run of a load is many queries, so that fewer runs do.
    private static final int MAX_ROUNDS = 3;

    LoadCase
    {
        queries = List.copyOf(queries);
    }

    @Override
    public Counted counted()
    {
        return Counted.QUERIES;
    }

    @Override
    public boolean runsOn(Side side)
    {
        if (side.equals(TrinoSide.MEMORY)) {
            return PointLookups.isLoadOf(this);
        }
        return side instanceof MysqlSide || (side instanceof TrinoSide trino && trino.runsQueriesOfAll() && (isRepeated() || trino.runsLoadsOfAll()));
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
        Map<BenchQuery, Answer> answers = answers(sides);
        CaseRun run = side -> run(sides, side, answers);
        // What is run once for each client takes long, and the median leaves a slow first round out.
        if (isRepeated()) {
            for (Side side : on) {
                run.on(side);
            }
        }
        return run;
    }

    private boolean isRepeated()
    {
        return duration.isPositive();
    }

    // MySQL's, as it answers a thousand lookups the soonest.
    private Map<BenchQuery, Answer> answers(BenchSides sides)
            throws SQLException
    {
        Map<BenchQuery, Answer> answers = new LinkedHashMap<>();
        try (SideSession mysql = sides.another(new MysqlSide())) {
            for (BenchQuery query : queries) {
                answers.put(query, mysql.answer(query));
            }
        }
        return answers;
    }

    private Work run(BenchSides sides, Side side, Map<BenchQuery, Answer> answers)
            throws SQLException
    {
        List<SideSession> sessions = new ArrayList<>();
        try {
            for (int client = 0; client < clients; client++) {
                sessions.add(sides.another(side));
            }
            return new ClientCrowd(sessions, duration, List.copyOf(answers.entrySet())).run();
        }
        finally {
            for (SideSession session : sessions) {
                session.close();
            }
        }
    }
}
