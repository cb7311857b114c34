package io.mysqlpq.cross;

import com.google.common.collect.Maps;
import io.mysqlpq.testing.random.NastyTable;
import io.mysqlpq.testing.random.RandomNastyTable;
import io.mysqlpq.testing.random.RandomQuery;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Draws two tables by their seed, and queries of them.
 *
 * @param statements MySQL's, that make and fill the tables
 */
record DrawnTables(long seed, List<RandomNastyTable> drawn, List<String> statements, List<DrawnQuery> queries)
{
    /** @param properties of the ways in which the query is read */
    record DrawnQuery(RandomQuery query, Map<DifferentialSide, Map<String, String>> properties)
    {}

    /** Names the runs in docs/reliability-log.tsv. It takes the next number when other queries are drawn, and all seeds begin anew. */
    static final String RUN = "differential 2";

    /** Of the copies of the tables, and of the queries. */
    static final int COMPARISONS = 32;

    private static final int TABLES = 2;
    // A table of at most 25,000 rows is sorted by one statement. By its statistics, this one has many more.
    private static final List<String> LARGE_BY_STATISTICS = List.of(
            "UPDATE mysql.innodb_table_stats SET n_rows = n_rows * 1000 WHERE database_name = '%s'".formatted(TwinServers.SCHEMA),
            "FLUSH TABLES %1$s.t0, %1$s.t1".formatted(TwinServers.SCHEMA));

    static DrawnTables draw(long seed)
    {
        return draw(seed, 1);
    }

    /** @param size how many times as many rows the tables have */
    static DrawnTables draw(long seed, int size)
    {
        // Neighbouring seeds of Random begin alike.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        // Neighbouring seeds are of one run.
        boolean areLarge = Math.floorMod(seed, 5) > 0;
        List<RandomNastyTable> drawn = draw(areLarge, size, random);
        List<NastyTable> tables = drawn.stream().map(RandomNastyTable::table).toList();
        Stream<String> statements = drawn.stream().flatMap(table -> table.statements().stream());
        List<NastyTable> ofFirstRows = areLarge ? drawn.stream().filter(RandomNastyTable::isKeyed).map(RandomNastyTable::table).toList() : List.of();
        return new DrawnTables(
                seed,
                drawn,
                Stream.concat(statements, areLarge ? LARGE_BY_STATISTICS.stream() : Stream.of()).toList(),
                Stream.generate(() -> query(tables, ofFirstRows, random)).limit(COMPARISONS - TABLES).toList());
    }

    // At least one of two large tables is one whose first rows the extension finds.
    private static List<RandomNastyTable> draw(boolean areLarge, int size, Random random)
    {
        RandomNastyTable second = RandomNastyTable.draw(TwinServers.SCHEMA, "t1", size * (100 + random.nextInt(300)), random);
        RandomNastyTable first = Stream.generate(() -> RandomNastyTable.draw(TwinServers.SCHEMA, "t0", size * (300 + random.nextInt(500)), random))
                .filter(drawn -> !areLarge || drawn.isKeyed() || second.isKeyed())
                .findFirst()
                .orElseThrow();
        return List.of(first, second);
    }

    private static DrawnQuery query(List<NastyTable> tables, List<NastyTable> ofFirstRows, Random random)
    {
        RandomQuery query = RandomQuery.draw(tables, ofFirstRows, random);
        Map<String, String> fixed = properties(query, random);
        return new DrawnQuery(query, Maps.toMap(DifferentialSide.draw(random), side -> DifferentialSide.with(side.properties(random), fixed)));
    }

    // A range gives first rows only if they are at most a tenth of its rows.
    private static Map<String, String> properties(RandomQuery query, Random random)
    {
        if (query.first()) {
            return Map.of("target_rows_per_split", "100", "topn_pushdown_enabled", "true");
        }
        return query.ordered() && random.nextInt(4) > 0 ? Map.of("target_rows_per_split", "100") : Map.of();
    }

    List<NastyTable> tables()
    {
        return drawn.stream().map(RandomNastyTable::table).toList();
    }

    /** What the tables are, without their rows. */
    String definitions()
    {
        return statements.stream().filter(sql -> !sql.startsWith("INSERT")).toList().toString();
    }
}
