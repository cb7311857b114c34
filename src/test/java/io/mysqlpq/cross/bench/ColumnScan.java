package io.mysqlpq.cross.bench;

import java.util.List;

import static java.util.stream.Collectors.joining;

/**
 * Writes a scan that reads each cell of some columns: Trino computes their checksums, MySQL's client gets the rows.
 */
record ColumnScan(List<String> columns, String from)
{
    static final List<String> LINEITEM = List.of(
            "l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity", "l_extendedprice", "l_discount", "l_tax",
            "l_returnflag", "l_linestatus", "l_shipdate", "l_commitdate", "l_receiptdate", "l_shipinstruct", "l_shipmode", "l_comment");

    BenchQuery named(String name)
    {
        return new BenchQuery(name, trinoSql(), mysqlSql(), true);
    }

    private String trinoSql()
    {
        return columns.stream().map("checksum(%s)"::formatted).collect(joining(", ", "SELECT count(*), ", " FROM " + from));
    }

    private String mysqlSql()
    {
        return "SELECT %s FROM %s".formatted(String.join(", ", columns), from);
    }
}
