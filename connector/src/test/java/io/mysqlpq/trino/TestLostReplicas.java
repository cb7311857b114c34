package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Replication;
import io.trino.plugin.exchange.filesystem.FileSystemExchangePlugin;
import io.trino.testing.DistributedQueryRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NO_REPLICA;
import static io.trino.testing.TestingSession.testSessionBuilder;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/** Kills replicas of a catalog. */
class TestLostReplicas
{
    private static final String COUNT = "SELECT count(*) FROM test.t";
    // More than the sockets hold, so that its reading can be seen.
    private static final long ACCOUNTS = 12_000;

    @TempDir
    private Path exchangeFolder;

    private Replication servers;

    @BeforeEach
    void start()
    {
        servers = new Replication(2);
        servers.source().execute("CREATE DATABASE test", "CREATE TABLE test.t (id INT PRIMARY KEY)", "INSERT INTO test.t VALUES (1), (2), (3)");
        servers.await();
    }

    @AfterEach
    void stop()
    {
        servers.close();
    }

    private TestingTrino trino(Map<String, String> properties)
            throws Exception
    {
        return new TestingTrino(servers.source(), ImmutableMap.<String, String>builder()
                .put("replica-hosts", servers.replicas().stream().map(TestLostReplicas::address).collect(joining(",")))
                .put("throttle-poll-interval", "10ms")
                .putAll(properties)
                .buildKeepingLast());
    }

    /** The next queries read from the other one, and from the primary only where the catalog says so. */
    @Test
    void testKilledReplicas()
            throws Exception
    {
        try (TestingTrino trino = trino(ImmutableMap.of()); TestingTrino alsoPrimary = trino(ImmutableMap.of("read-from-primary", "true"))) {
            assertThat(trino.execute(COUNT).getOnlyValue()).isEqualTo(3L);
            servers.replica(0).kill();
            for (int i = 0; i < 5; i++) {
                assertThat(trino.execute(COUNT).getOnlyValue()).isEqualTo(3L);
            }
            // The others are examined all the same.
            assertThat(trino.execute("SELECT check_name, status, server FROM TABLE(mysql_pq.system.doctor()) WHERE check_name IN ('connection', 'extension')").getMaterializedRows().stream().map(row -> row.getFields().toString()))
                    .containsExactlyInAnyOrder("[extension, ok, %s]".formatted(address(servers.source())), "[connection, problem, %s]".formatted(address(servers.replica(0))), "[extension, ok, %s]".formatted(address(servers.replica(1))));
            assertThat(trino.execute("SELECT * FROM TABLE(mysql_pq.system.running_scans())").getRowCount()).isZero();
            servers.replica(1).kill();
            assertTrinoExceptionThrownBy(() -> trino.execute(COUNT))
                    .hasErrorCode(MYSQL_PQ_NO_REPLICA)
                    .hasMessageContaining("No replica can be read now")
                    .hasMessageContaining(":%s (".formatted(servers.replica(0).port()))
                    .hasMessageContaining(":%s (".formatted(servers.replica(1).port()))
                    .hasMessageContaining("read-from-primary");
            assertThat(alsoPrimary.execute(COUNT).getOnlyValue()).isEqualTo(3L);
            // What reads no rows of a replica needs none.
            trino.execute("INSERT INTO test.t VALUES (4)");
            trino.execute("CREATE TABLE test.u (id INT)");
            assertThat(trino.execute("SHOW TABLES FROM test").getOnlyColumnAsSet()).containsExactlyInAnyOrder("t", "u");
            assertThat(trino.execute("UPDATE test.t SET id = id + 10 WHERE id % 2 = 0").getUpdateCount()).hasValue(2);
            assertThat(servers.source().values("SELECT id FROM test.t ORDER BY id")).containsExactly("1", "3", "12", "14");
            MysqlServer back = servers.replica(0);
            back.restart();
            Await.until("the replica is read again", () -> reads(trino));
        }
    }

    @Test
    void testLostPrimary()
            throws Exception
    {
        try (TestingTrino trino = trino(ImmutableMap.of("connection-wait-timeout", "1s", "mysql.auto-reconnect", "false"))) {
            assertThat(trino.execute(COUNT).getOnlyValue()).isEqualTo(3L);
            servers.source().kill();
            assertThat(trino.execute(COUNT).getOnlyValue()).isEqualTo(3L);
            assertTrinoExceptionThrownBy(() -> trino.execute("INSERT INTO test.t VALUES (4)")).hasMessageContaining("Communications link failure");
            assertThat(trino.execute(COUNT).getOnlyValue()).isEqualTo(3L);
        }
    }

    private static String address(MysqlServer server)
    {
        return "127.0.0.1:%s".formatted(server.port());
    }

    /** Trino runs the query again, and all of it reads from the other replica then. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void testQueryRunsAgainElsewhere(int replicasPerQuery)
            throws Exception
    {
        servers.source().execute(
                "SET SESSION cte_max_recursion_depth = 100000",
                "CREATE TABLE test.accounts (id BIGINT PRIMARY KEY, amount BIGINT NOT NULL, filler VARCHAR(3000) NOT NULL)",
                "INSERT INTO test.accounts WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n, 100, REPEAT('x', 3000) FROM s".formatted(ACCOUNTS),
                "ANALYZE TABLE test.accounts");
        servers.readOnly();
        try (DistributedQueryRunner trino = retryingTrino(replicasPerQuery)) {
            CompletableFuture<Void> killer = Background.run(this::killReplicaThatIsRead);
            var result = trino.executeWithPlan(trino.getDefaultSession(), "SELECT sum(a.amount), sum(b.amount), count(*), min(length(a.filler)) FROM accounts a JOIN accounts b ON a.id = b.id");
            assertThat(result.result().getMaterializedRows().getFirst().getFields()).containsExactly(100L * ACCOUNTS, 100L * ACCOUNTS, ACCOUNTS, 3000L);
            killer.join();
            assertThat(servers.replicas().stream().filter(MysqlServer::isAlive)).hasSize(1);
            assertThat(trino.getCoordinator().getFullQueryInfo(result.queryId()).getQueryStats().getFailedTasks()).isPositive();
            assertThat((double) trino.execute("SELECT sum(value) FROM TABLE(mysql_pq.system.counters()) WHERE type = 'RoutedQueries' AND attribute = 'Spread'").getOnlyValue()).isEqualTo(replicasPerQuery - 1);
        }
    }

    private DistributedQueryRunner retryingTrino(int replicasPerQuery)
            throws Exception
    {
        DistributedQueryRunner trino = DistributedQueryRunner.builder(testSessionBuilder().setCatalog("mysql_pq").setSchema("test").build())
                .setWorkerCount(1)
                .setExtraProperties(ImmutableMap.of("retry-policy", "QUERY", "retry-initial-delay", "1s", "query-retry-attempts", "20"))
                .setAdditionalSetup(runner -> {
                    runner.installPlugin(new FileSystemExchangePlugin());
                    runner.loadExchangeManager("filesystem", ImmutableMap.of("exchange.base-directories", exchangeFolder.toString()));
                })
                .build();
        trino.installPlugin(new MysqlPqPlugin());
        trino.createCatalog("mysql_pq", "mysql_pq", ImmutableMap.<String, String>builder()
                .put("connection-url", servers.source().jdbcUrl() + "?sslMode=DISABLED&allowPublicKeyRetrieval=true&tcpRcvBuf=65536")
                .put("connection-user", "root")
                .put("replica-hosts", servers.replicas().stream().map(TestLostReplicas::address).collect(joining(",")))
                .put("throttle-poll-interval", "10ms")
                .put("snapshot-mode", "EXACT")
                .put("native-aggregation-enabled", "false")
                .put("target-rows-per-split", "1000")
                .put("replicas-per-query", String.valueOf(replicasPerQuery))
                .buildOrThrow());
        return trino;
    }

    private void killReplicaThatIsRead()
    {
        Await.until("a replica is read", () -> servers.replicas().stream().anyMatch(TestLostReplicas::isRead));
        servers.replicas().stream().filter(TestLostReplicas::isRead).findFirst().ifPresent(MysqlServer::kill);
    }

    private static boolean isRead(MysqlServer server)
    {
        return !server.values("SELECT id FROM information_schema.processlist WHERE info LIKE '%*/ SELECT mysql\\_pq\\_scan(%accounts%' AND id <> CONNECTION_ID()").isEmpty();
    }

    private static boolean reads(TestingTrino trino)
    {
        try {
            return trino.execute(COUNT).getOnlyValue().equals(4L);
        }
        catch (RuntimeException _) {
            return false;
        }
    }
}
