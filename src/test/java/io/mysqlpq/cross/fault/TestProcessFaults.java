package io.mysqlpq.cross.fault;

import io.mysqlpq.cross.Leftovers;
import io.mysqlpq.cross.MysqlRows;
import io.mysqlpq.cross.TrinoProcess;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.FreePort;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import static com.google.common.util.concurrent.MoreExecutors.directExecutor;
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
    @AutoClose
    private final FaultyProxy proxy = new FaultyProxy(mysql.port());
    private int port;
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
    {
        port = FreePort.find();
        // Trino itself decides when a worker is given up.
        coordinator = process("coordinator", port, "coordinator=true", "node-scheduler.include-coordinator=false", "query.remote-task.max-error-duration=5s");
        worker = process("worker", FreePort.find(), "coordinator=false", "task.client.timeout=5s");
        coordinator.awaitStarted();
        worker.awaitStarted();
    }

    @AfterEach
    void stop()
    {
        proxy.disarm();
        Stream.of(worker, coordinator).filter(Objects::nonNull).forEach(TrinoProcess::close);
        Await.until("no session is left of processes that are gone", Leftovers.LIMIT, () -> Leftovers.sessions(mysql) == 0);
    }

    @Test
    void testKilledWorker()
    {
        CompletableFuture<Integer> query = startAndHold();
        worker.close();
        assertThatThrownBy(query::join).hasMessageMatching("(?s).*(worker node|Node|nodes).*");
        Leftovers.assertNone(mysql);
        Fault.WORKER_KILLED.tried(false);
    }

    @Test
    void testKilledCoordinator()
    {
        CompletableFuture<Integer> query = startAndHold();
        assertThat(MysqlRows.read(mysql, "SELECT connection_id FROM information_schema.mysql_pq_snapshots")).hasSize(1);
        coordinator.close();
        assertThatThrownBy(query::join).hasRootCauseInstanceOf(IOException.class);
        Leftovers.assertNone(mysql);
        Fault.COORDINATOR_KILLED.tried(false);
    }

    private CompletableFuture<Integer> startAndHold()
    {
        proxy.arm(new NetworkFault.Stall(BaseFaultTest.HELD), BaseFaultTest.BYTES_BEFORE_ROWS_END, BaseFaultTest.ALL);
        CompletableFuture<Integer> query = Background.supply(() -> count("SELECT k, v, filler FROM mysql_pq.s.t"));
        Await.until("rows are held", () -> proxy.struck() > 0);
        return query;
    }

    // The client gives up a coordinator that is gone.
    private int count(String sql)
    {
        try (Connection connection = DriverManager.getConnection("jdbc:trino://127.0.0.1:%s?user=test".formatted(port))) {
            connection.setNetworkTimeout(directExecutor(), Math.toIntExact(Duration.ofSeconds(10).toMillis()));
            try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
                int rows = 0;
                while (result.next()) {
                    rows++;
                }
                return rows;
            }
        }
        catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private TrinoProcess process(String name, int httpPort, String... configuration)
    {
        List<String> lines = new ArrayList<>(List.of(configuration));
        lines.add("node.id=" + name);
        lines.add("discovery.uri=http://127.0.0.1:" + port);
        return new TrinoProcess(folder.resolve(name), httpPort, lines, List.of(
                "connector.name=mysql_pq",
                "connection-url=%s?sslMode=DISABLED&allowPublicKeyRetrieval=true".formatted(proxy.jdbcUrl()),
                "connection-user=root",
                "connection-password=",
                "range-source=EXTENSION",
                "snapshot-session-timeout=10s",
                "target-rows-per-split=" + ReadPath.ROWS_PER_RANGE));
    }
}
