package io.mysqlpq.cross.dashboards;

import java.util.Map;

import static java.util.Map.entry;

/** Says of each chart of the business dashboard what MySQL is asked for the same rows. */
public final class BusinessCharts
{
    private static final String SALES = "tpch.orders JOIN tpch.customer ON o_custkey = c_custkey JOIN tpch.nation ON c_nationkey = n_nationkey JOIN tpch.region ON n_regionkey = r_regionkey";

    public static final Map<String, String> IN_MYSQL = Map.ofEntries(
            entry("Revenue", "SELECT SUM(l_extendedprice * (1 - l_discount)) FROM tpch.lineitem"),
            entry("Orders", "SELECT COUNT(*) FROM tpch.orders"),
            entry("Customers", "SELECT COUNT(*) FROM tpch.customer"),
            entry("Revenue by month", "SELECT %s AS m, SUM(l_extendedprice * (1 - l_discount)) FROM tpch.lineitem GROUP BY m".formatted(instant("DATE_FORMAT(l_shipdate, '%Y-%m-01')"))),
            entry("Orders by month and priority", "SELECT %s AS m, o_orderpriority, COUNT(*) FROM tpch.orders GROUP BY m, o_orderpriority".formatted(instant("DATE_FORMAT(o_orderdate, '%Y-%m-01')"))),
            entry("Order value by nation", "SELECT n_name, SUM(o_totalprice) FROM %s GROUP BY n_name".formatted(SALES)),
            entry("Order value by segment", "SELECT c_mktsegment, SUM(o_totalprice) FROM %s GROUP BY c_mktsegment".formatted(SALES)),
            entry("Order priority", "SELECT o_orderpriority, COUNT(*) FROM tpch.orders GROUP BY o_orderpriority"),
            entry("Quantity by ship mode", "SELECT l_shipmode, SUM(l_quantity) FROM tpch.lineitem GROUP BY l_shipmode"),
            entry("Returns", "SELECT l_returnflag, l_linestatus, COUNT(*), SUM(l_quantity), SUM(l_extendedprice * (1 - l_discount)) FROM tpch.lineitem GROUP BY l_returnflag, l_linestatus"),
            entry("Order value by year and region", "SELECT %s AS y, r_name, SUM(o_totalprice) FROM %s GROUP BY y, r_name".formatted(instant("DATE_FORMAT(o_orderdate, '%Y-01-01')"), SALES)),
            entry("Largest orders",
                    "SELECT o_orderkey, %s, c_name, n_name, c_mktsegment, o_orderpriority, o_totalprice FROM %s ORDER BY o_totalprice DESC LIMIT 100".formatted(instant("o_orderdate"), SALES)));

    private BusinessCharts()
    {}

    // Superset gives times as milliseconds since 1970.
    private static String instant(String date)
    {
        return "TIMESTAMPDIFF(SECOND, '1970-01-01', %s) * 1000".formatted(date);
    }
}
