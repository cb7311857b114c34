package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.TrinoProcess;
import io.mysqlpq.cross.running.RangeMetrics;
import io.mysqlpq.cross.running.RunningServers;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the loads that are not TPC-H's, and the model, on small data. */
class TestBenchRun
{
    private static final String MANY_RANGES = "target_rows_per_split = 4000";

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).start();

    @Test
    void testLoadsAndModel(@TempDir Path folder)
            throws IOException, SQLException
    {
        int port = FreePort.find();
        try (TrinoProcess trino = trino(folder, port)) {
            trino.awaitStarted();
            RunningServers servers = new RunningServers(mysql.port(), "", mysql.pid(), port, trino.pid());
            BenchResults results = Bench.run(servers, BenchOptions.parse(List.of(
                    "scale", "0.01", "folder", folder.resolve("results").toString(), "queries", "Q1,12 text columns,uneven keys", "tuned", "mysql_pq." + MANY_RANGES, "model", "true")));
            assertThat(results.figures()).hasSize(16).allMatch(figures -> figures.median(Sample::seconds) > 0);
            assertThat(results.find("12 text columns", "ranges").orElseThrow().median(Sample::sentBytesPerRow)).isBetween(900.0, 1300.0);
            RangeMetrics ranges = results.find("uneven keys", MANY_RANGES).orElseThrow().samples().getFirst().work().scan().ranges();
            assertThat(ranges.count()).isGreaterThan(3);
            assertThat(ranges.maximumRows()).isLessThan(2 * ranges.averageRows());
            assertThat(results.model().orElseThrow().points()).extracting(ScalingPoint::ranges).contains(1L, 8L);
            assertThat(folder.resolve("results")).isDirectoryContaining("glob:**.json");
        }
    }

    private TrinoProcess trino(Path folder, int port)
            throws IOException
    {
        Path catalogs = Files.createDirectories(folder.resolve("catalog"));
        Files.write(catalogs.resolve("tpch.properties"), List.of("connector.name=tpch", "tpch.column-naming=STANDARD", "tpch.double-type-mapping=DECIMAL"));
        Path plugins = Files.createDirectories(folder.resolve("plugin"));
        Path tpch = Path.of(System.getProperty("pq.trino.home"), "plugin", "tpch").toAbsolutePath().normalize();
        Files.createSymbolicLink(plugins.resolve("tpch"), tpch);
        return new TrinoProcess(
                folder,
                port,
                List.of("coordinator=true", "node-scheduler.include-coordinator=true", "node.id=one", "discovery.uri=http://127.0.0.1:" + port),
                List.of("connector.name=mysql_pq", "connection-url=" + mysql.jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true", "connection-user=root"));
    }
}
