package io.mysqlpq.cross.demo;

import io.mysqlpq.cross.running.Answer;
import io.mysqlpq.cross.running.QueryInformation;
import io.mysqlpq.cross.running.RangeMetrics;
import io.mysqlpq.cross.running.TimedRun;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares one query over one split per table with the same query over parallel ranges, by the median of several runs.
 */
record Comparison(String name, double oneSplitSeconds, double parallelSeconds, RangeMetrics ranges)
{
    static final List<String> HEADER = List.of("query", "one split s", "parallel s", "speed-up", "ranges", "rows min", "avg", "max");
    private static final int RUNS = 3;

    /** @throws IllegalStateException if any two runs differ in their answers */
    static Comparison of(DemoQuery query, Connection trino, QueryInformation information)
            throws SQLException
    {
        // The first runs warm caches and compilers up for both alike and are not counted.
        Answer answer = oneSplit(trino, query).answer();
        parallel(trino, query).assertAnswer(query.name(), answer);
        List<TimedRun> oneSplit = new ArrayList<>();
        List<TimedRun> parallel = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            oneSplit.add(oneSplit(trino, query).assertAnswer(query.name(), answer));
            parallel.add(parallel(trino, query).assertAnswer(query.name(), answer));
        }
        return new Comparison(query.name(), median(oneSplit), median(parallel), information.rangesOf(parallel.getLast().queryId()));
    }

    private static TimedRun oneSplit(Connection trino, DemoQuery query)
            throws SQLException
    {
        return run(trino, query, "parallel_reads_enabled = false");
    }

    private static TimedRun parallel(Connection trino, DemoQuery query)
            throws SQLException
    {
        return run(trino, query, "parallel_reads_enabled = true");
    }

    private static TimedRun run(Connection trino, DemoQuery query, String property)
            throws SQLException
    {
        try (Statement statement = trino.createStatement()) {
            statement.execute("SET SESSION mysql_pq." + property);
            // What is timed is how rows are read.
            statement.execute("SET SESSION mysql_pq.read_reuse_enabled = false");
        }
        return TimedRun.of(trino, query.sql());
    }

    private static double median(List<TimedRun> runs)
    {
        return runs.stream().mapToDouble(TimedRun::seconds).sorted().skip(RUNS / 2).findFirst().orElseThrow();
    }

    List<String> row()
    {
        return List.of(
                name,
                "%.2f".formatted(oneSplitSeconds),
                "%.2f".formatted(parallelSeconds),
                "%.2f x".formatted(oneSplitSeconds / parallelSeconds),
                "%d".formatted(ranges.count()),
                "%,d".formatted(ranges.minimumRows()),
                "%,d".formatted(ranges.averageRows()),
                "%,d".formatted(ranges.maximumRows()));
    }
}
