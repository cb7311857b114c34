package io.mysqlpq.cross.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Times a scan of a table that was filled in no order, right after MySQL started, with readahead and without.
 *
 * @param ranges in which it is read natively
 */
record FragmentedCase(int ranges)
        implements BenchCase
{
    static final List<Integer> RANGES = List.of(1, 4);

    private static final List<Side> SIDES = List.of(TrinoSide.STOCK, TrinoSide.RANGES, TrinoSide.NO_READAHEAD, new MysqlSide());

    private ColdCase scan()
    {
        return new ColdCase(new ColumnScan(List.of("id"), BenchTables.FRAGMENTED).named("fragmented table in %d range%s".formatted(ranges, ranges == 1 ? "" : "s")));
    }

    @Override
    public String name()
    {
        return scan().name();
    }

    @Override
    public Counted counted()
    {
        return scan().counted();
    }

    @Override
    public Surroundings surroundings()
    {
        return scan().surroundings();
    }

    @Override
    public boolean runsOn(Side side)
    {
        return SIDES.contains(side);
    }

    @Override
    public int rounds(int wanted)
    {
        return scan().rounds(wanted);
    }

    @Override
    public void prepare(BenchServers servers)
            throws SQLException
    {
        scan().prepare(servers);
    }

    @Override
    public CaseRun begin(BenchSides sides, List<Side> on)
            throws SQLException
    {
        CaseRun run = scan().begin(sides, on.stream().map(this::inRanges).toList());
        return side -> {
            if (side.equals(TrinoSide.NO_READAHEAD)) {
                stopReadahead(sides);
            }
            return run.on(inRanges(side));
        };
    }

    private Side inRanges(Side side)
    {
        return side.equals(TrinoSide.RANGES) || side.equals(TrinoSide.NO_READAHEAD) ? ((TrinoSide) side).inRanges(ranges) : side;
    }

    // Until MySQL's next start, which is before the next run.
    private static void stopReadahead(BenchSides sides)
            throws SQLException
    {
        try (Connection mysql = sides.mysql(); Statement statement = mysql.createStatement()) {
            statement.execute("SET GLOBAL mysql_pq_readahead_window = 0");
        }
    }
}
