package io.mysqlpq.containers;

import com.fasterxml.jackson.databind.JsonNode;
import io.mysqlpq.cross.dashboards.BusinessCharts;
import io.mysqlpq.cross.dashboards.SupersetClient;
import io.mysqlpq.cross.running.QueryInformation;
import io.trino.jdbc.TrinoResultSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import static io.mysqlpq.containers.ContainerDaemon.docker;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the compose file as a user starts it: one command to MySQL with TPC-H, a Trino of three nodes, and dashboards.
 */
@TestInstance(PER_CLASS)
class TestCompose
{
    private ComposeProject project;

    @BeforeAll
    void up()
    {
        ContainerDaemon.require();
        project = ComposeProject.up();
    }

    @AfterAll
    void down()
    {
        if (project != null) {
            project.down();
        }
    }

    @Test
    void testAllContainersAreHealthy()
    {
        assertThat(project.containers()).hasSize(6)
                .allSatisfy(container -> assertThat(docker("inspect", "--format", "{{.State.Health.Status}}", container)).isEqualTo("healthy"));
    }

    @Test
    void testNoProcessRunsAsRoot()
    {
        for (String container : project.containers()) {
            List<String> users = docker("top", container, "-eo", "uid,pid").lines().skip(1).map(line -> line.strip().replaceFirst(" .*", "")).toList();
            assertThat(users).isNotEmpty().doesNotContain("0");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"region", "nation", "supplier", "customer", "part", "partsupp", "orders", "lineitem"})
    void testTableHasAllRows(String table)
            throws SQLException
    {
        List<String> rows = project.mysql("SELECT count(*) FROM " + table);
        assertThat(rows).isNotEqualTo(List.of("0")).isEqualTo(trino("SELECT count(*) FROM mysql_pq.tpch." + table));
    }

    @ParameterizedTest
    @ValueSource(strings = {"q03", "q05", "q06", "q12"})
    void testQueryHasSameAnswerInMysqlAndTrino(String query)
            throws SQLException, IOException
    {
        String sql = resource("/tpch/" + query + ".sql");
        List<String> rows = project.mysql(sql.replaceAll("INTERVAL '1' YEAR", "INTERVAL 1 YEAR"));
        assertThat(rows).isNotEmpty().isEqualTo(trino(sql));
    }

    @Test
    void testBothWorkersReadRangesOfOneTable()
            throws SQLException
    {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute("SET SESSION mysql_pq.target_rows_per_split = 2000");
            String query = readToEnd(statement, "SELECT l_orderkey, l_comment FROM lineitem");
            assertThat(new QueryInformation(project.port("trino", 8080)).rangesOf(query).count()).isGreaterThan(4);
            assertThat(rows(statement, """
                    SELECT DISTINCT node_id FROM system.runtime.tasks
                    WHERE query_id = '%s' AND physical_input_bytes > 0 ORDER BY 1""".formatted(query)))
                    .containsExactly("worker-1", "worker-2");
        }
    }

    @Test
    void testDashboardsShowData()
            throws IOException, InterruptedException
    {
        SupersetClient superset = new SupersetClient("http://127.0.0.1:" + project.port("superset", 8088), password("superset", "superset/password"));
        Map<String, Integer> charts = superset.charts();
        assertThat(charts).containsKeys("Snapshots held", "Counters of the extension").hasSizeGreaterThan(BusinessCharts.IN_MYSQL.size());
        for (Map.Entry<String, Integer> chart : charts.entrySet()) {
            List<JsonNode> rows = superset.chartRows(chart.getValue());
            String sql = BusinessCharts.IN_MYSQL.get(chart.getKey());
            if (sql != null) {
                assertThat(rows).as(chart.getKey()).isNotEmpty().hasSameSizeAs(project.mysql(sql));
            }
        }
    }

    @Test
    void testPasswordsAreInNoImageAndNoContainersSettings()
    {
        List<String> passwords = List.of(password("mysql", "root/password"), password("mysql", "trino/password"), password("superset", "superset/password"), password("superset", "superset/key"));
        assertThat(passwords).doesNotHaveDuplicates().allMatch(password -> password.length() >= 20);
        for (String container : project.containers()) {
            String image = docker("inspect", "--format", "{{.Image}}", container);
            assertThat(docker("inspect", container)).doesNotContain(passwords);
            assertThat(docker("history", "--no-trunc", image) + docker("image", "inspect", image))
                    .doesNotContain(passwords)
                    .doesNotContainPattern("PASSWORD=");
        }
    }

    // Who needs none of the others' passwords cannot see them.
    @Test
    void testEachContainerHasItsPasswordsOnly()
    {
        assertThat(project.run("exec", "-T", "superset", "ls", "/run/passwords")).isEqualTo("superset");
        assertThat(project.run("exec", "-T", "mysql", "ls", "/run/passwords").lines()).containsExactly("root", "trino");
        assertThat(project.run("exec", "-T", "worker-1", "find", "/run/passwords", "-type", "f")).isEqualTo("/run/passwords/trino/password");
        assertThat(project.run("exec", "-T", "superset", "sh", "-c", "cat /proc/[0-9]*/environ | tr '\\0' '\\n'")).doesNotContain(password("superset", "superset/password"));
    }

    private String password(String service, String file)
    {
        return project.run("exec", "-T", service, "cat", "/run/passwords/" + file);
    }

    private Connection connect()
            throws SQLException
    {
        return DriverManager.getConnection("jdbc:trino://127.0.0.1:%d/mysql_pq/tpch".formatted(project.port("trino", 8080)), "test", null);
    }

    private List<String> trino(String sql)
            throws SQLException
    {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            return rows(statement, sql);
        }
    }

    private static String readToEnd(Statement statement, String sql)
            throws SQLException
    {
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {}
            return result.unwrap(TrinoResultSet.class).getQueryId();
        }
    }

    private static List<String> rows(Statement statement, String sql)
            throws SQLException
    {
        List<String> rows = new ArrayList<>();
        try (ResultSet result = statement.executeQuery(sql)) {
            while (result.next()) {
                StringJoiner row = new StringJoiner("\t");
                for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
                    row.add(result.getString(column));
                }
                rows.add(row.toString());
            }
        }
        return rows;
    }

    private static String resource(String name)
            throws IOException
    {
        try (InputStream content = TestCompose.class.getResourceAsStream(name)) {
            return new String(content.readAllBytes(), UTF_8);
        }
    }
}
