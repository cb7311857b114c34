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
record DrawnTables(long seed, List<NastyTable> tables, List<String> statements, List<DrawnQuery> queries)
{
    /** @param properties of the ways in which the query is read */
    record DrawnQuery(RandomQuery query, Map<DifferentialSide, Map<String, String>> properties)
    {}

    /** Of the copies of the tables, and of the queries. */
    static final int COMPARISONS = 32;

    private static final int TABLES = 2;
    // A table of at most 25,000 rows is sorted by one statement. By its statistics, this one has many more.
    private static final List<String> LARGE_BY_STATISTICS = List.of(
            "UPDATE mysql.innodb_table_stats SET n_rows = n_rows * 1000 WHERE database_name = '%s'".formatted(TwinServers.SCHEMA),
            "FLUSH TABLES %1$s.t0, %1$s.t1".formatted(TwinServers.SCHEMA));

    static DrawnTables draw(long seed)
    {
        // Neighbouring seeds of Random begin alike.
        Random random = new Random(new SplittableRandom(seed).nextLong());
        List<RandomNastyTable> drawn = List.of(
                RandomNastyTable.draw(TwinServers.SCHEMA, "t0", 300 + random.nextInt(500), random),
                RandomNastyTable.draw(TwinServers.SCHEMA, "t1", 20 + random.nextInt(200), random));
        List<NastyTable> tables = drawn.stream().map(RandomNastyTable::table).toList();
        Stream<String> statements = drawn.stream().flatMap(table -> table.statements().stream());
        List<String> statistics = random.nextInt(3) == 0 ? List.of() : LARGE_BY_STATISTICS;
        return new DrawnTables(
                seed,
                tables,
                Stream.concat(statements, statistics.stream()).toList(),
                Stream.generate(() -> query(tables, random)).limit(COMPARISONS - TABLES).toList());
    }

    private static DrawnQuery query(List<NastyTable> tables, Random random)
    {
        RandomQuery query = RandomQuery.draw(tables, random);
        // A range gives first rows only if they are at most a tenth of its rows.
        Map<String, String> rows = query.ordered() && random.nextInt(4) > 0 ? Map.of("target_rows_per_split", "100") : Map.of();
        return new DrawnQuery(query, Maps.toMap(DifferentialSide.draw(random), side -> DifferentialSide.with(side.properties(random), rows)));
    }

    /** What the tables are, without their rows. */
    String definitions()
    {
        return statements.stream().filter(sql -> !sql.startsWith("INSERT")).toList().toString();
    }
}
