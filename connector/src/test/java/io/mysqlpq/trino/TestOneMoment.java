package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Replication;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import static io.mysqlpq.trino.metrics.PlanningMetrics.SERVERS_READ;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that one query reads from several replicas, where these show the same moment. */
@TestInstance(PER_CLASS)
class TestOneMoment
{
    private static final int ROWS = 40_000;

    private Replication servers;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        servers = new Replication(3);
        servers.source().execute(
                "SET GLOBAL cte_max_recursion_depth = 1000000",
                "CREATE SCHEMA test",
                "CREATE TABLE test.t (k INT PRIMARY KEY, w INT, v VARCHAR(100))",
                "INSERT INTO test.t WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < %d) SELECT n, n, REPEAT(n, 10) FROM r".formatted(ROWS),
                "CREATE TABLE test.keyless (w INT)",
                "INSERT INTO test.keyless SELECT w FROM test.t");
        servers.readOnly();
        trino = new TestingTrino(servers.source(), ImmutableMap.<String, String>builder()
                .put("replica-hosts", servers.replicas().stream().map(server -> "127.0.0.1:" + server.port()).collect(joining(",")))
                .put("throttle-poll-interval", "10ms")
                .put("target-rows-per-split", "2000")
                .put("parallel-min-rows", "1000")
                .buildOrThrow());
    }

    @BeforeEach
    void awaitReplication()
    {
        servers.await();
    }

    @AfterAll
    void stop()
    {
        trino.close();
        servers.close();
    }

    @Test
    void testEachReplicaReadsSome()
    {
        awaitServersRead(3);
        List<Long> before = rowsRead();
        MaterializedResultWithPlan result = trino.executeWithPlan(spread(3), "SELECT k, w, v FROM test.t");
        assertThat(serversRead(result)).isEqualTo(3);
        assertThat(rows(result)).containsExactlyInAnyOrderElementsOf(servers.source().values("SELECT CONCAT_WS(':', k, w, v) FROM test.t"));
        List<Long> after = rowsRead();
        for (int i = 0; i < 3; i++) {
            assertThat(after.get(i) - before.get(i)).as("rows that replica %s has read", i).isBetween(ROWS / 6L, ROWS / 2L);
        }
    }

    @Test
    void testNoMoreServersThanWanted()
    {
        awaitServersRead(3);
        assertThat(serversRead(spread(2))).isEqualTo(2);
        assertThat(serversRead(spread(64))).isEqualTo(3);
        assertThat(serversRead(spread(1))).isEqualTo(1);
        assertTrinoExceptionThrownBy(() -> trino.execute(spread(0), "SELECT k FROM test.t"))
                .hasMessageContaining("replicas_per_query must be between 1 and 64: 0");
    }

    /** Its rows have ids that each server has given them by itself. */
    @Test
    void testTableWithoutKey()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(spread(3), "SELECT w FROM test.keyless");
        assertThat(serversRead(result)).isEqualTo(1);
        assertThat(rows(result)).containsExactlyInAnyOrderElementsOf(servers.source().values("SELECT w FROM test.t"));
    }

    /** Each transaction adds the next row, so that each moment has all rows up to one. */
    @Test
    void testOneMomentWhileRowsAreWritten()
    {
        servers.source().execute("CREATE TABLE test.counted (k INT PRIMARY KEY, v VARCHAR(100))", "INSERT INTO test.counted SELECT k, v FROM test.t");
        servers.await();
        AtomicBoolean stopped = new AtomicBoolean();
        CompletableFuture<Void> writer = Background.run(() -> count(stopped));
        try {
            long spread = trino.counter("RoutedQueries", "Spread");
            long last = ROWS;
            for (int query = 0; query < 40; query++) {
                MaterializedResultWithPlan result = trino.executeWithPlan(spread(2 + query % 2), "SELECT k FROM test.counted");
                List<Integer> keys = result.result().getMaterializedRows().stream().map(row -> (int) row.getField(0)).sorted().toList();
                assertThat(keys).isEqualTo(IntStream.rangeClosed(1, keys.size()).boxed().toList());
                assertThat(keys.size()).isGreaterThanOrEqualTo(ROWS);
                last = Math.max(last, keys.size());
            }
            assertThat(last).as("rows seen").isGreaterThan(ROWS);
            assertThat(trino.counter("RoutedQueries", "Spread") - spread).as("queries that read from several replicas").isGreaterThan(5);
        }
        finally {
            stopped.set(true);
            writer.join();
        }
    }

    private void count(AtomicBoolean stopped)
    {
        try (Connection connection = servers.source().connect(); Statement statement = connection.createStatement()) {
            for (int next = ROWS + 1; !stopped.get(); next++) {
                statement.execute("INSERT INTO test.counted VALUES (%d, 'new')".formatted(next));
                Thread.sleep(5);
            }
        }
        catch (SQLException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Replicas that may have other rows than their source are not read together with others. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SET GLOBAL super_read_only = OFF | SET GLOBAL super_read_only = ON
            SET GLOBAL replica_exec_mode = IDEMPOTENT | SET GLOBAL replica_exec_mode = STRICT
            STOP REPLICA SQL_THREAD; CHANGE REPLICATION SOURCE TO REQUIRE_TABLE_PRIMARY_KEY_CHECK = GENERATE; START REPLICA SQL_THREAD | STOP REPLICA SQL_THREAD; CHANGE REPLICATION SOURCE TO REQUIRE_TABLE_PRIMARY_KEY_CHECK = STREAM; START REPLICA SQL_THREAD
            STOP REPLICA SQL_THREAD; CHANGE REPLICATION FILTER REPLICATE_IGNORE_DB = (other); START REPLICA SQL_THREAD | STOP REPLICA SQL_THREAD; CHANGE REPLICATION FILTER REPLICATE_IGNORE_DB = (); START REPLICA SQL_THREAD
            """)
    void testReplicasThatMayHaveOtherRows(String change, String undo)
    {
        onEach(change);
        try {
            assertThat(serversRead(spread(3))).isEqualTo(1);
        }
        finally {
            onEach(undo);
        }
        awaitServersRead(3);
    }

    private void onEach(String statements)
    {
        servers.replicas().forEach(replica -> replica.execute(statements.split("; ")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ADD INDEX w (w) | DROP INDEX w
            MODIFY w BIGINT | MODIFY w INT
            """)
    void testReplicaWithAnotherDefinition(String difference, String undo)
    {
        MysqlServer replica = servers.replica(1);
        change(replica, "ALTER TABLE test.t " + difference);
        try {
            assertThat(serversRead(spread(3))).isBetween(1L, 2L);
        }
        finally {
            change(replica, "ALTER TABLE test.t " + undo);
        }
        awaitServersRead(3);
    }

    /** Ranges of a partitioned table name its partitions. */
    @Test
    void testReplicaWithOtherPartitions()
    {
        servers.source().execute("CREATE TABLE test.parts (k INT PRIMARY KEY, v VARCHAR(100)) PARTITION BY HASH (k) PARTITIONS 4", "INSERT INTO test.parts SELECT k, v FROM test.t");
        servers.await();
        List<String> rows = servers.source().values("SELECT CONCAT_WS(':', k, v) FROM test.parts");
        for (int replica = 0; replica < 3; replica++) {
            change(servers.replica(replica), "ALTER TABLE test.parts PARTITION BY HASH (k) PARTITIONS 8");
            for (int query = 0; query < 3; query++) {
                assertThat(rows(trino.executeWithPlan(spread(3), "SELECT k, v FROM test.parts"))).containsExactlyInAnyOrderElementsOf(rows);
            }
        }
    }

    /** Joins tell their other side what they need, and MySQL chooses an index for some of it. */
    @Test
    void testQueriesOfSeveralScans()
    {
        servers.source().execute(
                "CREATE TABLE test.keys_of_t (k INT PRIMARY KEY, w INT, KEY (w))",
                "INSERT INTO test.keys_of_t SELECT k, w % 1000 FROM test.t WHERE k % 3 = 0",
                "CREATE TABLE test.parts_of_t (k INT, v VARCHAR(100), w INT, PRIMARY KEY (k), KEY (w)) PARTITION BY RANGE (k) (PARTITION a VALUES LESS THAN (10000), PARTITION b VALUES LESS THAN MAXVALUE)",
                "INSERT INTO test.parts_of_t SELECT k, v, w % 100 FROM test.t");
        servers.await();
        awaitServersRead(3);
        for (String sql : List.of(
                "SELECT count(*), sum(length(a.v) + b.w) FROM test.t a JOIN test.keys_of_t b ON a.k = b.k WHERE b.w < 500",
                "SELECT count(*), sum(length(a.v)) FROM test.parts_of_t a JOIN test.keys_of_t b ON a.k = b.k WHERE a.w < 50 AND b.w BETWEEN 7 AND 9",
                "SELECT count(*), sum(length(v)) FROM test.parts_of_t WHERE k > 5000 AND length(v) > 20",
                "SELECT a.k FROM test.t a WHERE a.k NOT IN (SELECT k FROM test.keys_of_t WHERE w > 100) ORDER BY a.k LIMIT 1000",
                "SELECT w, count(*) FROM test.parts_of_t GROUP BY w ORDER BY w")) {
            assertThat(trino.execute(spread(3), sql).getMaterializedRows()).as(sql).isEqualTo(trino.execute(spread(1), sql).getMaterializedRows());
        }
    }

    // No other server gets the change.
    private static void change(MysqlServer replica, String ddl)
    {
        replica.execute("SET GLOBAL super_read_only = OFF", "SET sql_log_bin = 0", ddl, "SET sql_log_bin = 1", "SET GLOBAL super_read_only = ON");
    }

    @Test
    void testReplicaThatIsBehind()
    {
        MysqlServer behind = servers.replica(2);
        behind.execute("STOP REPLICA SQL_THREAD");
        try {
            servers.source().execute("UPDATE test.t SET w = w + 1 WHERE k = 7", "UPDATE test.t SET w = w - 1 WHERE k = 7");
            servers.await(servers.replica(0), Duration.ofSeconds(30));
            servers.await(servers.replica(1), Duration.ofSeconds(30));
            awaitServersRead(2);
        }
        finally {
            behind.execute("START REPLICA SQL_THREAD");
        }
    }

    /** A transaction of its own keeps a replica from ever showing what the others show. The query reads from that one alone if it plans there, else from the two others. */
    @Test
    void testReplicaWithATransactionOfItsOwn()
    {
        List<Long> read = new ArrayList<>();
        for (int replica = 0; replica < 3; replica++) {
            String own = "99999999-2222-3333-4444-555555555555:" + (replica + 1);
            servers.replica(replica).execute("SET gtid_next = '%s'".formatted(own), "BEGIN", "COMMIT");
            read.add(IntStream.range(0, 5).mapToLong(_ -> serversRead(spread(3))).max().orElseThrow());
            servers.source().execute("SET gtid_next = '%s'".formatted(own), "BEGIN", "COMMIT");
            servers.await();
            awaitServersRead(3);
        }
        assertThat(read).allMatch(count -> count < 3).filteredOn(count -> count == 2).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void testWhatReadsFromOneServer()
    {
        assertThat(serversRead(trino.session(ImmutableMap.of("replicas_per_query", "3", "snapshot_group", "g")))).isEqualTo(1);
        assertThat(serversRead(trino.session(ImmutableMap.of("replicas_per_query", "3", "snapshot_mode", "NONE")))).isEqualTo(1);
        assertThat(serversRead(trino.session(ImmutableMap.of("replicas_per_query", "3", "read_server", "127.0.0.1:" + servers.replica(0).port())))).isEqualTo(1);
    }

    // A server that lately could take no part is left out for a second.
    private void awaitServersRead(int servers)
    {
        Await.until("a query reads from so many servers", () -> serversRead(spread(3)) == servers);
    }

    private long serversRead(Session session)
    {
        return serversRead(trino.executeWithPlan(session, "SELECT k, v FROM test.t"));
    }

    private long serversRead(MaterializedResultWithPlan result)
    {
        return Math.max(trino.count(result.queryId(), SERVERS_READ), 1);
    }

    private static List<String> rows(MaterializedResultWithPlan result)
    {
        return result.result().getMaterializedRows().stream().map(row -> row.getFields().stream().map(String::valueOf).collect(joining(":"))).toList();
    }

    private List<Long> rowsRead()
    {
        return servers.replicas().stream().map(TestOneMoment::rowsRead).toList();
    }

    private static long rowsRead(MysqlServer server)
    {
        return server.status("mysql_pq_scan_rows_read");
    }

    private Session spread(int replicas)
    {
        return trino.session(ImmutableMap.of("replicas_per_query", String.valueOf(replicas)));
    }
}
