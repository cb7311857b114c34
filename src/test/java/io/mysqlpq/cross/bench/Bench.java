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
 * Times the queries of TPC-H, some scans and loads on all sides, interleaved, on warm servers.
 *
 * <p>Answers are compared before times count: each side runs each case once beforehand, which warms caches and compilers.
 */
public final class Bench
{
    private static final int ATTEMPTS = 3;

    private final BenchServers servers;
    private final BenchSides sides;
    private final int rounds;

    private Bench(BenchServers servers, BenchSides sides, int rounds)
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
        BenchResults results = run(RunningServers.fromEnvironment(), options);
        if (options.asserted() && !reachesGoals(results)) {
            System.exit(1);
        }
    }

    static BenchResults run(RunningServers running, BenchOptions options)
            throws SQLException, IOException
    {
        // A setting that Trino refuses is refused before the tables are loaded.
        for (String setting : options.tuned()) {
            TrinoSide.tuned(setting).connect(running).close();
        }
        new TpchLoader(running, options.scale()).load();
        BenchReport report = report(options);
        try (Connection mysql = running.mysql()) {
            new BenchTables(mysql, options.scale()).load();
        }
        try (Connection mysql = running.mysql(); BenchSides sides = BenchSides.open(running, Side.all(options.stock(), options.connectorx(), options.spark(), options.restart().isPresent(), options.tuned()))) {
            BenchServers servers = new BenchServers(running, mysql, options.restart());
            servers.fitPool();
            if (options.model() && !report.hasModel()) {
                report.add(new ScalingRuns(running, servers, options.rounds()).run());
            }
            Bench bench = new Bench(servers, sides, options.rounds());
            List<BenchCase> cases = BenchCases.named(options.queries(), options.surroundings(), servers).stream().filter(each -> !report.has(each.name())).toList();
            if (cases.stream().anyMatch(each -> each.runsOn(TrinoSide.MEMORY))) {
                PointLookups.copyToMemory(running, BenchCases.orderKeys(servers));
            }
            for (BenchCase each : cases) {
                report.add(bench.measure(each));
                // All take hours, and what ends them early must not take the figures with it.
                report.write(options.folder());
            }
        }
        report.print(System.out);
        System.out.println("results: " + report.write(options.folder()));
        return report.results();
    }

    private static BenchReport report(BenchOptions options)
            throws IOException
    {
        BenchReport report = new BenchReport(options.scale(), options.rounds(), options.commit());
        if (options.resumed().isPresent()) {
            report.resume(options.resumed().orElseThrow());
        }
        return report;
    }

    private static boolean reachesGoals(BenchResults results)
            throws IOException
    {
        List<String> shortfalls = Goals.shortfalls(results);
        System.out.println(shortfalls.isEmpty() ? "all goals are reached" : "%d goals are not reached:".formatted(shortfalls.size()));
        shortfalls.forEach(shortfall -> System.out.println("  " + shortfall));
        return shortfalls.isEmpty();
    }

    private List<Figures> measure(BenchCase measured)
            throws SQLException, IOException
    {
        List<Side> on = sides.sides().stream().filter(side -> side.runsIn(measured.surroundings()) && measured.runsOn(side)).toList();
        CaseRun run = measured.begin(sides, on);
        Map<Side, List<Sample>> samples = new LinkedHashMap<>();
        for (int round = 0; round < measured.rounds(rounds); round++) {
            // No side is always the one that finds what another left in the processor's caches.
            for (Side side : round % 2 == 0 ? on : on.reversed()) {
                if (round < side.rounds(rounds)) {
                    samples.computeIfAbsent(side, _ -> new ArrayList<>()).add(sample(measured, run, side));
                }
            }
        }
        return on.stream().map(side -> new Figures(measured.name(), side.name(), measured.counted(), samples.get(side))).toList();
    }

    private Sample sample(BenchCase measured, CaseRun run, Side side)
            throws SQLException, IOException
    {
        // MySQL reads a page of its own now and then.
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            measured.prepare(servers);
            long pagesRead = servers.pagesRead();
            servers.resetMemoryPeaks();
            CpuTimes cpu = servers.cpu();
            long sentBytes = servers.sentBytes();
            Sample sample = new Sample(run.on(side), servers.cpu().since(cpu), servers.memoryPeaks(), servers.sentBytes() - sentBytes);
            boolean isWarm = servers.pagesRead() == pagesRead;
            if (measured.writes() || isWarm == (measured.surroundings() != Surroundings.COLD)) {
                return sample;
            }
        }
        throw new IllegalStateException("%s read %s from disk in each of %d runs".formatted(measured.name(), measured.surroundings() == Surroundings.COLD ? "nothing" : "pages that the buffer pool must hold", ATTEMPTS));
    }
}
