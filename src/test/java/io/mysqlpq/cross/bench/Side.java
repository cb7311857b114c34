package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Names one way of running the queries.
 */
sealed interface Side
        permits TrinoSide, MysqlSide
{
    String name();

    default boolean runs(BenchQuery query)
    {
        return true;
    }

    SideSession open(RunningServers servers)
            throws SQLException;

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
            sides.add(TrinoSide.STOCK);
        }
        sides.add(TrinoSide.ONE_SPLIT);
        sides.add(TrinoSide.RANGES);
        sides.add(TrinoSide.PLAIN_SQL);
        sides.add(new MysqlSide());
        tuned.stream().map(TrinoSide::tuned).forEach(sides::add);
        return List.copyOf(sides);
    }
}
