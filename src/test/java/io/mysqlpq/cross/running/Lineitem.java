package io.mysqlpq.cross.running;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the scan of all of lineitem that demo and benchmark time.
 */
public final class Lineitem
{
    private Lineitem()
    {}

    // Trino must read every cell to compute the checksums, and a client sees any difference in one row.
    public static String fullScan()
    {
        return Stream.of(
                "orderkey", "partkey", "suppkey", "linenumber", "quantity", "extendedprice", "discount", "tax",
                "returnflag", "linestatus", "shipdate", "commitdate", "receiptdate", "shipinstruct", "shipmode", "comment")
                .map("checksum(l_%s)"::formatted)
                .collect(Collectors.joining(", ", "SELECT count(*), ", " FROM lineitem"));
    }
}
