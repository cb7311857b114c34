package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RunningServers;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Names one way of running the queries.
 */
sealed interface Side
        permits TrinoSide, OneRowSide, MysqlSide, ConnectorxSide, SparkSide
{
    String name();

    default boolean runs(BenchQuery query)
    {
        return true;
    }

    default boolean runsIn(Surroundings surroundings)
    {
        return true;
    }

    /** How often a query that the others run so often is to be run here: less often where no goal depends on it. */
    default int rounds(int wanted)
    {
        return wanted;
    }

    SideSession open(RunningServers servers)
            throws SQLException;

    /**
     * The side that all others are divided by comes first.
     *
     * @param stock whether Trino has its own MySQL connector too
     * @param connectorx the Python that has ConnectorX, if it is to run
     * @param spark the folder of Spark's jars, if it is to run
     * @param cold whether cases are to run on a server that has nothing in memory
     * @param tuned settings of further sides, such as {@code mysql_pq.max_ranges_per_scan = 16}
     */
    static List<Side> all(boolean stock, Optional<Path> connectorx, Optional<Path> spark, boolean cold, List<String> tuned)
    {
        List<Side> sides = new ArrayList<>();
        if (stock) {
            sides.add(TrinoSide.STOCK);
        }
        sides.add(TrinoSide.ONE_SPLIT);
        sides.add(TrinoSide.RANGES);
        sides.add(TrinoSide.PLAIN_SQL);
        sides.add(new OneRowSide());
        sides.add(new MysqlSide());
        sides.add(TrinoSide.MEMORY);
        if (cold) {
            sides.add(TrinoSide.NO_READAHEAD);
        }
        connectorx.map(ConnectorxSide::new).ifPresent(sides::add);
        spark.map(SparkSide::new).ifPresent(sides::add);
        tuned.stream().map(TrinoSide::tuned).forEach(sides::add);
        return List.copyOf(sides);
    }
}
