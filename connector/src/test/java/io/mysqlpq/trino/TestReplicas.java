package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.Replication;
import io.mysqlpq.testing.Sql;
import io.trino.Session;
import io.trino.testing.TransactionBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_NO_REPLICA;
import static io.mysqlpq.trino.error.MysqlPqErrorCode.MYSQL_PQ_TABLE_CHANGED;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads from two replicas of one primary, and writes to the primary. */
@TestInstance(PER_CLASS)
class TestReplicas
{
    // The row of this table differs between servers, and says which one was read.
    private static final String WHO = "SELECT name FROM test.who";
    private static final String PRIMARY = "primary";
    private static final String FIRST = "first";
    private static final String SECOND = "second";

    private Replication servers;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        servers = new Replication(2);
        servers.source().execute("CREATE DATABASE test", "CREATE TABLE test.who (id INT PRIMARY KEY, name VARCHAR(10))", "INSERT INTO test.who VALUES (1, 'primary')");
        servers.await();
        servers.replica(0).execute("UPDATE test.who SET name = 'first'");
        servers.replica(1).execute("UPDATE test.who SET name = 'second'");
        trino = trino(ImmutableMap.of());
    }

    private TestingTrino trino(Map<String, String> properties)
            throws Exception
    {
        return new TestingTrino(servers.source(), ImmutableMap.<String, String>builder()
                .put("replica-hosts", servers.replicas().stream().map(TestReplicas::address).collect(joining(", ")))
                .put("throttle-poll-interval", "10ms")
                .putAll(properties)
                .buildKeepingLast());
    }

    private static String address(MysqlServer server)
    {
        return "127.0.0.1:%s".formatted(server.port());
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
    void testQueriesAtOnceReadFromBothReplicas()
    {
        Set<String> read = IntStream.range(0, 8)
                .mapToObj(_ -> Background.supply(() -> who(trino.session(ImmutableMap.of()))))
                .toList().stream()
                .map(CompletableFuture::join)
                .collect(toImmutableSet());
        assertThat(read).isSubsetOf(FIRST, SECOND);
        Session grouped = trino.session(ImmutableMap.of("snapshot_group", "g"));
        Set<String> readByGroup = IntStream.range(0, 8)
                .mapToObj(_ -> Background.supply(() -> who(grouped)))
                .toList().stream()
                .map(CompletableFuture::join)
                .collect(toImmutableSet());
        assertThat(readByGroup).hasSize(1);
    }

    @Test
    void testServerThatTheSessionNames()
    {
        assertThat(who(readFrom(servers.source()))).isEqualTo(PRIMARY);
        assertThat(who(readFrom(servers.replica(0)))).isEqualTo(FIRST);
        assertThat(who(readFrom(servers.replica(1)))).isEqualTo(SECOND);
        assertTrinoExceptionThrownBy(() -> who(trino.session(ImmutableMap.of("read_server", "elsewhere.example.net:3306"))))
                .hasMessageContaining("elsewhere.example.net:3306")
                .hasMessageContaining(address(servers.replica(1)));
        assertTrinoExceptionThrownBy(() -> who(trino.session(ImmutableMap.of("read_server", "host:port"))))
                .hasMessageContaining("read_server must be host:port of a server of the catalog: 'host:port'");
    }

    /** All that changes rows or tables goes to the primary, and what it reads for that is the primary's. */
    @Test
    void testWrites()
    {
        stopReplication();
        try {
            trino.execute("CREATE SCHEMA made");
            trino.execute("CREATE TABLE made.written (k BIGINT)");
            trino.execute("CREATE TABLE test.written (k BIGINT, v VARCHAR(20)) WITH (primary_key = ARRAY['k'])");
            trino.execute("INSERT INTO test.written VALUES (1, 'one'), (2, 'two')");
            trino.execute("INSERT INTO test.written SELECT id + 2, 'three' FROM test.who");
            assertTrinoExceptionThrownBy(() -> trino.execute("SELECT count(*) FROM test.written"))
                    .hasErrorCode(MYSQL_PQ_NO_REPLICA)
                    .hasMessageContaining("Table test.written is on the primary, and replica 127.0.0.1:");
            trino.execute("UPDATE test.written SET v = v || '!' WHERE k % 2 = 1");
            trino.execute("DELETE FROM test.written WHERE v LIKE 't%o'");
            trino.execute("MERGE INTO test.written w USING (VALUES (1, 'uno'), (4, 'four')) AS s (k, v) ON w.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT VALUES (s.k, s.v)");
            trino.execute("ALTER TABLE test.written ADD COLUMN x INT");
            assertThat(servers.source().values("SELECT CONCAT(k, v) FROM test.written ORDER BY k")).containsExactly("1uno", "3three!", "4four");
        }
        finally {
            startReplication();
        }
        servers.await();
        assertThat(trino.execute("SELECT k, v, x FROM test.written").getRowCount()).isEqualTo(3);
        trino.execute("DROP TABLE test.written");
    }

    @Test
    void testTransaction()
    {
        // What it wrote, it must see.
        assertThat(transaction().execute(trino.runner().getDefaultSession(), this::who)).isEqualTo(PRIMARY);
        for (String server : List.of(FIRST, SECOND)) {
            transaction().readOnly().execute(readFrom(servers.replica(server.equals(FIRST) ? 0 : 1)), session -> {
                assertThat(who(session)).isEqualTo(server);
                assertThat(who(session)).isEqualTo(server);
            });
        }
    }

    @Test
    void testSqlOfUsers()
    {
        String sql = "SELECT name FROM TABLE(mysql_pq.system.query('SELECT name FROM test.who'))";
        assertThat(trino.execute(readFrom(servers.replica(1)), sql).getOnlyValue()).isEqualTo(SECOND);
        assertThat(trino.execute(readFrom(servers.source()), sql).getOnlyValue()).isEqualTo(PRIMARY);
        trino.execute("CALL mysql_pq.system.execute('CREATE TABLE test.executed (k INT PRIMARY KEY)')");
        assertThat(servers.source().values("SELECT table_name FROM information_schema.tables WHERE table_name = 'executed'")).containsExactly("executed");
    }

    /** What a filter means depends on the collation of the table that is read. */
    @Test
    void testReplicaWithAnOlderDefinition()
    {
        servers.source().execute(
                "CREATE TABLE test.names (id INT PRIMARY KEY, name VARCHAR(10) COLLATE utf8mb4_0900_ai_ci)",
                "INSERT INTO test.names VALUES (1, 'a'), (2, 'A'), (3, 'b')");
        servers.await();
        stopReplication();
        try {
            servers.source().execute("ALTER TABLE test.names MODIFY name VARCHAR(10) COLLATE utf8mb4_0900_bin");
            assertThat(trino.execute("SELECT id FROM test.names WHERE name = 'a'").getOnlyColumnAsSet()).isEqualTo(Set.of(1));
            assertThat(trino.execute("SELECT count(*) FROM (SELECT name, count(*) FROM test.names GROUP BY name)").getOnlyValue()).isEqualTo(3L);
            assertTrinoExceptionThrownBy(() -> trino.execute("UPDATE test.names SET id = id + 10 WHERE name = 'a' AND id % 2 = 1"))
                    .hasErrorCode(MYSQL_PQ_TABLE_CHANGED)
                    .hasMessageContaining("Table test.names has other columns on replica")
                    .hasMessageContaining("read_server to '%s'".formatted(address(servers.source())));
            assertThat(trino.execute(readFrom(servers.source()), "UPDATE test.names SET id = id + 10 WHERE name = 'a' AND id % 2 = 1").getUpdateCount()).hasValue(1);
        }
        finally {
            startReplication();
        }
    }

    private TransactionBuilder transaction()
    {
        return TransactionBuilder.transaction(trino.runner().getTransactionManager(), trino.runner().getPlannerContext().getMetadata(), trino.runner().getAccessControl());
    }

    @Test
    void testReplicaThatDoesNotReplicateIsLeftOut()
    {
        for (int i = 0; i < 2; i++) {
            MysqlServer stopped = servers.replica(i);
            stopped.execute("STOP REPLICA SQL_THREAD");
            try {
                String other = i == 0 ? SECOND : FIRST;
                Await.until("queries go elsewhere", () -> who(trino.session(ImmutableMap.of())).equals(other));
                for (int query = 0; query < 5; query++) {
                    assertThat(who(trino.session(ImmutableMap.of()))).isEqualTo(other);
                }
                // Who asks for it reads there.
                assertThat(who(readFrom(stopped))).isNotEqualTo(other);
            }
            finally {
                stopped.execute("START REPLICA SQL_THREAD");
            }
        }
    }

    @Test
    void testReadAfterWrite()
    {
        servers.source().execute("CREATE TABLE test.counted (id INT AUTO_INCREMENT PRIMARY KEY)");
        servers.await();
        Session session = trino.session(ImmutableMap.of("read_after_write", "true"));
        for (long rows = 1; rows <= 20; rows++) {
            servers.source().execute("INSERT INTO test.counted () VALUES ()");
            assertThat(trino.execute(session, "SELECT count(*) FROM test.counted").getOnlyValue()).isEqualTo(rows);
        }
        assertTrinoExceptionThrownBy(() -> who(trino.session(ImmutableMap.of("read_after_write", "true", "snapshot_group", "g"))))
                .hasMessageContaining("read_after_write cannot be true with snapshot_group");
    }

    @Test
    void testReadAfterWriteGivesUp()
            throws Exception
    {
        try (TestingTrino impatient = trino(ImmutableMap.of("read-after-write", "true", "read-after-write-timeout", "300ms"));
                Connection first = servers.replica(0).connect();
                Connection second = servers.replica(1).connect()) {
            servers.source().execute("CREATE TABLE test.locked (id INT PRIMARY KEY)");
            servers.await();
            Sql.execute(first, "LOCK TABLES test.locked READ");
            Sql.execute(second, "LOCK TABLES test.locked READ");
            servers.source().execute("INSERT INTO test.locked VALUES (1)");
            assertTrinoExceptionThrownBy(() -> impatient.execute(WHO))
                    .hasErrorCode(MYSQL_PQ_NO_REPLICA)
                    .hasMessageContaining("did not catch up with the primary within 300.00ms");
            // Who reads from the primary need not wait.
            assertThat(impatient.execute(impatient.session(ImmutableMap.of("read_server", address(servers.source()))), WHO).getOnlyValue()).isEqualTo(PRIMARY);
            Sql.execute(first, "UNLOCK TABLES");
            Sql.execute(second, "UNLOCK TABLES");
        }
    }

    @Test
    void testFunctionsForAdministrators()
    {
        Set<String> all = new HashSet<>();
        all.add(address(servers.source()));
        servers.replicas().forEach(replica -> all.add(address(replica)));
        assertThat(trino.execute("SELECT DISTINCT server FROM TABLE(mysql_pq.system.doctor())").getOnlyColumnAsSet()).isEqualTo(all);
        assertThat(trino.execute("SELECT DISTINCT server FROM TABLE(mysql_pq.system.running_scans())").getOnlyColumnAsSet()).isSubsetOf(ImmutableSet.copyOf(all));
        assertThat(trino.execute("SELECT count(*) FROM TABLE(mysql_pq.system.ranges('test', 'who'))").getOnlyValue()).isEqualTo(1L);
    }

    private void stopReplication()
    {
        servers.replicas().forEach(replica -> replica.execute("STOP REPLICA SQL_THREAD"));
    }

    private void startReplication()
    {
        servers.replicas().forEach(replica -> replica.execute("START REPLICA SQL_THREAD"));
    }

    private Session readFrom(MysqlServer server)
    {
        return trino.session(ImmutableMap.of("read_server", address(server)));
    }

    private String who(Session session)
    {
        return (String) trino.execute(session, WHO).getOnlyValue();
    }
}
