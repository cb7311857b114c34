package io.mysqlpq.cross.demo;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Compares one query over one split per table with the same query over parallel ranges.
 */
record Comparison(String name, TimedRun single, TimedRun parallel, RangeMetrics ranges)
{
    static final List<String> HEADER = List.of("query", "one split s", "parallel s", "ranges", "rows per range min", "avg", "max", "speed-up");

    static Comparison of(DemoQuery query, Connection trino, QueryInformation information)
            throws SQLException
    {
        // The first runs warm caches and compilers up for both alike and are not counted.
        TimedRun.of(trino, query.sql(), false);
        TimedRun.of(trino, query.sql(), true);
        TimedRun single = TimedRun.of(trino, query.sql(), false);
        TimedRun parallel = TimedRun.of(trino, query.sql(), true);
        return new Comparison(query.name(), single, parallel, information.rangesOf(parallel.queryId()));
    }

    Comparison
    {
        if (!single.answer().equals(parallel.answer())) {
            throw new IllegalStateException("%s: the answer from one split differs from the one from parallel ranges:%n%s%n%s"
                    .formatted(name, single.answer(), parallel.answer()));
        }
    }

    List<String> row()
    {
        return List.of(
                name,
                "%.2f".formatted(single.seconds()),
                "%.2f".formatted(parallel.seconds()),
                "%d".formatted(ranges.count()),
                "%,d".formatted(ranges.minimumRows()),
                "%,d".formatted(ranges.averageRows()),
                "%,d".formatted(ranges.maximumRows()),
                "%.2f x".formatted(single.seconds() / parallel.seconds()));
    }
}
