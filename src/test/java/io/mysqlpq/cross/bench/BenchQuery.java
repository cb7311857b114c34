package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names a query of the benchmark.
 *
 * @param isScan whether Trino answers with the count and checksums of rows that MySQL's client gets one by one
 */
record BenchQuery(String name, String sql, String mysqlSql, boolean isScan)
{
    // Trino rounds averages of decimals to their column's scale, MySQL only if told to, and these compare with one.
    private static final Set<Integer> ROUNDED_IN_MYSQL = Set.of(17, 22);
    static final Map<String, String> COUNTED_BY_INDEX = Map.of(
            "lineitem_partkey_suppkey", "l_partkey > 0",
            "lineitem_suppkey", "l_suppkey > 0",
            "lineitem_shipdate", "l_shipdate > DATE '1990-01-01'",
            "lineitem_receiptdate", "l_receiptdate > DATE '1990-01-01'");
    /** Some 1,200 rows of the six million at scale 1. */
    static final BenchQuery FILTER = same("few rows by no index", "SELECT l_orderkey, l_linenumber, l_extendedprice FROM lineitem WHERE l_quantity = 50 AND l_discount = 0.1 AND l_tax = 0.08");
    static final BenchQuery LIMITED_FILTER = same("few rows by no index with LIMIT", FILTER.sql() + " LIMIT 100000");
    static final BenchQuery GREATEST = same("greatest of a column", "SELECT max(l_extendedprice) FROM lineitem");
    static final BenchQuery FIRST_ROWS = same("first rows by no index", "SELECT l_extendedprice, l_orderkey, l_linenumber FROM lineitem ORDER BY l_extendedprice DESC, l_orderkey, l_linenumber LIMIT 10");
    static final BenchQuery WIDE_FIRST_ROWS = same("first whole rows by no index", "SELECT * FROM lineitem ORDER BY l_extendedprice DESC, l_orderkey, l_linenumber LIMIT 10");
    private static final String SUM_BY_MONTH = "SELECT %s AS month, count(*), sum(l_extendedprice) FROM lineitem GROUP BY 1 ORDER BY month";
    private static final Pattern LAST_ORDER = Pattern.compile("ORDER BY ([^()]*?)(\\s+LIMIT \\d+)?\\s*$");

    static List<BenchQuery> all()
            throws IOException
    {
        List<BenchQuery> queries = new ArrayList<>();
        for (int number = 1; number <= 22; number++) {
            queries.add(tpch(number));
        }
        queries.add(same("count(*)", "SELECT count(*) FROM lineitem"));
        COUNTED_BY_INDEX.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(index -> countBy(index.getKey(), index.getValue())).forEach(queries::add);
        queries.add(same("sums of two columns", "SELECT sum(l_quantity), sum(l_extendedprice) FROM lineitem"));
        queries.add(same("sum by a CHAR", "SELECT l_returnflag, count(*), sum(l_quantity) FROM lineitem GROUP BY l_returnflag ORDER BY l_returnflag"));
        queries.add(new BenchQuery("sum by month", SUM_BY_MONTH.formatted("date_trunc('month', l_shipdate)"), SUM_BY_MONTH.formatted("l_shipdate - INTERVAL (DAYOFMONTH(l_shipdate) - 1) DAY"), false));
        queries.add(new ColumnScan(ColumnScan.LINEITEM, "lineitem").named("all 16 columns"));
        queries.add(new ColumnScan(List.of("l_orderkey", "l_partkey"), "lineitem").named("2 bigint columns"));
        queries.add(new ColumnScan(List.of("l_orderkey", "l_extendedprice"), "lineitem WHERE l_shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-03-07'").named("date range"));
        queries.addAll(List.of(FILTER, LIMITED_FILTER, GREATEST, FIRST_ROWS, WIDE_FIRST_ROWS));
        // Any rows may come, so they are only counted.
        queries.add(same("preview of 1000 rows", "SELECT count(l_comment) FROM (SELECT * FROM lineitem LIMIT 1000) AS preview"));
        queries.add(new ColumnScan(BenchTables.WIDE_COLUMNS, BenchTables.WIDE).named("12 text columns"));
        queries.add(new ColumnScan(BenchTables.SKEWED_COLUMNS, BenchTables.SKEWED).named("uneven keys"));
        return queries;
    }

    // The filter, which all rows pass, has MySQL read the index.
    private static BenchQuery countBy(String index, String filter)
    {
        return new BenchQuery(
                "count(*) by " + index,
                "SELECT count(*) FROM lineitem WHERE " + filter,
                "SELECT count(*) FROM lineitem FORCE INDEX (%s) WHERE %s".formatted(index, filter),
                false);
    }

    static BenchQuery tpch(int number)
            throws IOException
    {
        String file = "q%02d.sql".formatted(number);
        String sql = TpchLoader.resource("/tpch/" + file);
        return new BenchQuery("Q" + number, sql, ROUNDED_IN_MYSQL.contains(number) ? TpchLoader.resource("/tpch/mysql/" + file) : sql, false);
    }

    static BenchQuery same(String name, String sql)
    {
        return new BenchQuery(name, sql, sql, false);
    }

    /** The columns of the answer that its rows are sorted by. */
    List<String> sortedBy()
    {
        Matcher order = LAST_ORDER.matcher(sql);
        return order.find() ? Arrays.stream(order.group(1).split(",", -1)).map(column -> column.strip().split(" ", 2)[0]).toList() : List.of();
    }

    /** @throws IllegalStateException if the answer is not the expected one */
    void check(Answer answer, Answer expected)
    {
        if (!answer.equals(expected, sortedBy())) {
            throw new IllegalStateException("%s: the answers of two runs differ:%n%s%n%s".formatted(name, expected, answer));
        }
    }

    /** @throws IllegalStateException if the expected answer, which begins with a count, tells of another one */
    void checkRowCount(long rows, Answer expected)
    {
        if (!expected.rows().getFirst().getFirst().equals(rows)) {
            throw new IllegalStateException("%s: expected %s, read %d rows".formatted(name, expected, rows));
        }
    }
}
