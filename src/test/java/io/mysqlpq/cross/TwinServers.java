package io.mysqlpq.cross;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Multisets;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.WrongAnswer;
import io.trino.Session;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.sql.planner.plan.TableScanNode;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;

import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.trino.sql.planner.optimizations.PlanNodeSearcher.searchFrom;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the same tables in a MySQL with the extension, in one without, and in Trino's memory connector.
 */
final class TwinServers
        implements AutoCloseable
{
    static final String SCHEMA = "d";
    static final String FIRST_ROWS_NATIVELY = "firstRowsNatively";
    private static final String MEMORY = "memory";
    // The reader that has the least in common with the others.
    private static final Map<String, String> PLAINLY = Map.of("parallel_reads_enabled", "false", "native_scan_enabled", "false", "packet_decoding_enabled", "false");

    // One node. Half of the time of two went into messages, and no query was read in another way.
    // Zones that differ, so that an instant that is read in the server's own shows.
    private final CrossCluster cluster = new CrossCluster(server(true, "+00:00"), Map.of(), 0);
    private final MysqlServer other = server(false, "+05:30");

    TwinServers()
    {
        cluster.createCatalog(DifferentialSide.WITHOUT_EXTENSION.catalog(), Map.of("connection-url", other.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true"));
        cluster.trino().installPlugin(new MemoryPlugin());
        cluster.trino().createCatalog(MEMORY, MEMORY);
    }

    static MysqlServer server(boolean extension, String zone)
    {
        // Statistics that a test changes are to stay, and to be seen at once.
        return MysqlServer.builder().extension(extension).option("default-time-zone", zone).option("innodb-stats-auto-recalc", "OFF").option("information-schema-stats-expiry", "0").start();
    }

    /** Makes the schema anew in both servers, by statements of MySQL that run in UTC and take what is not quite valid. */
    void load(List<String> statements)
    {
        String[] all = inNewSchema(statements);
        CompletableFuture<Void> others = Background.run(() -> other.execute(all));
        cluster.mysql().execute(all);
        others.join();
    }

    static String[] inNewSchema(List<String> statements)
    {
        return Stream.concat(Stream.of("SET time_zone = '+00:00', sql_mode = ''", "DROP SCHEMA IF EXISTS " + SCHEMA, "CREATE SCHEMA " + SCHEMA), statements.stream()).toArray(String[]::new);
    }

    void copyToMemory(String table)
    {
        cluster.trino().execute("DROP TABLE IF EXISTS %s.default.%s".formatted(MEMORY, table));
        cluster.trino().execute(session(CrossCluster.CATALOG, PLAINLY), "CREATE TABLE %1$s.default.%2$s AS SELECT * FROM %3$s.%4$s.%2$s".formatted(MEMORY, table, CrossCluster.CATALOG, SCHEMA));
    }

    MysqlServer mysql()
    {
        return cluster.mysql();
    }

    MaterializedResult ofCopy(String sql)
    {
        return cluster.trino().execute(Session.builder(cluster.trino().getDefaultSession()).setCatalog(MEMORY).setSchema("default").build(), sql);
    }

    MaterializedResultWithPlan of(DifferentialSide side, Map<String, String> properties, String sql)
    {
        return cluster.trino().executeWithPlan(session(side.catalog(), properties), sql);
    }

    /** What the scans of a query counted, and how many of them gave first rows that the extension found. */
    Map<String, Long> counts(MaterializedResultWithPlan result)
    {
        Map<String, Long> counts = new HashMap<>(cluster.scanCounts(result.queryId()));
        // A small table may be planned so and then be read by SQL.
        counts.put(FIRST_ROWS_NATIVELY, counts.getOrDefault(READ_NATIVELY, 0L) == 0 ? 0
                : searchFrom(result.queryPlan().orElseThrow().getRoot()).whereIsInstanceOfAny(TableScanNode.class).findAll().stream()
                        .map(scan -> ((TableScanNode) scan).getTable().connectorHandle().toString())
                        .filter(scan -> scan.contains(", natively]") && !scan.contains("aggregated") && scan.contains("sortOrder="))
                        .count());
        return counts;
    }

    static List<String> rows(MaterializedResult result, boolean ordered)
    {
        Stream<String> rows = result.getMaterializedRows().stream().map(row -> row.getFields().stream().map(TwinServers::text).collect(joining(" | ")));
        return (ordered ? rows : rows.sorted()).collect(ImmutableList.toImmutableList());
    }

    /** Shows only what differs of long answers. */
    static void assertSameRows(List<String> actual, List<String> expected, String description)
    {
        WrongAnswer.unless(() -> {
            assertThat(Multisets.difference(HashMultiset.create(expected), HashMultiset.create(actual))).as("lost rows of " + description).isEmpty();
            assertThat(Multisets.difference(HashMultiset.create(actual), HashMultiset.create(expected))).as("doubled or wrong rows of " + description).isEmpty();
            assertThat(actual).as("order of " + description).isEqualTo(expected);
        });
    }

    void assertErrorLogsClean()
    {
        cluster.mysql().assertErrorLogClean();
        other.assertErrorLogClean();
    }

    @Override
    public void close()
    {
        cluster.close();
        other.close();
    }

    private Session session(String catalog, Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(cluster.trino().getDefaultSession()).setCatalog(catalog).setSchema(SCHEMA);
        properties.forEach((name, value) -> session.setCatalogSessionProperty(catalog, name, value));
        return session.build();
    }

    private static String text(Object value)
    {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value);
    }
}
