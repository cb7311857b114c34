package io.mysqlpq.cross.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Names a query of the demo: seven of TPC-H, and a scan of all columns of lineitem.
 *
 * @param maxRanges the most ranges that the parallel run may read a table in
 */
record DemoQuery(String name, String sql, int maxRanges)
{
    // The connector's default.
    private static final int MAX_RANGES = 128;
    private static final List<Integer> NUMBERS = List.of(1, 3, 5, 6, 10, 12, 19);

    static List<DemoQuery> all()
            throws IOException
    {
        List<DemoQuery> queries = new ArrayList<>();
        for (int number : NUMBERS) {
            queries.add(new DemoQuery("Q" + number, TpchLoader.resource("/tpch/q%02d.sql".formatted(number)), MAX_RANGES));
        }
        queries.add(new DemoQuery("full scan", fullScan(), MAX_RANGES));
        queries.add(new DemoQuery("full scan in 4", fullScan(), 4));
        return queries;
    }

    // Trino must read every cell to compute the checksums, and a client sees any difference in one row.
    private static String fullScan()
    {
        return Stream.of(
                "orderkey", "partkey", "suppkey", "linenumber", "quantity", "extendedprice", "discount", "tax",
                "returnflag", "linestatus", "shipdate", "commitdate", "receiptdate", "shipinstruct", "shipmode", "comment")
                .map("checksum(l_%s)"::formatted)
                .collect(Collectors.joining(", ", "SELECT count(*), ", " FROM lineitem"));
    }
}
