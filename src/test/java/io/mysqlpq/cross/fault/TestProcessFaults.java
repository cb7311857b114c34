package io.mysqlpq.cross.fault;

import io.mysqlpq.cross.Leftovers;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.cross.TrinoProcess;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Kills a Trino process while its worker reads rows: nothing of the query may stay in MySQL. */
@TestInstance(PER_CLASS)
class TestProcessFaults
{
    @TempDir
    private Path folder;

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
    private final FaultyProxy proxy = new FaultyProxy(mysql.port());
    private int port;
    private int starts;
    private TrinoProcess coordinator;
    private TrinoProcess worker;

    @BeforeAll
    void createTable()
    {
        Leftovers.installRegistryTable(mysql);
        ReadPath.createTable(mysql, 1);
    }

    @BeforeEach
    void start()
            throws IOException
    {
        if (coordinator == null) {
            port = freePort();
            // Trino itself decides when a worker is given up.
            coordinator = process(port, "coordinator=true", "node-scheduler.include-coordinator=false", "query.remote-task.max-error-duration=5s");
        }
        if (worker == null) {
            worker = process(freePort(), "coordinator=false", "task.client.timeout=5s");
        }
        coordinator.awaitStarted();
        worker.awaitStarted();
        Await.until("the coordinator knows its worker", Duration.ofSeconds(60), () -> count("SELECT node_id FROM system.runtime.nodes WHERE state = 'active' AND NOT coordinator") == 1);
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
        proxy.close();
    }

    @Test
    void testKilledWorker()
    {
        CompletableFuture<Integer> query = startAndHold();
        worker.close();
        worker = null;
        assertThatThrownBy(query::join).hasMessageMatching("(?s).*(worker node|Node|nodes).*");
        Leftovers.assertNone(mysql);
        proxy.disarm();
        Leftovers.assertNone(mysql);
    }

    @Test
    void testKilledCoordinator()
    {
        CompletableFuture<Integer> query = startAndHold();
        assertThat(MysqlRows.read(mysql, "SELECT connection_id FROM information_schema.mysql_pq_snapshots")).hasSize(1);
        coordinator.close();
        coordinator = null;
        proxy.disarm();
        assertThatThrownBy(query::join).hasMessageContaining("Error executing query");
        Leftovers.assertNone(mysql);
        worker.close();
        worker = null;
    }

    private CompletableFuture<Integer> startAndHold()
    {
        proxy.arm(new NetworkFault.Stall(BaseFaultTest.HELD), BaseFaultTest.MID_ROWS, BaseFaultTest.ALL);
        CompletableFuture<Integer> query = Background.supply(() -> count("SELECT k, v, filler FROM mysql_pq.s.t"));
        Await.until("rows are held", () -> proxy.struck() > 0);
        return query;
    }

    private int count(String sql)
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
            throw new IllegalStateException(e);
        }
    }

    private TrinoProcess process(int port, String... configuration)
    {
        starts++;
        List<String> lines = new ArrayList<>(List.of(configuration));
        lines.add("node.id=node" + starts);
        lines.add("discovery.uri=http://127.0.0.1:" + this.port);
        return new TrinoProcess(folder.resolve("trino" + starts), port, lines, List.of(
                "connector.name=mysql_pq",
                "connection-url=%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(proxy.jdbcUrl()),
                "connection-user=root",
                "connection-password=",
                "range-source=EXTENSION",
                "snapshot-session-timeout=10s",
                "target-rows-per-split=" + ReadPath.ROWS_PER_RANGE));
    }

    private static int freePort()
            throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
