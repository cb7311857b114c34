package io.mysqlpq.extension;

import com.mysql.cj.jdbc.JdbcConnection;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that snapshots end when they grow too old or hold back too much of purge, and their readers with them.
 */
@TestInstance(PER_CLASS)
class TestSnapshotLimits
{
    private static final String BEGIN = "START TRANSACTION READ ONLY";
    private static final String EXPORT = "SELECT mysql_pq_snapshot_export()";
    private static final String LONG_READ = "SELECT SUM(a.k ^ b.k ^ c.k ^ d.k) FROM s.t a, s.t b, s.t c, s.t d";
    private static final int INTERRUPTED = 1317;
    // The driver has no number for it.
    private static final int CONNECTION_LOST = 0;
    private static final int NO_SUCH_TABLE = 1146;
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    // The limit of one second, and slack for a machine that others keep busy. Nothing else would end such a wait.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    // In seconds. Who waits for a table of a snapshot that gives way needs one or two of them.
    private static final String PATIENCE = "SET lock_wait_timeout = 20";
    private static final int PLUGIN_CANNOT_BE_UNINSTALLED = 1883;
    // For what a busy machine may not have done within the limit's seconds.
    private static final String NO_LIMIT_YET = "SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT";
    private static final String LIMIT = "SET GLOBAL mysql_pq_snapshot_max_age = 2";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true)
            .option("cte-max-recursion-depth", "10000")
            // Without this only each 128th batch of purge shortens the history list.
            .option("innodb-purge-rseg-truncate-frequency", "1")
            .start();

    @BeforeEach
    void createTable()
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT)",
                "INSERT INTO s.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, 0 FROM n",
                "SET GLOBAL mysql_pq_snapshot_max_age = 2, GLOBAL mysql_pq_snapshot_grace = 1");
    }

    @AfterEach
    void assertErrorLogClean()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT, GLOBAL mysql_pq_snapshot_grace = DEFAULT, GLOBAL mysql_pq_max_history_length = DEFAULT, GLOBAL mysql_pq_ddl_wait_limit = DEFAULT");
        server.assertErrorLogClean();
    }

    @Test
    void testOldSnapshotExpires()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_grace = 3600");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            adopter.execute(BEGIN).value(call("adopt", token));
            adopter.value(call("verify", token));
            donor.value(call("verify", token));
            awaitExpiry(late, token);
            for (Session session : new Session[] {late, adopter, donor}) {
                session.assertRefused(call("verify", token), "snapshot_expired", "mysql_pq_snapshot_max_age = 2");
            }
            // The same holds when the limit was raised meanwhile, or the donor has ended.
            server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT");
            adopter.assertRefused(call("verify", token), "snapshot_expired");
            donor.execute("COMMIT");
            adopter.assertRefused(call("verify", token), "snapshot_expired");
            adopter.execute("COMMIT");
            adopter.assertRefused(call("adopt", token), "snapshot_expired", "mysql_pq_snapshot_max_age = 2");
            export(donor);
        }
    }

    // The other account may not know why the snapshot expired.
    @Test
    void testExpiryIsToldToItsAccountOnly()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_grace = 3600", "CREATE USER IF NOT EXISTS other IDENTIFIED BY 'secret'");
        try (Session donor = new Session(server); Session late = new Session(server); Session other = new Session(server, "other", "secret")) {
            String token = export(donor);
            awaitExpiry(late, token);
            other.execute(BEGIN).assertRefused(call("adopt", token), "no_such_snapshot");
        }
    }

    @Test
    void testAgeCountsFromTheOpeningOfTheView()
    {
        try (Session donor = new Session(server); Session late = new Session(server)) {
            donor.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY").value("SELECT SLEEP(3)");
            String token = RangePlan.json(donor.value(EXPORT)).required("token").textValue();
            late.execute(BEGIN).assertRefused(call("adopt", token), "snapshot_expired");
        }
    }

    @Test
    void testIdleSessionsAreClosed()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            long expired = StatusCounters.value(late, "snapshots_expired");
            String token = export(donor);
            adopter.execute(BEGIN).value(call("adopt", token));
            awaitGone(late, donor.id(), adopter.id());
            // What their clients see is a lost connection; the token tells why.
            assertThat(donor.failure("SELECT 1").getSQLState()).isEqualTo("08S01");
            late.execute(BEGIN).assertRefused(call("adopt", token), "snapshot_expired");
            assertThat(StatusCounters.value(late, "snapshots_expired")).isEqualTo(expired + 1);
            assertThat(server.errorLog()).contains("ends the snapshot of connection " + donor.id() + " ('root'@", "mysql_pq_snapshot_max_age = 2").doesNotContain(token);
        }
    }

    @Test
    void testPurgeIsFreeAgain()
    {
        server.execute(NO_LIMIT_YET);
        try (Session donor = new Session(server); Session adopter = new Session(server); Session writer = new Session(server)) {
            String token = export(donor);
            adopter.execute(BEGIN).value(call("adopt", token));
            for (int i = 0; i < 200; i++) {
                writer.execute("UPDATE s.t SET v = v + 1 WHERE k = 1");
            }
            assertThat(historyLength(writer)).isGreaterThanOrEqualTo(200);
            server.execute(LIMIT);
            awaitGone(writer, donor.id(), adopter.id());
            Await.until("purge has caught up", () -> historyLength(writer) < 50);
        }
    }

    @Test
    void testRunningStatementsAreInterruptedFirst()
    {
        server.execute(NO_LIMIT_YET, "SET GLOBAL mysql_pq_snapshot_grace = 3600");
        try (Session donor = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            try (BackgroundCall reader = new BackgroundCall(server, LONG_READ, BEGIN, call("adopt", token))) {
                Await.until("the long read runs", () -> isExecuting(late, reader.connectionId()));
                server.execute(LIMIT);
                assertThat(reader.failure().getErrorCode()).isEqualTo(INTERRUPTED);
                // The session lives and learns why.
                reader.session().assertRefused(call("verify", token), "snapshot_expired", "mysql_pq_snapshot_max_age = 2");
                assertThat(reader.session().execute("COMMIT").number("SELECT COUNT(*) FROM s.t")).isEqualTo(1_000);
            }
        }
    }

    @Test
    void testRunningStatementsAreEndedWithoutGrace()
    {
        server.execute(NO_LIMIT_YET, "SET GLOBAL mysql_pq_snapshot_grace = 0");
        try (Session donor = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            try (BackgroundCall reader = new BackgroundCall(server, LONG_READ, BEGIN, call("adopt", token))) {
                Await.until("the long read runs", () -> isExecuting(late, reader.connectionId()));
                server.execute(LIMIT);
                assertThat((Throwable) reader.failure()).isNotNull();
                awaitGone(late, donor.id(), reader.connectionId());
            }
        }
    }

    @Test
    void testDisablingEndsSnapshots()
    {
        server.execute(NO_LIMIT_YET, "SET GLOBAL mysql_pq_snapshot_grace = 3600");
        try (Session donor = new Session(server); Session idle = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            idle.execute(BEGIN).value(call("adopt", token));
            try (BackgroundCall reader = new BackgroundCall(server, LONG_READ, BEGIN, call("adopt", token))) {
                Await.until("the long read runs", () -> isExecuting(late, reader.connectionId()));
                server.execute("SET GLOBAL mysql_pq_enabled = OFF");
                assertThat(reader.failure().getErrorCode()).isIn(INTERRUPTED, CONNECTION_LOST);
                awaitGone(late, donor.id(), idle.id(), reader.connectionId());
            }
            server.execute("SET GLOBAL mysql_pq_enabled = ON");
            late.execute(BEGIN).assertRefused(call("adopt", token), "snapshot_expired", "mysql_pq_enabled was set to OFF");
            export(late);
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_enabled = ON");
        }
    }

    @Test
    void testReadersThatOutliveTheirDonorExpireToo()
    {
        server.execute(NO_LIMIT_YET);
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            adopter.execute(BEGIN).value(call("adopt", token));
            donor.execute("COMMIT");
            late.assertFails("UNINSTALL PLUGIN mysql_pq", PLUGIN_CANNOT_BE_UNINSTALLED);
            server.execute(LIMIT);
            awaitGone(late, adopter.id());
            assertThat(donor.number("SELECT COUNT(*) FROM s.t")).isEqualTo(1_000);
            late.execute("UNINSTALL PLUGIN mysql_pq", "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "BEGIN", "reset", "change user"})
    void testSessionsThatEndInTimeAreLeftAlone(String end)
            throws SQLException
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_grace = 3600");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            adopter.execute(BEGIN).value(call("adopt", token));
            awaitExpiry(late, token);
            end(donor, end);
            end(adopter, end);
            server.execute("SET GLOBAL mysql_pq_snapshot_grace = 1");
            String second = export(late);
            awaitExpiry(donor, second);
            Await.until("a later snapshot has ended", () -> isGone(adopter, late.id()));
            for (Session session : new Session[] {donor, adopter}) {
                assertThat(session.number("SELECT CONNECTION_ID()")).isEqualTo(session.id());
            }
        }
    }

    private static void end(Session session, String how)
            throws SQLException
    {
        JdbcConnection connection = session.connection().unwrap(JdbcConnection.class);
        switch (how) {
            case "reset" -> connection.resetServerState();
            case "change user" -> connection.changeUser("root", "");
            default -> session.execute(how);
        }
    }

    @Test
    void testHistoryLength()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT, GLOBAL mysql_pq_snapshot_grace = 3600, GLOBAL mysql_pq_max_history_length = 100");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            String token = export(donor);
            adopter.execute(BEGIN).value(call("adopt", token));
            for (int i = 0; i < 300; i++) {
                late.execute("UPDATE s.t SET v = v + 1 WHERE k = 1");
            }
            late.execute(BEGIN).assertRefused(call("adopt", token), "snapshot_expired", "mysql_pq_max_history_length = 100");
            adopter.assertRefused(call("verify", token), "snapshot_expired", "mysql_pq_max_history_length = 100");
            // A snapshot of now holds nothing back yet.
            try (Session second = new Session(server)) {
                late.value(call("adopt", export(second)));
            }
            server.execute("SET GLOBAL mysql_pq_snapshot_grace = 1");
            awaitGone(late, donor.id(), adopter.id());
        }
    }

    @Test
    void testShutdownAmidExpiries()
    {
        List<Session> donors = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            createTable();
            for (int j = 0; j < 20; j++) {
                donors.add(new Session(server));
                export(donors.getLast());
            }
            try (Session late = new Session(server)) {
                donors.add(new Session(server));
                awaitExpiry(late, export(donors.getLast()));
            }
            server.restart();
            server.assertErrorLogClean();
        }
        donors.forEach(Session::close);
    }

    // Whoever waits for a table waits no longer than the limit, and nor does who looks a row up behind it, whatever the
    // sessions of the snapshot do meanwhile.
    @ParameterizedTest
    @ValueSource(strings = {
            "ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT",
            "ALTER TABLE s.t ADD INDEX (v), ALGORITHM = INPLACE",
            "ALTER TABLE s.t FORCE, ALGORITHM = COPY",
            "TRUNCATE s.t",
            "RENAME TABLE s.t TO s.z, s.u TO s.t",
            "DROP TABLE s.t",
            "OPTIMIZE TABLE s.t",
            "LOCK TABLES s.t WRITE; UNLOCK TABLES",
            "FLUSH TABLES",
            "FLUSH TABLES s.t",
            "FLUSH TABLES WITH READ LOCK; UNLOCK TABLES",
            "LOCK TABLES s.t WRITE, s.u WRITE; RENAME TABLE s.t TO s.old, s.u TO s.t; UNLOCK TABLES",
            "CREATE TRIGGER s.osc AFTER INSERT ON s.t FOR EACH ROW REPLACE INTO s.u VALUES (NEW.k, NEW.v); RENAME TABLE s.t TO s.old, s.u TO s.t",
    })
    void testSnapshotGivesWay(String waiting)
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT", "CREATE TABLE s.u LIKE s.t", "INSERT INTO s.u SELECT * FROM s.t");
        try (Session donor = new Session(server); Session idle = new Session(server); Session late = new Session(server)) {
            long gaveWay = StatusCounters.value(late, "snapshots_gave_way");
            long waits = StatusCounters.value(late, "lock_waits");
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor.value(EXPORT));
            String adopt = "SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token);
            idle.execute(BEGIN).value(adopt);
            try (BackgroundCall reader = new BackgroundCall(server, LONG_READ, BEGIN, adopt)) {
                Await.until("the long read runs", () -> isExecuting(late, reader.connectionId()));
                long start = System.nanoTime();
                try (BackgroundCall ddl = BackgroundCall.ofStatements(server, waiting.split("; ")); BackgroundCall lookUp = BackgroundCall.ofStatements(server, "DO SLEEP(0.1)", "DO (SELECT COUNT(*) FROM s.t WHERE k = 1)")) {
                    ddl.end();
                    if (waiting.startsWith("DROP")) {
                        assertThat(lookUp.failure().getErrorCode()).isEqualTo(NO_SUCH_TABLE);
                    }
                    else {
                        lookUp.end();
                    }
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_WAIT);
                // A read that a busy machine has not ended by the limit loses its connection.
                assertThat(reader.failure().getErrorCode()).isIn(INTERRUPTED, CONNECTION_LOST);
                late.execute(BEGIN).assertRefused(call("adopt", token), "gave_way", "table s.t", "mysql_pq_ddl_wait_limit = 1000");
                late.execute("COMMIT");
            }
            awaitGone(late, donor.id(), idle.id());
            assertThat(StatusCounters.value(late, "snapshots_gave_way")).isEqualTo(gaveWay + 1);
            assertThat(StatusCounters.value(late, "lock_waits")).isGreaterThan(waits);
        }
    }

    // Who ends in time is left alone: DDL waits for it, and goes on.
    @Test
    void testReadersThatEndWithinTheLimitEndWell()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT, GLOBAL mysql_pq_ddl_wait_limit = 60000");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            long gaveWay = StatusCounters.value(late, "snapshots_gave_way");
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor.value(EXPORT));
            try (BackgroundCall ddl = BackgroundCall.ofStatements(server, "ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT").awaitMetadataLockWait()) {
                adopter.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token));
                assertThat(adopter.number("SELECT COUNT(*) + SLEEP(0.2) FROM s.t")).isEqualTo(1_000);
                adopter.value(call("verify", token));
                adopter.execute("COMMIT");
                donor.execute("COMMIT");
                ddl.end();
            }
            assertThat(StatusCounters.value(late, "snapshots_gave_way")).isEqualTo(gaveWay);
            assertThat(donor.number("SELECT CONNECTION_ID()")).isEqualTo(donor.id());
        }
    }

    // A reader whose donor has ended proves nothing any more, but holds its table: by the snapshot's lock, or by its own if it named none.
    @ParameterizedTest
    @ValueSource(strings = {", 's', 't'", ""})
    void testReadersThatOutliveTheirDonorGiveWayToo(String named)
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor.value(EXPORT));
            adopter.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt('%s'%s)".formatted(token, named));
            assertThat(adopter.number("SELECT COUNT(*) FROM s.t")).isEqualTo(1_000);
            donor.execute("COMMIT");
            long start = System.nanoTime();
            late.execute("SET lock_wait_timeout = 30", "TRUNCATE s.t");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_WAIT);
            awaitGone(late, adopter.id());
        }
    }

    // Nothing that is read in an expired snapshot counts, so nobody waits for it.
    @Test
    void testExpiredSnapshotGivesWayAtOnce()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_grace = 3600, GLOBAL mysql_pq_snapshot_max_age = DEFAULT");
        try (Session donor = new Session(server); Session idle = new Session(server); Session late = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor.value(EXPORT));
            idle.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token));
            server.execute("SET GLOBAL mysql_pq_snapshot_max_age = 2");
            awaitExpiry(late, token);
            late.execute(PATIENCE, "TRUNCATE s.t");
            awaitGone(late, donor.id(), idle.id());
            late.execute(BEGIN).assertRefused(call("adopt", token), "snapshot_expired", "mysql_pq_snapshot_max_age = 2");
        }
    }

    // A table that the donor keeps, or has locked again, is watched as the others are.
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"SAVEPOINT a;", "HANDLER s.t OPEN;", "SELECT 1; SELECT 1 FROM s.t LIMIT 0"})
    void testTableThatItsDonorKeepsIsWatched(String before, String after)
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT");
        try (Session donor = new Session(server); Session late = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor.value(EXPORT));
            donor.values(before);
            donor.value("SELECT mysql_pq_snapshot_expect('s', 't', %s)".formatted(after == null ? 0 : 1));
            if (after != null) {
                donor.values(after);
                donor.value(call("verify", token));
                try (Session adopter = new Session(server)) {
                    adopter.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token));
                    adopter.value(call("verify", token));
                }
            }
            late.execute("DO SLEEP(0.3)", PATIENCE, "TRUNCATE s.t");
            awaitGone(late, donor.id());
        }
    }

    // It keeps what the first one has lent it.
    @Test
    void testReaderOfTwoSnapshotsGivesWay()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT");
        try (Session first = new Session(server); Session second = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            first.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(first.value(EXPORT));
            adopter.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token));
            server.execute("UPDATE s.t SET v = 7");
            String newer = export(second);
            adopter.value(call("adopt", newer));
            assertThat(adopter.number("SELECT MIN(v) FROM s.t")).isEqualTo(7);
            assertThat(StatusCounters.value(late, "scans_running")).isEqualTo(1);
            adopter.assertRefused(call("verify", token), "bad_snapshot");
            adopter.value(call("verify", newer));
            late.execute(PATIENCE, "TRUNCATE s.t");
            awaitGone(late, first.id(), adopter.id());
            second.value(call("verify", newer));
        }
    }

    // A view may be read by whoever must not know what is behind it.
    @Test
    void testTablesBehindViewsAreNotNamed()
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT",
                "CREATE TABLE s.concealed AS SELECT * FROM s.t", "CREATE VIEW s.v AS SELECT k FROM s.concealed",
                "CREATE USER IF NOT EXISTS viewer IDENTIFIED BY 'secret'", "GRANT SELECT ON s.v TO viewer");
        try (Session donor = new Session(server, "viewer", "secret"); Session adopter = new Session(server, "viewer", "secret"); Session late = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.v LIMIT 0");
            String token = export(donor.value(EXPORT));
            late.execute(PATIENCE, "ALTER TABLE s.concealed ADD w INT");
            adopter.execute(BEGIN);
            assertThat(adopter.failure(call("adopt", token)).getMessage()).startsWith("mysql_pq: gave_way: ").contains("a table that the snapshot holds").doesNotContain("concealed");
            Await.until("the error log names the table", () -> server.errorLog().contains("(table s.concealed)"));
        }
    }

    // A flush waits for statements that have the table open. That a snapshot holds its lock is nothing to it.
    @ParameterizedTest
    @ValueSource(strings = {"FLUSH TABLES", "FLUSH TABLES s.t"})
    void testFlushThatOthersBlockEndsNoSnapshot(String flush)
    {
        server.execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT, GLOBAL mysql_pq_ddl_wait_limit = 500");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor.value(EXPORT));
            adopter.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt('%s', 's', 't')".formatted(token));
            try (BackgroundCall other = new BackgroundCall(server, LONG_READ)) {
                Await.until("the other's read runs", () -> isExecuting(late, other.connectionId()));
                // Twice the limit.
                late.execute("SET lock_wait_timeout = 1").assertFails(flush, LOCK_WAIT_TIMEOUT);
                adopter.value(call("verify", token));
                donor.value(call("verify", token));
                late.execute("KILL QUERY " + other.connectionId());
                assertThat(other.failure().getErrorCode()).isEqualTo(INTERRUPTED);
            }
            assertThat(adopter.number("SELECT COUNT(*) FROM s.t")).isEqualTo(1_000);
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_ddl_wait_limit = DEFAULT");
        }
    }

    private static boolean isExecuting(Session observer, long id)
    {
        return observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE state = 'executing' AND id = " + id) == 1;
    }

    private static String export(String reply)
    {
        return RangePlan.json(reply).required("token").textValue();
    }

    private static String export(Session donor)
    {
        return RangePlan.json(donor.execute(BEGIN).value(EXPORT)).required("token").textValue();
    }

    private static String call(String function, String token)
    {
        return "SELECT mysql_pq_snapshot_%s('%s')".formatted(function, token);
    }

    private static void awaitExpiry(Session session, String token)
    {
        Await.until("the snapshot has expired", () -> {
            try {
                session.execute(BEGIN).query(call("adopt", token));
                session.execute("COMMIT");
                return false;
            }
            catch (SQLException e) {
                assertThat(e.getMessage()).startsWith("mysql_pq: snapshot_expired: ");
                session.execute("COMMIT");
                return true;
            }
        });
    }

    private static void awaitGone(Session observer, long... ids)
    {
        for (long id : ids) {
            Await.until("connection %s is closed".formatted(id), () -> isGone(observer, id));
        }
    }

    private static boolean isGone(Session observer, long id)
    {
        return observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE id = " + id) == 0;
    }

    private static long historyLength(Session session)
    {
        return session.number("SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'");
    }
}
