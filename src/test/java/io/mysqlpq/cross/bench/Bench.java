package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.Answer;
import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TimedRun;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Times the queries of TPC-H and some scans on all sides, interleaved, on warm servers.
 *
 * <p>Answers are compared before times count: each side runs each query once beforehand, which warms caches and compilers.
 */
public final class Bench
{
    private static final int ATTEMPTS = 3;

    private final BenchServers servers;
    private final Map<Side, Connection> sides;
    private final int rounds;

    private Bench(BenchServers servers, Map<Side, Connection> sides, int rounds)
    {
        this.servers = servers;
        this.sides = sides;
        this.rounds = rounds;
    }

    /** @param arguments scale, rounds, names of queries with commas between them (empty: all), folder of the results, commit, whether there is a stock connector, settings of tuned sides */
    public static void main(String[] arguments)
            throws SQLException, IOException
    {
        RunningServers running = RunningServers.fromEnvironment();
        String scale = arguments[0];
        int rounds = Integer.parseInt(arguments[1]);
        List<BenchQuery> queries = queries(arguments[2]);
        new TpchLoader(running, scale).load();
        BenchReport report = new BenchReport(scale, rounds, arguments[4]);
        try (Connection mysql = running.mysql()) {
            BenchServers servers = BenchServers.of(mysql, running);
            servers.fitPool();
            Map<Side, Connection> sides = new LinkedHashMap<>();
            try {
                for (Side side : Side.all(Boolean.parseBoolean(arguments[5]), List.of(arguments).subList(6, arguments.length))) {
                    sides.put(side, side.connect(running));
                }
                Bench bench = new Bench(servers, sides, rounds);
                for (BenchQuery query : queries) {
                    report.add(bench.measure(query));
                }
            }
            finally {
                for (Connection side : sides.values()) {
                    side.close();
                }
            }
        }
        report.print(System.out);
        System.out.println("results: " + report.write(Path.of(arguments[3])));
    }

    private static List<BenchQuery> queries(String names)
            throws IOException
    {
        Set<String> wanted = Set.of(names.split(",", -1));
        List<BenchQuery> queries = BenchQuery.all().stream().filter(query -> names.isEmpty() || wanted.contains(query.name())).toList();
        if (!names.isEmpty() && queries.size() < wanted.size()) {
            throw new IllegalArgumentException("There is no query for each name of %s; there are %s".formatted(names, BenchQuery.all().stream().map(BenchQuery::name).toList()));
        }
        return queries;
    }

    private List<Figures> measure(BenchQuery query)
            throws SQLException, IOException
    {
        Answer answer = TimedRun.of(sides.values().iterator().next(), query.sql()).answer();
        for (Connection side : sides.values()) {
            TimedRun.of(side, query.sql()).assertAnswer(query.name(), answer);
        }
        Map<Side, List<Sample>> samples = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            List<Side> order = new ArrayList<>(sides.keySet());
            // No side is always the one that finds what another left in the processor's caches.
            order = round % 2 == 0 ? order : order.reversed();
            for (Side side : order) {
                samples.computeIfAbsent(side, _ -> new ArrayList<>()).add(sample(query, sides.get(side), answer));
            }
        }
        return sides.keySet().stream().map(side -> new Figures(query.name(), side.name(), samples.get(side))).toList();
    }

    private Sample sample(BenchQuery query, Connection side, Answer answer)
            throws SQLException, IOException
    {
        // MySQL reads a page of its own now and then.
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long pagesRead = servers.pagesRead();
            CpuTimes cpu = servers.cpu();
            TimedRun run = TimedRun.of(side, query.sql()).assertAnswer(query.name(), answer);
            Sample sample = new Sample(run.seconds(), servers.cpu().since(cpu));
            if (servers.pagesRead() == pagesRead) {
                return sample;
            }
        }
        throw new IllegalStateException("%s read pages from disk in each of %d runs, so none is warm: the buffer pool must hold all data".formatted(query.name(), ATTEMPTS));
    }
}
