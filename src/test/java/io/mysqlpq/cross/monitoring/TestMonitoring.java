package io.mysqlpq.cross.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.mysqlpq.cross.TrinoProcess;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.TrinoPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests what docker/ ships for Prometheus and Grafana: a Prometheus that scrapes a coordinator, a worker and MySQL's exporter as
 * prometheus.yml says has every metric that alerts and panels name, with the values that a scan ought to give them.
 */
@TestInstance(PER_CLASS)
class TestMonitoring
{
    private static final int ROWS = 100_000;
    private static final int TEXT_BYTES = 100;
    // One for each server of two catalogs on two nodes. One of the catalogs has a replica.
    private static final int SERIES = 6;

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
    private final int port = FreePort.find();
    private final int workerPort = FreePort.find();
    private final int exporterPort = FreePort.find();
    private TrinoProcess coordinator;
    private TrinoProcess worker;
    private MonitoringProgram exporter;
    private Prometheus prometheus;

    @BeforeAll
    void start(@TempDir Path folder)
    {
        String discovery = "discovery.uri=http://127.0.0.1:" + port;
        String metrics = MonitoringFiles.trinoSetting();
        coordinator = new TrinoProcess(folder.resolve("coordinator"), port, List.of("coordinator=true", "node-scheduler.include-coordinator=false", discovery, metrics), catalogs());
        worker = new TrinoProcess(folder.resolve("worker"), workerPort, List.of("coordinator=false", discovery, metrics), catalogs());
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v VARCHAR(1000))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %d) SELECT i, REPEAT('x', %d) FROM s".formatted(ROWS, TEXT_BYTES),
                "ANALYZE TABLE s.t",
                "CREATE USER exporter");
        exporter = new MonitoringProgram(folder, "prometheus-mysqld-exporter", List.of(
                "--web.listen-address=127.0.0.1:" + exporterPort,
                "--mysqld.address=127.0.0.1:" + mysql.port(),
                "--mysqld.username=exporter"));
        prometheus = new Prometheus(folder, MonitoringFiles.copy(folder, Map.of(
                "scrape_interval: 15s", "scrape_interval: 1s",
                "evaluation_interval: 15s", "evaluation_interval: 1s",
                "- trino:8080", "- 127.0.0.1:" + port,
                "- trino-worker-1:8080", "- 127.0.0.1:" + workerPort,
                "          - trino-worker-2:8080\n", "",
                "- mysql-exporter:9104", "- 127.0.0.1:" + exporterPort)));
        coordinator.awaitStarted();
        worker.awaitStarted();
        exporter.awaitReady(() -> page(exporterPort).contains("mysql_up 1"));
        Await.until("the coordinator knows its worker", Duration.ofSeconds(60), () -> rows("SELECT node_id FROM system.runtime.nodes WHERE state = 'active'") == 2);
        // Counters of the replica are there when a query has looked for it.
        assertThat(rows("SELECT k FROM replicated.s.t WHERE k = 1")).isEqualTo(1);
        // Rates need two scrapes.
        Await.until("Prometheus has scraped all of them twice", Duration.ofSeconds(60), () -> prometheus.values("count_over_time(up[1m] @ end()) >= 2 and up == 1").size() == 3);
        Await.until("Prometheus has two samples of the catalog", Duration.ofSeconds(60), () -> prometheus.values("count_over_time(mysql_pq_ReadTotals_Rows[1m]) >= 2").size() == SERIES);
    }

    @AfterAll
    void stop()
    {
        for (AutoCloseable process : new AutoCloseable[] {prometheus, exporter, worker, coordinator}) {
            close(process);
        }
        mysql.assertErrorLogClean();
    }

    @Test
    void testScanIsCounted()
    {
        long before = mysql.status("mysql_pq_scan_rows_read");
        assertThat(rows("SELECT k, v FROM mysql_pq.s.t")).isEqualTo(ROWS);
        // The worker reads, the coordinator plans.
        awaitValue("mysql_pq_ReadTotals_Rows{catalog='mysql_pq',instance='127.0.0.1:%d'}".formatted(workerPort), ROWS);
        awaitValue("mysql_pq_ReadTotals_Rows{catalog='mysql_pq',instance='127.0.0.1:%d'}".formatted(port), 0);
        awaitValue("mysql_pq_PlanningTotals_ScansByRanges{catalog='mysql_pq',instance='127.0.0.1:%d'}".formatted(port), 1);
        awaitValue("sum(mysql_pq_PlanningTotals_Ranges{catalog='mysql_pq'}) == bool sum(mysql_pq_ReadTotals_Splits{catalog='mysql_pq'})", 1);
        awaitValue("sum(mysql_pq_ReadTotals_Splits{catalog='mysql_pq'}) > bool 4", 1);
        awaitValue("sum(mysql_pq_ReadTotals_Bytes{catalog='mysql_pq'}) >= bool %s".formatted(ROWS * (8 + TEXT_BYTES)), 1);
        awaitValue("sum(mysql_pq_ReadTotals_Bytes{catalog='mysql_pq'}) <= bool %s".formatted(ROWS * (32 + TEXT_BYTES)), 1);
        awaitValue("mysql_global_status_mysql_pq_scan_rows_read", before + ROWS);
        awaitValue("sum(mysql_pq_ReadTotals_ReadNatively{catalog='mysql_pq'}) == bool sum(mysql_pq_ReadTotals_Splits{catalog='mysql_pq'})", 1);
        awaitValue("sum(mysql_pq_SnapshotStats_Opened{catalog='mysql_pq'})", 1);
        awaitValue("sum(mysql_pq_SnapshotStats_Open{catalog='mysql_pq'})", 0);
        awaitValue("sum(mysql_pq_FallbackReporter_TotalCount{catalog='mysql_pq'})", 0);
        assertThat(prometheus.firingAlerts()).isEmpty();

        mysql.execute("SET GLOBAL mysql_pq_enabled = OFF");
        assertThat(rows("SELECT k, v FROM mysql_pq.s.t")).isEqualTo(ROWS);
        awaitValue("sum(mysql_pq_ReadTotals_Rows{catalog='mysql_pq'})", 2 * ROWS);
        awaitValue("sum(mysql_pq_FallbackReporter_DisabledCount{catalog='mysql_pq'})", 1);
        awaitValue("mysql_global_status_mysql_pq_scan_rows_read", before + ROWS);
        Await.until("an alert", () -> prometheus.firingAlerts().contains("MysqlPqExtensionNotUsable"));
    }

    @Test
    void testReplicaIsCounted()
    {
        assertThat(rows("SELECT k, v FROM replicated.s.t")).isEqualTo(ROWS);
        String replica = "catalog='replicated',server='localhost_%d'".formatted(mysql.port());
        awaitValue("mysql_pq_ReadTotals_Rows{%s,instance='127.0.0.1:%d'}".formatted(replica, workerPort), ROWS + 1);
        awaitValue("mysql_pq_ReadTotals_Rows{catalog='replicated',server='',instance='127.0.0.1:%d'}".formatted(workerPort), 0);
        awaitValue("mysql_pq_RoutedQueries_Running{%s,instance='127.0.0.1:%d'}".formatted(replica, port), 0);
        awaitValue("mysql_pq_RoutedQueries_LeftOut{%s,instance='127.0.0.1:%d'}".formatted(replica, port), 0);
    }

    @Test
    void testAlertsNameMetrics()
    {
        List<JsonNode> rules = prometheus.rules();
        assertThat(rules).hasSizeGreaterThan(10);
        for (JsonNode rule : rules) {
            String expression = rule.required("query").textValue();
            assertThat(prometheus.selectors(expression)).isNotEmpty().allSatisfy(series -> awaitSeries(series, "series of %s in %s".formatted(series, expression)));
        }
    }

    @Test
    void testPanelsShowSeries()
    {
        List<String> expressions = MonitoringFiles.dashboardExpressions();
        assertThat(expressions).hasSizeGreaterThan(20).allSatisfy(expression -> awaitSeries(expression, "series of " + expression));
    }

    // A page that a busy machine does not give within the second is missing until the next one.
    private void awaitSeries(String expression, String description)
    {
        Await.until(description, () -> !prometheus.values(expression).isEmpty());
    }

    @Test
    void testAlertsFire(@TempDir Path folder)
    {
        try (MonitoringProgram check = promtool(folder, "check", "config", MonitoringFiles.prometheus("prometheus.yml"))) {
            assertThat(check.run()).contains("valid prometheus config", "rules found");
        }
        // Its cases name the rules' file by its name alone.
        MonitoringFiles.copy(folder, Map.of());
        try (MonitoringProgram test = promtool(folder, "test", "rules", MonitoringFiles.alertCases(folder))) {
            assertThat(test.run()).contains("SUCCESS");
        }
    }

    private static MonitoringProgram promtool(Path folder, String command, String kind, Path file)
    {
        return new MonitoringProgram(folder, "promtool", List.of(command, kind, file.toString()));
    }

    private void awaitValue(String expression, double expected)
    {
        OptionalDouble[] last = {OptionalDouble.empty()};
        try {
            Await.until("%s is %s".formatted(expression, expected), () -> {
                last[0] = prometheus.value(expression);
                return last[0].isPresent() && last[0].getAsDouble() == expected;
            });
        }
        catch (AssertionError e) {
            throw new AssertionError("%s; last: %s".formatted(e.getMessage(), last[0]), e);
        }
    }

    private int rows(String sql)
    {
        try (Connection connection = DriverManager.getConnection("jdbc:trino://127.0.0.1:%s?user=test".formatted(port));
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int rows = 0;
            while (result.next()) {
                rows++;
            }
            return rows;
        }
        catch (SQLException e) {
            throw new AssertionError("Failed: " + sql, e);
        }
    }

    // Empty if there is no answer.
    private static String page(int port)
    {
        try {
            return TrinoPage.read(URI.create("http://127.0.0.1:%d/metrics".formatted(port)));
        }
        catch (IOException e) {
            return "";
        }
    }

    private static void close(AutoCloseable process)
    {
        try {
            if (process != null) {
                process.close();
            }
        }
        catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    // The replica is the same server by another name.
    private Map<String, List<String>> catalogs()
    {
        List<String> replicated = ImmutableList.<String>builder().addAll(catalog()).add("replica-hosts=localhost:" + mysql.port()).build();
        return Map.of("mysql_pq", catalog(), "replicated", replicated);
    }

    private List<String> catalog()
    {
        return List.of(
                "connector.name=mysql_pq",
                "connection-url=%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(mysql.jdbcUrl()),
                "connection-user=root",
                "connection-password=",
                "extension-probe-ttl=0s",
                "target-rows-per-split=5000");
    }
}
