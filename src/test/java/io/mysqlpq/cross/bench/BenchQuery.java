package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.Lineitem;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Names a query of the benchmark.
 */
record BenchQuery(String name, String sql)
{
    static List<BenchQuery> all()
            throws IOException
    {
        List<BenchQuery> queries = new ArrayList<>();
        for (int number = 1; number <= 22; number++) {
            queries.add(new BenchQuery("Q" + number, TpchLoader.resource("/tpch/q%02d.sql".formatted(number))));
        }
        queries.add(new BenchQuery("count(*)", "SELECT count(*) FROM lineitem"));
        queries.add(new BenchQuery("all 16 columns", Lineitem.fullScan()));
        queries.add(new BenchQuery("2 bigint columns", "SELECT checksum(l_orderkey), checksum(l_partkey) FROM lineitem"));
        queries.add(new BenchQuery("date range", "SELECT checksum(l_orderkey), checksum(l_extendedprice) FROM lineitem WHERE l_shipdate BETWEEN DATE '1995-03-01' AND DATE '1995-03-07'"));
        return queries;
    }
}
