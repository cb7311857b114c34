package io.mysqlpq.cross.demo;

import io.mysqlpq.cross.running.Lineitem;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Names a query of the demo: seven of TPC-H, and a scan of all columns of lineitem.
 */
record DemoQuery(String name, String sql)
{
    private static final List<Integer> NUMBERS = List.of(1, 3, 5, 6, 10, 12, 19);

    static List<DemoQuery> all()
            throws IOException
    {
        List<DemoQuery> queries = new ArrayList<>();
        for (int number : NUMBERS) {
            queries.add(new DemoQuery("Q" + number, TpchLoader.resource("/tpch/q%02d.sql".formatted(number))));
        }
        queries.add(new DemoQuery("full scan", Lineitem.fullScan()));
        return queries;
    }
}
