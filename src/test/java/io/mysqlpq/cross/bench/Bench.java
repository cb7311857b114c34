package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.cross.running.TpchLoader;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times the queries of TPC-H and some scans on all sides, interleaved, on warm servers.
 *
 * <p>Answers are compared before times count: each side runs each query once beforehand, which warms caches and compilers.
 */
public final class Bench
{
    private static final int ATTEMPTS = 3;

    private final BenchServers servers;
    private final Map<Side, SideSession> sides;
    private final int rounds;

    private Bench(BenchServers servers, Map<Side, SideSession> sides, int rounds)
    {
        this.servers = servers;
        this.sides = sides;
        this.rounds = rounds;
    }

    /** @param arguments see {@link BenchOptions} */
    public static void main(String[] arguments)
            throws SQLException, IOException
    {
        BenchOptions options = BenchOptions.parse(List.of(arguments));
        List<BenchQuery> queries = queries(options);
        RunningServers running = RunningServers.fromEnvironment();
        new TpchLoader(running, options.scale()).load();
        BenchReport report = new BenchReport(options.scale(), options.rounds(), options.commit());
        try (Connection mysql = running.mysql()) {
            BenchServers servers = BenchServers.of(mysql, running);
            servers.fitPool();
            Map<Side, SideSession> sides = new LinkedHashMap<>();
            try {
                for (Side side : Side.all(options.stock(), options.tuned())) {
                    sides.put(side, side.open(running));
                }
                Bench bench = new Bench(servers, sides, options.rounds());
                for (BenchQuery query : queries) {
                    report.add(bench.measure(query));
                }
            }
            finally {
                for (SideSession side : sides.values()) {
                    side.close();
                }
            }
        }
        report.print(System.out);
        report.write(options.folder()).forEach(file -> System.out.println("results: " + file));
        if (options.asserted() && !reachesGoals(report.results())) {
            System.exit(1);
        }
    }

    private static boolean reachesGoals(BenchResults results)
    {
        List<String> shortfalls = Goals.shortfalls(results);
        System.out.println(shortfalls.isEmpty() ? "all goals are reached" : "%d goals are not reached:".formatted(shortfalls.size()));
        shortfalls.forEach(shortfall -> System.out.println("  " + shortfall));
        return shortfalls.isEmpty();
    }

    private static List<BenchQuery> queries(BenchOptions options)
            throws IOException
    {
        List<BenchQuery> queries = BenchQuery.all().stream().filter(query -> options.queries().isEmpty() || options.queries().contains(query.name())).toList();
        if (queries.size() < options.queries().size()) {
            throw new IllegalArgumentException("There is no query for each name of %s; there are %s".formatted(options.queries(), BenchQuery.all().stream().map(BenchQuery::name).toList()));
        }
        return queries;
    }

    private List<Figures> measure(BenchQuery query)
            throws SQLException, IOException
    {
        Answer answer = sides.values().iterator().next().answer(query);
        for (SideSession side : sides.values()) {
            query.check(side.answer(query), answer);
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

    private Sample sample(BenchQuery query, SideSession side, Answer answer)
            throws SQLException, IOException
    {
        // MySQL reads a page of its own now and then.
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            long pagesRead = servers.pagesRead();
            servers.resetMemoryPeaks();
            CpuTimes cpu = servers.cpu();
            Sample sample = new Sample(side.seconds(query, answer), servers.cpu().since(cpu), servers.memoryPeaks());
            if (servers.pagesRead() == pagesRead) {
                return sample;
            }
        }
        throw new IllegalStateException("%s read pages from disk in each of %d runs, so none is warm: the buffer pool must hold all data".formatted(query.name(), ATTEMPTS));
    }
}
