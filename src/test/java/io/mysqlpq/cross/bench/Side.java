package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Names one way of running the queries: a catalog of Trino and the settings of its session, all else being at its default.
 */
record Side(String name, String catalog, List<String> settings)
{
    private static final String CATALOG = "mysql_pq";
    // See scripts/servers.sh.
    private static final String STOCK_CATALOG = "stock";

    /**
     * The side that all others are divided by comes first.
     *
     * @param stock whether Trino has its own MySQL connector too
     * @param tuned settings of further sides, such as {@code mysql_pq.max_ranges_per_scan = 16}
     */
    static List<Side> all(boolean stock, List<String> tuned)
    {
        List<Side> sides = new ArrayList<>();
        if (stock) {
            sides.add(new Side("stock", STOCK_CATALOG, List.of()));
        }
        sides.add(new Side("one split", CATALOG, List.of("mysql_pq.parallel_reads_enabled = false")));
        sides.add(new Side("ranges", CATALOG, List.of()));
        tuned.forEach(setting -> sides.add(new Side(setting.substring(setting.indexOf('.') + 1), CATALOG, List.of(setting))));
        return List.copyOf(sides);
    }

    Connection connect(RunningServers servers)
            throws SQLException
    {
        Connection connection = servers.trino(catalog);
        try (Statement statement = connection.createStatement()) {
            for (String setting : settings) {
                statement.execute("SET SESSION " + setting);
            }
        }
        return connection;
    }
}
