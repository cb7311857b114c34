package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.NastyColumn;
import io.mysqlpq.testing.random.RandomNastyTable;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Compares native scans of one random table with what MySQL's own SQL saw in the same snapshot: of any columns, ranges, filters and sizes of batches,
 * of rows that others have changed since; and groups, and first rows, with what the rows give.
 */
final class RandomScans
{
    private static final String SCHEMA = "r";
    private static final String TABLE = SCHEMA + ".t";
    // Long rows before and after changes in place, and more than one level of the tree.
    private static final int MOST_ROWS = 800;
    // Without a decoder, or compared otherwise by SQL.
    private static final Set<String> UNREAD = Set.of("json", "bit");

    private final MysqlServer server;
    private final Random random;
    private final RandomNastyTable drawn;

    RandomScans(MysqlServer server, long seed)
    {
        this.server = server;
        this.random = new Random(seed);
        this.drawn = RandomNastyTable.draw(SCHEMA, "t", 100 + random.nextInt(MOST_ROWS - 100), random);
    }

    /** @return comparisons that were made */
    int compare(int requests)
    {
        try (Session writer = new Session(server)) {
            writer.execute("SET SESSION sql_mode = '', time_zone = '+00:00'", "DROP SCHEMA IF EXISTS " + SCHEMA, "CREATE SCHEMA " + SCHEMA);
            drawn.statements().forEach(writer::execute);
            List<String> partitions = writer.values("SELECT partition_name FROM information_schema.partitions WHERE table_schema = '%s' AND partition_name IS NOT NULL".formatted(SCHEMA));
            String index = clusteredIndex(writer);
            try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
                List<ScanComparisons> parts = new ArrayList<>();
                for (String partition : partitions.isEmpty() ? List.of("") : partitions) {
                    parts.add(new ScanComparisons(part(reader, index, partition), random, drawn.statements().getFirst()));
                }
                change(writer);
                return parts.stream().mapToInt(part -> part.compare(Math.max(1, requests / parts.size()))).sum();
            }
        }
    }

    private static String clusteredIndex(Session session)
    {
        List<String> clustered = session.values("""
                SELECT index_name FROM information_schema.statistics WHERE table_schema = '%s' AND non_unique = 0
                GROUP BY index_name HAVING SUM(nullable = 'YES' OR (sub_part IS NOT NULL AND index_name <> 'PRIMARY')) = 0""".formatted(SCHEMA));
        return clustered.isEmpty() ? "GEN_CLUST_INDEX" : clustered.getFirst();
    }

    private TablePart part(SnapshotReader reader, String index, String partition)
    {
        List<ScanColumn> columns = ScanColumn.of(reader.session(), TABLE).stream().filter(RandomScans::isRead).toList();
        List<List<String>> bySql = NativeScan.bySqlByRowIds(reader.donor(), TABLE + (partition.isEmpty() ? "" : " PARTITION (%s)".formatted(partition)), columns);
        TablePart whole = TablePart.read(reader, TABLE, index, partition, columns, bySql, drawn.statements());
        boolean isCut = partition.isEmpty() && !index.equals("GEN_CLUST_INDEX") && random.nextBoolean();
        return isCut ? whole.cutAt(RangePlan.ask(reader.donor(), TABLE, index, 2 + random.nextInt(7)).boundaries()) : whole;
    }

    private static boolean isRead(ScanColumn column)
    {
        return !UNREAD.contains(column.type()) && column.precision() <= 38;
    }

    // The snapshot sees nothing of it.
    private void change(Session writer)
    {
        for (int i = 0; i < 6; i++) {
            NastyColumn column = drawn.changeable().get(random.nextInt(drawn.changeable().size()));
            String rows = "n %% %d = %d".formatted(2 + random.nextInt(9), random.nextInt(2));
            // A key may hold the value already.
            writer.execute(switch (random.nextInt(3)) {
                case 0 -> "DELETE FROM %s WHERE %s LIMIT 50".formatted(TABLE, rows);
                case 1 -> "UPDATE IGNORE %s SET %s = %s WHERE %s".formatted(TABLE, column.name(), column.presentValue(random), rows);
                default -> "UPDATE IGNORE %s SET n = n + 10000 WHERE %s LIMIT 20".formatted(TABLE, rows);
            });
        }
    }
}
