package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TextTable;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Times queries that read from one replica, and from several at one moment, on the loopback device and with each server behind a link of 1 Gb/s.
 *
 * <p>The arguments are {@code load} and a scale, before there are replicas, and then {@code measure}, a number of rounds and the replicas' ports.
 */
public final class ReplicaBench
{
    private static final Set<String> QUERIES = Set.of("12 text columns", "all 16 columns", "2 bigint columns");

    private ReplicaBench()
    {}

    public static void main(String[] arguments)
            throws SQLException, IOException
    {
        RunningServers servers = RunningServers.fromEnvironment();
        List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
        if (arguments[0].equals("load")) {
            new TpchLoader(servers, rest.getFirst()).load();
            try (Connection mysql = servers.mysql()) {
                new BenchTables(mysql, rest.getFirst()).load();
            }
        }
        else {
            measure(servers, Integer.parseInt(rest.getFirst()), rest.stream().skip(1).map(Integer::parseInt).toList());
        }
    }

    private static void measure(RunningServers servers, int rounds, List<Integer> ports)
            throws SQLException, IOException
    {
        List<String> sides = Stream.concat(Stream.of("query"), IntStream.rangeClosed(1, ports.size()).mapToObj("%d read"::formatted)).toList();
        TextTable table = new TextTable(sides, sides.stream().map(side -> !side.equals("query")).toList());
        for (BenchQuery query : BenchQuery.all().stream().filter(query -> QUERIES.contains(query.name())).toList()) {
            table.add(row(query.name(), medians(servers, query, rounds, ports.size())));
            try (Link _ = Link.limitedByPort(ports)) {
                table.add(row(LinkCase.name(query.name()), medians(servers, query, rounds, ports.size())));
            }
        }
        System.out.printf("%nseconds, medians of %d rounds, by the number of replicas that a query reads from:%n%n", rounds);
        table.print(System.out);
        new SpreadRuns(servers, ports.size()).print(System.out);
    }

    private static List<String> row(String name, List<Double> seconds)
    {
        return Stream.concat(Stream.of(name), seconds.stream().map("%.3f"::formatted)).toList();
    }

    // Each round has all of them, so that a slow minute slows all.
    private static List<Double> medians(RunningServers servers, BenchQuery query, int rounds, int replicas)
            throws SQLException
    {
        Map<Integer, List<Double>> seconds = new TreeMap<>();
        Answer answer;
        try (TrinoSession session = session(servers, 1)) {
            answer = session.answer(query);
        }
        for (int round = 0; round <= rounds; round++) {
            for (int count = 1; count <= replicas; count++) {
                try (TrinoSession session = session(servers, count)) {
                    double time = session.seconds(query, answer);
                    // The first one fills the servers' memory.
                    if (round > 0) {
                        seconds.computeIfAbsent(count, _ -> new ArrayList<>()).add(time);
                    }
                }
            }
        }
        return seconds.values().stream().map(times -> times.stream().sorted().toList().get(times.size() / 2)).toList();
    }

    private static TrinoSession session(RunningServers servers, int replicas)
            throws SQLException
    {
        return new TrinoSession(connection(servers, replicas), servers.trinoPort());
    }

    static Connection connection(RunningServers servers, int replicas)
            throws SQLException
    {
        Connection connection = servers.trino();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION mysql_pq.read_reuse_enabled = false");
            statement.execute("SET SESSION mysql_pq.replicas_per_query = " + replicas);
        }
        return connection;
    }
}
