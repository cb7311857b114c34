package io.mysqlpq.cross.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares one query over one split per table with the same query over parallel ranges, by the median of several runs.
 */
record Comparison(String name, double oneSplitSeconds, double parallelSeconds, RangeMetrics ranges)
{
    static final List<String> HEADER = List.of("query", "one split s", "parallel s", "ranges", "rows per range min", "avg", "max", "speed-up");
    private static final int RUNS = 3;

    /** @throws IllegalStateException if any two runs differ in their answers */
    static Comparison of(DemoQuery query, Connection trino, QueryInformation information)
            throws SQLException
    {
        // The first runs warm caches and compilers up for both alike and are not counted.
        Answer answer = TimedRun.oneSplit(trino, query).answer();
        TimedRun.parallel(trino, query).assertAnswer(query, answer);
        List<TimedRun> oneSplit = new ArrayList<>();
        List<TimedRun> parallel = new ArrayList<>();
        for (int i = 0; i < RUNS; i++) {
            oneSplit.add(TimedRun.oneSplit(trino, query).assertAnswer(query, answer));
            parallel.add(TimedRun.parallel(trino, query).assertAnswer(query, answer));
        }
        return new Comparison(query.name(), median(oneSplit), median(parallel), information.rangesOf(parallel.getLast().queryId()));
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
                "%d".formatted(ranges.count()),
                "%,d".formatted(ranges.minimumRows()),
                "%,d".formatted(ranges.averageRows()),
                "%,d".formatted(ranges.maximumRows()),
                "%.2f x".formatted(oneSplitSeconds / parallelSeconds));
    }
}
