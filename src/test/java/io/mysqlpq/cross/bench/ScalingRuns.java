package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import static java.lang.Math.max;

/**
 * Reads all columns of tables of several sizes in several numbers of ranges.
 */
record ScalingRuns(RunningServers running, BenchServers servers, int rounds)
{
    private static final int MOST_ROUNDS = 3;
    // Percentages of the orders at the scale that is loaded.
    private static final List<Integer> PERCENTS = List.of(100, 10, 1);
    // Until Trino's compilers have seen it all.
    private static final int WARM_UPS = 5;
    private static final List<Integer> RANGES = List.of(1, 2, 4, 8, 16, 32);

    ScalingModel run()
            throws SQLException, IOException
    {
        List<ScalingPoint> points = new ArrayList<>();
        for (int percent : PERCENTS) {
            BenchQuery scan = new ColumnScan(ColumnScan.LINEITEM, table(percent)).named("%d percent of lineitem".formatted(percent));
            servers.fitPool();
            warmUp(scan);
            for (int ranges : RANGES) {
                ScalingPoint point = point(scan, ranges);
                System.out.printf("  %,d rows in %d ranges: %.3f s%n", point.rows(), point.ranges(), point.seconds());
                points.add(point);
            }
        }
        return ScalingModel.of(points);
    }

    private void warmUp(BenchQuery scan)
            throws SQLException
    {
        try (SideSession session = TrinoSide.RANGES.open(running)) {
            for (int run = 0; run < WARM_UPS; run++) {
                session.answer(scan);
            }
        }
    }

    private String table(int percent)
            throws SQLException
    {
        if (percent == 100) {
            return "lineitem";
        }
        String table = "%s.lineitem%d".formatted(BenchTables.SCHEMA, percent);
        try (Connection mysql = running.mysql(); Statement statement = mysql.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + table);
            statement.execute("CREATE TABLE %s LIKE tpch.lineitem".formatted(table));
            statement.execute("INSERT INTO %s SELECT * FROM tpch.lineitem WHERE l_orderkey <= (SELECT max(l_orderkey) * %d DIV 100 FROM tpch.lineitem)".formatted(table, percent));
            statement.execute("ANALYZE TABLE " + table);
        }
        return table;
    }

    private ScalingPoint point(BenchQuery scan, int ranges)
            throws SQLException, IOException
    {
        Side side = TrinoSide.RANGES.inRanges(ranges);
        try (SideSession session = side.open(running)) {
            Answer answer = session.answer(scan);
            List<Sample> samples = new ArrayList<>();
            for (int round = 0; round < Math.min(rounds, MOST_ROUNDS); round++) {
                CpuTimes cpu = servers.cpu();
                long sentBytes = servers.sentBytes();
                Work work = new QueryCase(scan).run(session, answer);
                samples.add(new Sample(work, servers.cpu().since(cpu), servers.memoryPeaks(), servers.sentBytes() - sentBytes));
            }
            ScanFacts facts = samples.getLast().work().scan();
            Figures figures = new Figures(scan.name(), side.name(), Counted.SINGLE_QUERY, samples);
            return new ScalingPoint(
                    facts.rows(),
                    max(facts.ranges().count(), 1),
                    figures.median(Sample::seconds),
                    figures.median(sample -> sample.cpu().mysql()),
                    figures.median(sample -> sample.cpu().trino()),
                    figures.median(Sample::sentBytes));
        }
    }
}
