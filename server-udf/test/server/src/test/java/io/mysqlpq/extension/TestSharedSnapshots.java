package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a session sees in an adopted snapshot what its donor sees, and that a lost snapshot is an error.
 */
@TestInstance(PER_CLASS)
class TestSharedSnapshots
{
    private static final String BEGIN = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
    private static final String COUNT = "SELECT COUNT(*) FROM s.t";
    private static final int PLUGIN_CANNOT_BE_UNINSTALLED = 1883;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    // The server may take a moment to see that sessions of the test before are closed. Their snapshots count until then.
    @BeforeEach
    void createTable()
    {
        try (Session observer = new Session(server)) {
            Await.until("sessions have ended", () -> observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE user = 'root' AND id <> CONNECTION_ID()") == 0);
        }
        server.execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY, v INT)", "INSERT INTO s.t VALUES (1, 10), (2, 20), (3, 30)");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testAdopterSeesWhatItsDonorSees()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session writer = new Session(server)) {
            writer.execute("BEGIN", "INSERT INTO s.t VALUES (4, 40)");
            String token = export(donor);
            writer.execute("COMMIT", "UPDATE s.t SET v = 0 WHERE k = 1", "DELETE FROM s.t WHERE k = 2", "INSERT INTO s.t VALUES (5, 50)");
            adopter.execute(BEGIN);
            assertThat(adopter.number(COUNT)).isEqualTo(4);
            adopt(adopter, token);
            assertThat(adopter.values("SELECT CONCAT(k, ':', v) FROM s.t ORDER BY k")).containsExactly("1:10", "2:20", "3:30");
            assertThat(donor.values("SELECT CONCAT(k, ':', v) FROM s.t ORDER BY k")).containsExactly("1:10", "2:20", "3:30");
            verify(adopter, token);
            adopter.execute("COMMIT");
            assertThat(adopter.number(COUNT)).isEqualTo(4);
        }
    }

    @Test
    void testManyAdoptersOneAfterTheOther()
    {
        try (Session donor = new Session(server); Session first = new Session(server); Session second = new Session(server)) {
            String token = export(donor);
            server.execute("INSERT INTO s.t VALUES (4, 40)");
            for (int i = 0; i < 100; i++) {
                Session adopter = i % 2 == 0 ? first : second;
                adopter.execute(BEGIN);
                adopt(adopter, token);
                assertThat(adopter.number(COUNT)).isEqualTo(3);
                verify(adopter, token);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"COMMIT", "ROLLBACK", "CREATE TABLE s.u (k INT)", "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY", "SET autocommit = 1", "kill", "disconnect"})
    void testLostIsLost(String end)
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            if (end.startsWith("SET")) {
                donor.execute("SET autocommit = 0");
            }
            String token = export(donor);
            adopter.execute(BEGIN);
            adopt(adopter, token);
            verify(adopter, token);
            end(donor, end);
            late.execute(BEGIN);
            late.assertRefused(call("adopt", token), "no_such_snapshot");
            adopter.assertRefused(call("verify", token), "no_such_snapshot");
            // What it has adopted stays its own.
            assertThat(adopter.number(COUNT)).isEqualTo(3);
        }
    }

    private void end(Session donor, String how)
    {
        String id = donor.value("SELECT CONNECTION_ID()");
        switch (how) {
            case "kill" -> server.execute("KILL " + id);
            case "disconnect" -> donor.close();
            default -> {
                donor.execute(how);
                return;
            }
        }
        try (Session observer = new Session(server)) {
            Await.until("the donor is gone", () -> observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE id = " + id) == 0);
        }
    }

    @Test
    void testLostByTheAdopter()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server)) {
            String token = export(donor);
            server.execute("INSERT INTO s.t VALUES (4, 40)");
            adopter.execute(BEGIN);
            adopter.assertRefused(call("verify", token), "bad_snapshot");
            adopt(adopter, token);
            verify(adopter, token);
            adopter.execute(BEGIN);
            adopter.assertRefused(call("verify", token), "bad_snapshot");
            adopt(adopter, token);
            verify(adopter, token);
            adopter.execute("COMMIT");
            adopter.assertRefused(call("verify", token), "bad_snapshot");
        }
    }

    @Test
    void testAnotherAccount()
    {
        server.execute("CREATE USER IF NOT EXISTS other IDENTIFIED BY 'secret'", "GRANT ALL ON *.* TO other");
        try (Session donor = new Session(server); Session other = new Session(server, "other", "secret")) {
            String token = export(donor);
            other.execute(BEGIN);
            other.assertRefused(call("adopt", token), "no_such_snapshot");
            other.assertRefused(call("verify", token), "no_such_snapshot");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"''", "NULL", "1", "'xyz'", "'0123456789abcdef0123456789abcdeg'", "'0123456789ABCDEF0123456789ABCDEF'", "'0123456789abcdef0123456789abcdef00'", "1.5"})
    void testMalformedTokens(String token)
    {
        try (Session session = new Session(server)) {
            session.execute(BEGIN);
            session.assertRefused("SELECT mysql_pq_snapshot_adopt(%s)".formatted(token), "bad_argument");
            session.assertRefused("SELECT mysql_pq_snapshot_verify(%s)".formatted(token), "bad_argument");
        }
    }

    @Test
    void testUnknownToken()
    {
        try (Session session = new Session(server)) {
            session.execute(BEGIN);
            session.assertRefused(call("adopt", "0123456789abcdef0123456789abcdef"), "no_such_snapshot");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SET autocommit = 1",
            "SET autocommit = 0",
            "START TRANSACTION READ ONLY; SELECT * FROM s.t FOR SHARE",
            "START TRANSACTION",
            "SET autocommit = 0; SET SESSION TRANSACTION READ ONLY",
            "START TRANSACTION WITH CONSISTENT SNAPSHOT",
            "SET TRANSACTION ISOLATION LEVEL READ COMMITTED; START TRANSACTION READ ONLY; SELECT * FROM s.t",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; START TRANSACTION READ ONLY; SELECT * FROM s.t",
            "SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION READ ONLY; SELECT * FROM s.t",
            "XA START 'x'; SELECT * FROM s.t",
            "START TRANSACTION; SELECT * FROM s.t"})
    void testOtherTransactions(String begin)
    {
        try (Session donor = new Session(server); Session session = new Session(server)) {
            String token = export(donor);
            for (String statement : begin.split("; ", -1)) {
                if (statement.startsWith("SELECT")) {
                    session.values(statement);
                }
                else {
                    session.execute(statement);
                }
            }
            session.assertRefused("SELECT mysql_pq_snapshot_export()", "bad_snapshot");
            session.assertRefused(call("adopt", token), "bad_snapshot");
            session.assertRefused(call("verify", token), "bad_snapshot");
        }
    }

    @Test
    void testOneTokenForEachTransaction()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server)) {
            String token = export(donor);
            donor.assertRefused("SELECT mysql_pq_snapshot_export()", "bad_snapshot");
            adopter.execute(BEGIN);
            adopt(adopter, token);
            // Passed on from one to the next, a view could outlive every transaction that looks old.
            adopter.assertRefused("SELECT mysql_pq_snapshot_export()", "bad_snapshot");
            adopter.execute(BEGIN);
            export(adopter);
        }
    }

    // A SELECT without rows locks the table and opens no view; the export opens it.
    @ParameterizedTest
    @ValueSource(strings = {"s.t", "s.parts", "s.t JOIN s.parts USING (k)", "s.memory", "information_schema.tables"})
    void testExportOpensTheView(String locked)
    {
        server.execute("CREATE TABLE s.parts (k INT PRIMARY KEY) PARTITION BY HASH (k) PARTITIONS 3", "CREATE TABLE s.memory (k INT) ENGINE = MEMORY");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            donor.execute("START TRANSACTION READ ONLY");
            donor.values("SELECT 1 FROM %s LIMIT 0".formatted(locked));
            server.execute("INSERT INTO s.t VALUES (4, 40)");
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            server.execute("INSERT INTO s.t VALUES (5, 50)");
            adopter.execute("START TRANSACTION READ ONLY");
            adopt(adopter, token);
            assertThat(adopter.number(COUNT)).isEqualTo(4);
            assertThat(donor.number(COUNT)).isEqualTo(4);
            verify(adopter, token);
            // The view that was opened so is the transaction's like any other.
            donor.execute("COMMIT");
            assertThat(donor.number(COUNT)).isEqualTo(5);
            late.execute("START TRANSACTION READ ONLY");
            late.assertRefused(call("adopt", token), "no_such_snapshot");
        }
    }

    // A transaction that was begun for nothing must not stay behind.
    @Test
    void testRefusedAdoptionLeavesAnOrdinaryTransaction()
    {
        try (Session session = new Session(server)) {
            session.execute("START TRANSACTION READ ONLY");
            session.assertRefused(call("adopt", "0123456789abcdef0123456789abcdef"), "no_such_snapshot");
            session.assertRefused(call("verify", "0123456789abcdef0123456789abcdef"), "no_such_snapshot");
            server.execute("INSERT INTO s.t VALUES (4, 40)");
            assertThat(session.number(COUNT)).isEqualTo(4);
            session.execute("COMMIT", "INSERT INTO s.t VALUES (5, 50)");
            assertThat(session.number(COUNT)).isEqualTo(5);
        }
    }

    @Test
    void testStatementContext()
    {
        try (Session donor = new Session(server); Session session = new Session(server)) {
            String token = export(donor);
            session.execute(BEGIN);
            session.values("EXPLAIN " + call("adopt", token));
            session.assertRefused(call("verify", token), "bad_snapshot");
            session.assertRefused("SELECT mysql_pq_snapshot_adopt('%s') FROM s.t".formatted(token), "bad_context");
            session.assertRefused("SELECT k FROM s.t WHERE mysql_pq_snapshot_verify('%s') <> k".formatted(token), "bad_context");
            session.assertRefused("DO mysql_pq_snapshot_export()", "bad_context");
            session.execute("COMMIT", "CREATE TEMPORARY TABLE s.temporary (k INT)", BEGIN);
            session.assertRefused(call("adopt", token), "bad_context");
        }
    }

    @Test
    void testDisabled()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server)) {
            String token = export(donor);
            adopter.execute(BEGIN);
            server.execute("SET GLOBAL mysql_pq_enabled = OFF");
            adopter.assertRefused(call("adopt", token), "disabled");
            adopter.assertRefused("SELECT mysql_pq_snapshot_export()", "disabled");
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_enabled = ON");
        }
    }

    @Test
    void testUninstallWaitsForTheLastSnapshot()
    {
        try (Session donor = new Session(server); Session admin = new Session(server)) {
            export(donor);
            admin.assertFails("UNINSTALL PLUGIN mysql_pq", PLUGIN_CANNOT_BE_UNINSTALLED);
            donor.execute("COMMIT");
            admin.execute("UNINSTALL PLUGIN mysql_pq", "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
        }
    }

    @Test
    void testAtMostMaxSnapshots()
    {
        server.execute("SET GLOBAL mysql_pq_max_snapshots = 2");
        try (Session first = new Session(server); Session second = new Session(server); Session third = new Session(server)) {
            export(first);
            export(second);
            third.execute(BEGIN);
            third.assertRefused("SELECT mysql_pq_snapshot_export()", "too_many_snapshots");
            second.execute("COMMIT");
            export(third);
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_max_snapshots = DEFAULT");
        }
    }

    private static String export(Session donor)
    {
        donor.execute(BEGIN);
        String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
        assertThat(token).matches("[0-9a-f]{32}");
        return token;
    }

    private static void adopt(Session adopter, String token)
    {
        assertThat(RangePlan.json(adopter.value(call("adopt", token))).required("age_ms").longValue()).isBetween(0L, 60_000L);
    }

    private static void verify(Session adopter, String token)
    {
        assertThat(RangePlan.json(adopter.value(call("verify", token))).required("age_ms").longValue()).isBetween(0L, 60_000L);
    }

    private static String call(String function, String token)
    {
        return "SELECT mysql_pq_snapshot_%s('%s')".formatted(function, token);
    }
}
