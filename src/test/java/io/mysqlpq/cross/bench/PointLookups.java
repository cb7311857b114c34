package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import static java.util.stream.Collectors.joining;

/**
 * Writes look-ups of one order by its key.
 */
final class PointLookups
{
    static final List<Integer> CLIENTS = List.of(1, 8, 32, 100, 200);

    private static final String COLUMNS = "o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate";

    private PointLookups()
    {}

    static String name(int clients)
    {
        return "point lookup x " + clients;
    }

    static boolean isLoadOf(LoadCase load)
    {
        return CLIENTS.stream().map(PointLookups::name).anyMatch(load.name()::equals);
    }

    /** Copies what is read, and no more, to where no database is asked and no index is missed. */
    static void copyToMemory(RunningServers servers, List<Long> orderKeys)
            throws SQLException
    {
        String keys = orderKeys.stream().map(String::valueOf).collect(joining(", "));
        try (Connection trino = servers.trino(); Statement statement = trino.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS memory.tpch");
            statement.execute("DROP TABLE IF EXISTS memory.tpch.orders");
            statement.execute("CREATE TABLE memory.tpch.orders AS SELECT %s FROM orders WHERE o_orderkey IN (%s)".formatted(COLUMNS, keys));
        }
    }

    static List<BenchQuery> queries(List<Long> orderKeys)
    {
        return orderKeys.stream()
                .map(key -> "SELECT %s FROM orders WHERE o_orderkey = %d".formatted(COLUMNS, key))
                .map(sql -> BenchQuery.same("point lookup", sql))
                .toList();
    }
}
