package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Runs sql/uninstall.sql while others use all of the extension, and begin new calls until it is gone.
 */
class TestUninstallScript
{
    private static final Path UNINSTALL = Path.of("../../sql/uninstall.sql");
    private static final Path INSTALL = Path.of("../../sql/install.sql");
    private static final Path INSTALL_TABLES = Path.of("../../sql/install-tables.sql");
    private static final int SESSIONS_OF_A_KIND = 4;
    private static final int NO_SUCH_FUNCTION = 1046;
    private static final int FUNCTION_GONE = 1122;
    private static final int INTERRUPTED = 1317;
    private static final int KILLED = 1053;
    // The driver has no number for it.
    private static final int CONNECTION_LOST = 0;
    private static final String LONG_READ = "SELECT SUM(a.k ^ b.k ^ c.k) FROM s.t a, s.t b, s.t c";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().binaryLog().option("cte-max-recursion-depth", "100000").start();
    private final AtomicInteger steps = new AtomicInteger();

    @Test
    void testBusyServer()
    {
        server.executeFile(INSTALL);
        server.executeFile(INSTALL_TABLES);
        server.execute(
                "SET GLOBAL mysql_pq_lock_wait_timeout = 2",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v CHAR(200) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i, 'x' FROM n",
                "CREATE TABLE s.locked (k INT PRIMARY KEY)");
        List<CompletableFuture<Void>> users = new ArrayList<>();
        for (int i = 0; i < SESSIONS_OF_A_KIND; i++) {
            users.add(Background.run(() -> repeat(this::scan)));
            users.add(Background.run(() -> repeat(session -> session.query("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4096)"))));
            users.add(Background.run(() -> repeat(session -> session.query("SELECT mysql_pq_version()"))));
        }
        try (SnapshotReader idle = SnapshotReader.open(server, "s.t");
                SnapshotReader deaf = SnapshotReader.open(server, "s.t");
                Session blocker = new Session(server).execute("LOCK TABLES s.locked WRITE");
                BackgroundCall sql = new BackgroundCall(server, LONG_READ, "START TRANSACTION READ ONLY", adopt(idle));
                BackgroundCall waiting = new BackgroundCall(server, RangePlan.call("s.locked", "PRIMARY", 4, null)).awaitMetadataLockWait();
                Session admin = new Session(server)) {
            stopReading(deaf);
            Await.until("all are at work", () -> steps.get() > 100);
            String logged = logPosition(admin);
            server.executeFile(UNINSTALL);
            assertThat(logPosition(admin)).isEqualTo(logged);
            admin.assertFails("SELECT mysql_pq_version()", NO_SUCH_FUNCTION);
            assertThat(admin.values("SELECT name FROM mysql.plugin")).isEmpty();
            assertThat(sql.failure().getErrorCode()).isIn(INTERRUPTED, KILLED, CONNECTION_LOST);
            assertThat((Throwable) waiting.failure()).isNotNull();
            blocker.execute("UNLOCK TABLES");
            assertThatThrownBy(() -> idle.session().query("DO 1")).isInstanceOf(SQLException.class);
        }
        users.forEach(CompletableFuture::join);
        server.executeFile(INSTALL);
        assertThat(server.values("SELECT mysql_pq_version()").getFirst()).contains("\"enabled\": true");
        server.executeFile(UNINSTALL);
        server.restart();
        assertThat(server.values("SELECT plugin_name FROM information_schema.plugins WHERE plugin_name LIKE 'mysql\\_pq%'")).isEmpty();
        server.assertErrorLogClean();
    }

    // Replicas are not to learn of it.
    private static String logPosition(Session session)
    {
        return session.value("SELECT JSON_EXTRACT(local, '$.binary_log_position') FROM performance_schema.log_status");
    }

    private interface Step
    {
        void run(Session session)
                throws SQLException;
    }

    // Until the function is gone.
    private void repeat(Step step)
    {
        while (true) {
            try (Session session = new Session(server)) {
                while (true) {
                    steps.incrementAndGet();
                    step.run(session);
                }
            }
            catch (SQLException e) {
                if (e.getErrorCode() == NO_SUCH_FUNCTION) {
                    return;
                }
                assertThat(e.getErrorCode()).as(e.getMessage()).isIn(Session.UDF_ERROR, FUNCTION_GONE, INTERRUPTED, KILLED, CONNECTION_LOST);
                if (e.getErrorCode() == Session.UDF_ERROR) {
                    assertThat(e.getMessage()).containsAnyOf("disabled", "snapshot_expired", "no_such_snapshot");
                }
            }
        }
    }

    private void scan(Session session)
            throws SQLException
    {
        try (Session donor = new Session(server)) {
            donor.query("START TRANSACTION READ ONLY");
            donor.query("SELECT 1 FROM s.t LIMIT 0");
            String token = RangePlan.json(donor.query("SELECT mysql_pq_snapshot_export()").getFirst()).required("token").textValue();
            session.query("START TRANSACTION READ ONLY");
            session.query("SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token));
            session.query(scan(token, 100));
            session.query("COMMIT");
        }
    }

    // Larger than what the network holds, so that the server waits for its client.
    private static void stopReading(SnapshotReader reader)
    {
        try {
            Statement statement = reader.session().connection().createStatement();
            statement.setFetchSize(Integer.MIN_VALUE);
            ResultSet rows = statement.executeQuery(String.join(" UNION ALL ", nCopies(20, scan(reader.token(), 100))));
            assertThat(rows.next()).isTrue();
        }
        catch (SQLException e) {
            throw new AssertionError("The scan failed", e);
        }
    }

    private static String scan(String token, int batches)
    {
        return NativeScan.sql("s.t", token, "{\"rows\": 1000, \"columns\": [[\"k\", \"int32\"], [\"v\", \"bytes\"]]}", batches);
    }

    private static String adopt(SnapshotReader reader)
    {
        return "SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(reader.token());
    }
}
