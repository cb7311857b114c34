package io.mysqlpq.cross.bench;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes small queries as the tiles of a dashboard ask them: each reads few rows by an index.
 */
final class Dashboard
{
    private static final LocalDate FIRST_DAY = LocalDate.of(1994, 1, 3);
    private static final List<String> TILES = List.of(
            "SELECT o_orderpriority, count(*) AS orders FROM orders WHERE o_orderdate = DATE '%1$s' GROUP BY o_orderpriority",
            "SELECT l_shipmode, sum(l_quantity) AS quantity FROM lineitem WHERE l_shipdate = DATE '%1$s' GROUP BY l_shipmode",
            "SELECT count(*) AS orders, sum(o_totalprice) AS total, max(o_orderdate) AS latest FROM orders WHERE o_custkey = %2$d",
            "SELECT n_name, count(*) AS customers FROM customer, nation WHERE c_nationkey = n_nationkey AND n_nationkey = %3$d GROUP BY n_name",
            "SELECT p_name, ps_availqty FROM part, partsupp WHERE p_partkey = ps_partkey AND p_partkey = %2$d");

    private Dashboard()
    {}

    /** @return different ones, of each kind as many */
    static List<BenchQuery> queries(int count)
    {
        List<BenchQuery> queries = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            String sql = TILES.get(number % TILES.size()).formatted(FIRST_DAY.plusDays(number), number + 1, number / TILES.size());
            queries.add(BenchQuery.same("dashboard tile " + number, sql));
        }
        return List.copyOf(queries);
    }
}
