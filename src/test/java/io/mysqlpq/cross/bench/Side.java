package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Names one way of running the queries: the settings of its session, all else being at its default.
 */
record Side(String name, List<String> settings)
{
    /**
     * The side that all others are divided by comes first.
     *
     * @param tuned settings of further sides, such as {@code mysql_pq.max_ranges_per_scan = 16}
     */
    static List<Side> all(List<String> tuned)
    {
        List<Side> sides = new ArrayList<>();
        sides.add(new Side("one split", List.of("mysql_pq.parallel_reads_enabled = false")));
        sides.add(new Side("ranges", List.of()));
        tuned.forEach(setting -> sides.add(new Side(setting.substring(setting.indexOf('.') + 1), List.of(setting))));
        return List.copyOf(sides);
    }

    Connection connect(RunningServers servers)
            throws SQLException
    {
        Connection connection = servers.trino();
        try (Statement statement = connection.createStatement()) {
            for (String setting : settings) {
                statement.execute("SET SESSION " + setting);
            }
        }
        return connection;
    }
}
