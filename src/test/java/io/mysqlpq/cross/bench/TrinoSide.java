package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Names a catalog of Trino and the settings of its session. All else is at its default, but each query reads for itself.
 */
record TrinoSide(String name, String catalog, List<String> settings)
        implements Side
{
    private static final String CATALOG = "mysql_pq";
    private static final int ROUNDS_WITHOUT_GOAL = 3;
    // See scripts/servers.sh.
    static final TrinoSide STOCK = new TrinoSide("stock", "stock", List.of());
    static final TrinoSide ONE_SPLIT = new TrinoSide("one split", CATALOG, List.of("mysql_pq.parallel_reads_enabled = false"));
    static final TrinoSide RANGES = new TrinoSide("ranges", CATALOG, List.of());
    // Ranges that plain SQL finds share no snapshot of the extension only under NONE.
    static final TrinoSide PLAIN_SQL = new TrinoSide("plain SQL", CATALOG, List.of("mysql_pq.range_source = 'SQL'", "mysql_pq.snapshot_mode = 'NONE'"));

    // Holds what look-ups read, and nothing else.
    static final TrinoSide MEMORY = new TrinoSide("Trino alone", "memory", List.of());
    // For the cases that have the server read no leaves ahead.
    static final TrinoSide NO_READAHEAD = new TrinoSide("no readahead", CATALOG, List.of());

    TrinoSide
    {
        settings = List.copyOf(settings);
    }

    static TrinoSide tuned(String setting)
    {
        return new TrinoSide(setting.substring(setting.indexOf('.') + 1), CATALOG, List.of(setting));
    }

    TrinoSide with(String... settings)
    {
        return new TrinoSide(name, catalog, List.of(settings));
    }

    /** Has each scan read natively in so many ranges, or fewer where the table has not as many subtrees. */
    TrinoSide inRanges(int ranges)
    {
        // A maximum of one is a split by SQL: so rows decide.
        return with(
                "mysql_pq.target_rows_per_split = " + (ranges == 1 ? Integer.MAX_VALUE : 1),
                "mysql_pq.max_ranges_per_scan = " + Math.max(ranges, 2));
    }

    Connection connect(RunningServers servers)
            throws SQLException
    {
        Connection connection = servers.trino(catalog);
        try (Statement statement = connection.createStatement()) {
            if (catalog.equals(CATALOG)) {
                // What is timed is how rows are read.
                statement.execute("SET SESSION mysql_pq.read_reuse_enabled = false");
                // The link is slow for a while only. --tuned adds a side whose rows come compressed.
                statement.execute("SET SESSION mysql_pq.native_scan_compression = 'NONE'");
            }
            for (String setting : settings) {
                statement.execute("SET SESSION " + setting);
            }
        }
        return connection;
    }

    @Override
    public boolean runs(BenchQuery query)
    {
        return runsQueriesOfAll();
    }

    /** Whether it is not made for cases of one kind. */
    boolean runsQueriesOfAll()
    {
        return !equals(MEMORY) && !equals(NO_READAHEAD);
    }

    /** Whether loads that take long run on it too. */
    boolean runsLoadsOfAll()
    {
        return !equals(ONE_SPLIT) && !equals(PLAIN_SQL);
    }

    @Override
    public int rounds(int wanted)
    {
        return equals(PLAIN_SQL) ? Math.min(wanted, ROUNDS_WITHOUT_GOAL) : wanted;
    }

    @Override
    public SideSession open(RunningServers servers)
            throws SQLException
    {
        return new TrinoSession(connect(servers), servers.trinoPort());
    }
}
