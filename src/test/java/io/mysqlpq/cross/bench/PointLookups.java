package io.mysqlpq.cross.bench;

import java.util.List;

/**
 * Writes look-ups of one order by its key.
 */
final class PointLookups
{
    static final List<Integer> CLIENTS = List.of(1, 8, 32, 100, 200);

    private PointLookups()
    {}

    static String name(int clients)
    {
        return "point lookup x " + clients;
    }

    static List<BenchQuery> queries(List<Long> orderKeys)
    {
        return orderKeys.stream()
                .map("SELECT o_orderkey, o_custkey, o_orderstatus, o_totalprice, o_orderdate FROM orders WHERE o_orderkey = %d"::formatted)
                .map(sql -> BenchQuery.same("point lookup", sql))
                .toList();
    }
}
