package io.mysqlpq.cross.demo;

import io.mysqlpq.cross.running.QueryInformation;
import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TextTable;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Loads TPC-H, then shows what parallel ranges bring: equal answers, times, ranges and their balance.
 */
public final class Demo
{
    private Demo()
    {}

    public static void main(String[] arguments)
            throws SQLException, IOException
    {
        RunningServers servers = RunningServers.fromEnvironment();
        new TpchLoader(servers, arguments[0]).load();
        TextTable table = new TextTable(Comparison.HEADER, numbersAfterFirst(Comparison.HEADER.size()));
        try (Connection trino = servers.trino()) {
            QueryInformation information = new QueryInformation(servers.trinoPort());
            for (DemoQuery query : DemoQuery.all()) {
                Comparison comparison = Comparison.of(query, trino, information);
                System.out.printf("  %s: answers equal%n", query.name());
                table.add(comparison.row());
            }
        }
        System.out.println();
        table.print(System.out);
        System.out.println("(medians of 3 warm runs; ranges and their rows: of the largest table in the query)");
    }

    private static List<Boolean> numbersAfterFirst(int columns)
    {
        return IntStream.range(0, columns).mapToObj(column -> column > 0).toList();
    }
}
