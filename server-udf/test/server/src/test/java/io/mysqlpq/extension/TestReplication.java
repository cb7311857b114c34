package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a source and its replica have or lack the extension each for itself.
 *
 * <p>The source may be of another version ({@link io.mysqlpq.testing.MysqlServerBuilder#otherServer()}).
 */
@TestInstance(PER_CLASS)
class TestReplication
{
    private static final Path SQL = Path.of("../../sql");
    private static final int NO_SUCH_FUNCTION = 1046;
    private static final String ROWS = "SELECT CONCAT(k, ',', v) FROM s.t ORDER BY k";

    @AutoClose
    private final MysqlServer source = MysqlServer.builder().otherServer().binaryLog()
            .option("server-id", "1").option("gtid-mode", "ON").option("enforce-gtid-consistency", "ON").option("cte-max-recursion-depth", "10000").start();
    @AutoClose
    private final MysqlServer replica = MysqlServer.builder().binaryLog()
            .option("server-id", "2").option("gtid-mode", "ON").option("enforce-gtid-consistency", "ON").start();

    @BeforeAll
    void replicate()
    {
        source.execute(
                "CREATE USER repl IDENTIFIED BY 'repl'",
                "GRANT REPLICATION SLAVE ON *.* TO repl",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT i, 3 * i FROM n");
        replica.execute(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = %s, SOURCE_USER = 'repl', SOURCE_PASSWORD = 'repl', SOURCE_AUTO_POSITION = 1, GET_SOURCE_PUBLIC_KEY = 1".formatted(source.port()),
                "START REPLICA");
        awaitReplica();
    }

    @AfterEach
    void uninstall()
    {
        for (MysqlServer server : List.of(source, replica)) {
            if (!server.values("SELECT name FROM mysql.plugin").isEmpty()) {
                server.executeFile(SQL.resolve("uninstall.sql"));
            }
        }
    }

    @AfterAll
    void assertErrorLogsClean()
    {
        source.assertErrorLogClean();
        replica.assertErrorLogClean();
    }

    // What is installed, set or removed is written to no binary log, so the replica's transactions stay those of its source.
    @Test
    void testSourceAlone()
    {
        String logged = source.values("SELECT @@gtid_executed").getFirst();
        source.executeFile(SQL.resolve("install.sql"));
        source.execute("SET GLOBAL mysql_pq_max_ranges = 17", "SET PERSIST mysql_pq_max_scans = 17", "RESET PERSIST mysql_pq_max_scans");
        assertReadsNatively(source);
        assertThat(source.values("SELECT @@gtid_executed")).containsExactly(logged);
        source.execute("UPDATE s.t SET v = v + 1");
        source.executeFile(SQL.resolve("uninstall.sql"));
        source.execute("INSERT INTO s.t VALUES (20000, 0)");
        awaitReplica();
        assertHasNothing(replica);
        assertThat(replica.values(ROWS)).isEqualTo(source.values(ROWS));
    }

    @Test
    void testReplicaAlone()
    {
        replica.executeFile(SQL.resolve("install.sql"));
        assertThat(replica.values("SELECT @@gtid_executed")).isEqualTo(source.values("SELECT @@gtid_executed"));
        source.execute("UPDATE s.t SET v = v + 2 WHERE k % 3 = 0", "DELETE FROM s.t WHERE k % 7 = 0");
        awaitReplica();
        assertReadsNatively(replica);
        assertHasNothing(source);
    }

    // Only here are the tables installed, which stay loaded until a restart. Their rows of mysql.plugin must not be replicated either, or one server's uninstalling would be the other's.
    @Test
    void testUninstallOfSourceLeavesReplicaAlone()
    {
        for (MysqlServer server : List.of(source, replica)) {
            server.executeFile(SQL.resolve("install.sql"));
            server.executeFile(SQL.resolve("install-tables.sql"));
        }
        source.executeFile(SQL.resolve("uninstall.sql"));
        source.execute("UPDATE s.t SET v = v + 1");
        awaitReplica();
        assertThat(replica.values("SELECT name FROM mysql.plugin ORDER BY name")).containsExactly("mysql_pq", "mysql_pq_ranges", "mysql_pq_snapshots");
        assertReadsNatively(replica);
    }

    // What the source has, too.
    private void assertReadsNatively(MysqlServer server)
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            assertThat(reader.scan("s.t", "").read().rows()).map(row -> String.join(",", row)).isEqualTo(source.values(ROWS));
        }
    }

    private static void assertHasNothing(MysqlServer server)
    {
        try (Session session = new Session(server)) {
            session.assertFails("SELECT mysql_pq_version()", NO_SUCH_FUNCTION);
            assertThat(session.values("SELECT name FROM mysql.plugin UNION ALL SELECT name FROM mysql.func")).isEmpty();
            assertThat(session.values("SHOW GLOBAL VARIABLES LIKE 'mysql\\_pq%'")).isEmpty();
        }
    }

    private void awaitReplica()
    {
        String executed = source.values("SELECT @@gtid_executed").getFirst();
        Await.until("the replica has what the source has", () -> {
            assertThat(replica.values("SELECT last_error_message FROM performance_schema.replication_applier_status_by_worker WHERE last_error_number <> 0")).isEmpty();
            return replica.values("SELECT GTID_SUBSET('%s', @@gtid_executed)".formatted(executed)).equals(List.of("1"));
        });
    }
}
