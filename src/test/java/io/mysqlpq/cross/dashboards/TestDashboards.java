package io.mysqlpq.cross.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.testing.Sql;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests that Superset imports the dashboards, that their charts show what MySQL has, and that a browser draws them.
 */
@TestMethodOrder(OrderAnnotation.class)
class TestDashboards
        extends BaseDashboardTest
{
    TestDashboards()
    {
        super(Map.of());
    }

    private static final int WIDTH = 1400;
    private static final List<String> OPERATIONS = List.of(
            "Counters of the extension", "Fallbacks", "Last queries", "Oldest snapshot", "Queries by server", "Rows read natively", "Rows per second", "Scans running", "Shared and kept reads", "Snapshot ages", "Snapshots held", "Splits", "Where queries waited");

    @Test
    void testAllChartsAreImported()
            throws IOException, InterruptedException
    {
        assertThat(superset.charts()).containsOnlyKeys(Stream.concat(BusinessCharts.IN_MYSQL.keySet().stream(), OPERATIONS.stream()).toList());
    }

    @Test
    void testBusinessChartsShowWhatMysqlHas()
            throws IOException, InterruptedException
    {
        Map<String, Integer> charts = superset.charts();
        for (Map.Entry<String, String> chart : BusinessCharts.IN_MYSQL.entrySet()) {
            ChartRows shown = ChartRows.of(superset.chartRows(charts.get(chart.getKey())));
            assertThat(shown.rows()).as(chart.getKey()).isNotEmpty().isEqualTo(ChartRows.inMysql(mysql(), chart.getValue()).rows());
        }
    }

    @Test
    void testOperationsChartsShowWhatMysqlCounts()
            throws IOException, InterruptedException, SQLException
    {
        Map<String, Integer> charts = superset.charts();
        try (Connection _ = heldSnapshot()) {
            assertThat(mysql().values("SELECT state FROM information_schema.MYSQL_PQ_SNAPSHOTS WHERE age >= 0")).contains("OPEN");
            long before = mysql().status("mysql_pq_scan_rows_read");
            long shown = number(superset.chartRows(charts.get("Rows read natively")));
            assertThat(shown).isBetween(before, mysql().status("mysql_pq_scan_rows_read")).isPositive();
            assertThat(number(superset.chartRows(charts.get("Snapshots held")))).isPositive();
            assertThat(superset.chartRows(charts.get("Snapshot ages"))).extracting(row -> row.path("owner").asText()).contains("root@localhost");
        }
        assertThat(superset.chartRows(charts.get("Counters of the extension"))).extracting(row -> row.path("name").asText())
                .containsExactlyInAnyOrderElementsOf(mysql().values("SELECT SUBSTRING(variable_name, 10) FROM performance_schema.global_status WHERE LEFT(variable_name, 9) = 'mysql_pq_'"));
        assertThat(superset.chartRows(charts.get("Queries by server"))).extracting(row -> row.path("server").asText(), row -> row.path("attribute").asText())
                .containsExactlyInAnyOrder(tuple("connection-url", "Running"), tuple("connection-url", "LeftOut"), tuple("connection-url", "Spread"), tuple("connection-url", "NotSpread"));
        assertThat(superset.chartRows(charts.get("Fallbacks"))).extracting(row -> row.path("attribute").asText()).contains("NotInstalledCount", "DisabledCount").doesNotHaveDuplicates();
        assertThat(superset.chartRows(charts.get("Last queries"))).anyMatch(row -> row.path("statement").asText().contains("lineitem") && row.path("input_rows").asLong() > 0);
    }

    // Two queries of a group read the same. Two others read it in snapshots of their own, in which it has not changed.
    @Test
    void testChartOfSharedAndKeptReads()
            throws IOException, InterruptedException, SQLException
    {
        Map<String, Long> before = sharedAndKeptReads();
        try (Connection connection = cluster.connect()) {
            // The counters are the coordinator's, which reads some of so many ranges.
            Sql.execute(connection, "SET SESSION mysql_pq.target_rows_per_split = 1000");
            for (String setting : List.of("SET SESSION mysql_pq.snapshot_group = 'of a test'", "RESET SESSION mysql_pq.snapshot_group")) {
                Sql.execute(connection, setting);
                for (int i = 0; i < 2; i++) {
                    Sql.value(connection, "SELECT sum(l_tax) FROM mysql_pq.tpch.lineitem WHERE l_linenumber = 3 AND rand() >= 0");
                }
            }
        }
        Map<String, Long> after = sharedAndKeptReads();
        assertThat(after).containsOnlyKeys("ReadByOtherQuery", "Unchanged", "Kept", "TooLarge", "NoRoom", "Displaced");
        assertThat(after.get("ReadByOtherQuery")).isGreaterThan(before.get("ReadByOtherQuery"));
        assertThat(after.get("Unchanged")).isGreaterThan(before.get("Unchanged"));
        assertThat(after.get("Kept")).isGreaterThan(before.get("Kept"));
    }

    // Fails if the chart has a counter twice, as it would of two types.
    private Map<String, Long> sharedAndKeptReads()
            throws IOException, InterruptedException
    {
        List<JsonNode> rows = superset.chartRows(superset.charts().get("Shared and kept reads"));
        assertThat(rows).extracting(row -> row.path("server").asText()).containsOnly("connection-url");
        return rows.stream().collect(toMap(row -> row.path("attribute").asText(), row -> row.path("value").asLong()));
    }

    @Test
    void testSqlLab()
            throws IOException, InterruptedException
    {
        JsonNode answer = superset.sqlLab("SELECT n_name, count(*) FROM mysql_pq.tpch.customer JOIN mysql_pq.tpch.nation ON c_nationkey = n_nationkey GROUP BY n_name");
        assertThat(ChartRows.of(answer.path("data").valueStream().toList()))
                .isEqualTo(ChartRows.inMysql(mysql(), "SELECT n_name, COUNT(*) FROM tpch.customer JOIN tpch.nation ON c_nationkey = n_nationkey GROUP BY n_name"));
    }

    // Last, for queries that share a snapshot of before its DDL would fail.
    @Test
    @Order(Integer.MAX_VALUE)
    void testBrowserDrawsAllCharts(@TempDir Path folder)
            throws IOException, InterruptedException, SQLException
    {
        try (Chromium chromium = new Chromium(folder.resolve("chromium")); ChromiumPage page = loggedIn(chromium)) {
            RenderedDashboard business = shown(page, "business", BusinessCharts.IN_MYSQL.size(), 2650);
            assertThat(business.bare()).isEmpty();
            assertThat(business.errors()).isEmpty();
            try (Connection _ = heldSnapshot()) {
                RenderedDashboard operations = shown(page, "operations", OPERATIONS.size(), 1660);
                assertThat(operations.bare()).isEmpty();
                assertThat(operations.errors()).isEmpty();
            }
            // Whether a chart that fails would be seen.
            mysql().execute("RENAME TABLE tpch.nation TO tpch.nation_elsewhere");
            RenderedDashboard broken = shown(page, "business", BusinessCharts.IN_MYSQL.size(), 2650);
            mysql().execute("RENAME TABLE tpch.nation_elsewhere TO tpch.nation");
            assertThat(broken.bare()).contains("Order value by nation", "Largest orders").doesNotContain("Revenue by month");
        }
    }

    private ChromiumPage loggedIn(Chromium chromium)
            throws IOException, InterruptedException
    {
        ChromiumPage page = chromium.open();
        page.cookie(superset.url(), "session", superset.session());
        return page;
    }

    // The picture is kept beside the reports, for the docs.
    private RenderedDashboard shown(ChromiumPage page, String dashboard, int charts, int height)
            throws IOException
    {
        page.size(WIDTH, height);
        RenderedDashboard rendered = RenderedDashboard.await(page, superset.url() + "/superset/dashboard/mysql-pq-%s/".formatted(dashboard), charts);
        if (rendered.bare().isEmpty()) {
            Files.write(Files.createDirectories(Path.of("target/dashboards")).resolve("superset-%s.png".formatted(dashboard)), page.stillScreenshot());
        }
        return rendered;
    }

    // A read-only transaction holds its snapshot from its first read on.
    private Connection heldSnapshot()
            throws SQLException
    {
        Connection connection = cluster.connect();
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
        Sql.value(connection, "SELECT sum(l_tax) FROM mysql_pq.tpch.lineitem WHERE rand() >= 0");
        return connection;
    }

    private static long number(List<JsonNode> rows)
    {
        assertThat(rows).hasSize(1);
        return rows.getFirst().valueStream().findFirst().orElseThrow().asLong();
    }
}
