package io.mysqlpq.cross;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.MysqlServer;
import io.trino.jdbc.TrinoResultSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a coordinator and a worker, each a process of its own, both read ranges of one table.
 */
@TestInstance(PER_CLASS)
class TestTwoProcesses
{
    private static final int ROWS = 200_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
    private int port;
    private TrinoProcess coordinator;
    private TrinoProcess worker;

    @BeforeAll
    void start(@TempDir Path folder)
    {
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v VARCHAR(1000))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, REPEAT('x', 200) FROM s".formatted(ROWS));
        port = FreePort.find();
        String discovery = "discovery.uri=http://127.0.0.1:" + port;
        coordinator = new TrinoProcess(
                folder.resolve("coordinator"),
                port,
                List.of("coordinator=true", "node-scheduler.include-coordinator=true", "node.id=first", discovery),
                catalog());
        worker = new TrinoProcess(folder.resolve("worker"), FreePort.find(), List.of("coordinator=false", "node.id=second", discovery), catalog());
        coordinator.awaitStarted();
        worker.awaitStarted();
        Await.until("the coordinator knows both nodes", Duration.ofSeconds(60), () -> query("SELECT node_id FROM system.runtime.nodes WHERE state = 'active'").rows() == 2);
    }

    @AfterAll
    void stop()
    {
        if (worker != null) {
            worker.close();
        }
        if (coordinator != null) {
            coordinator.close();
        }
        mysql.assertErrorLogClean();
    }

    @Test
    void testBothNodesRead()
    {
        Answer scan = query("SELECT k, v FROM mysql_pq.s.t");
        assertThat(scan.rows()).isEqualTo(ROWS);
        Map<String, Long> splitsByNode = splitsByNode(scan.queryId());
        System.out.println("Splits read by node: " + splitsByNode);
        assertThat(splitsByNode).containsOnlyKeys("first", "second");
        assertThat(splitsByNode.values().stream().mapToLong(Long::longValue).sum()).isGreaterThan(8);
    }

    private record Answer(String queryId, int rows)
    {}

    private Answer query(String sql)
    {
        try (Connection connection = DriverManager.getConnection("jdbc:trino://127.0.0.1:%s?user=test".formatted(port));
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int rows = 0;
            while (result.next()) {
                rows++;
            }
            return new Answer(result.unwrap(TrinoResultSet.class).getQueryId(), rows);
        }
        catch (SQLException e) {
            throw new AssertionError("Failed: " + sql, e);
        }
    }

    private Map<String, Long> splitsByNode(String queryId)
    {
        Map<String, Long> splits = new TreeMap<>();
        for (JsonNode operator : queryInformation(queryId).at("/queryStats/operatorSummaries")) {
            operator.path("connectorMetrics").properties().forEach(metric -> {
                if (metric.getKey().startsWith("splitsReadByNode.")) {
                    splits.merge(metric.getKey().substring("splitsReadByNode.".length()), metric.getValue().path("total").asLong(), Long::sum);
                }
            });
        }
        return splits;
    }

    private JsonNode queryInformation(String queryId)
    {
        try {
            return JSON.readTree(coordinator.get("/v1/query/" + queryId));
        }
        catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> catalog()
    {
        return List.of(
                "connector.name=mysql_pq",
                "connection-url=%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(mysql.jdbcUrl()),
                "connection-user=root",
                "connection-password=",
                "range-source=EXTENSION",
                "target-rows-per-split=5000");
    }
}
