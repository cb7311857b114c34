package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests INSTALL and UNINSTALL PLUGIN, also under running calls (hazard 7).
 */
@TestInstance(PER_CLASS)
class TestInstall
{
    // "No database selected": without a default schema the server cannot look for a stored function of that name.
    private static final int NO_SUCH_FUNCTION = 1046;
    // After the statement was parsed.
    private static final int FUNCTION_GONE = 1122;
    private static final int NO_SUCH_TABLE = 1146;
    private static final int CANNOT_BE_UNINSTALLED = 1883;
    private static final String BEING_UNINSTALLED = "mysql_pq: disabled: mysql_pq is being uninstalled";
    // Between finding the function and preparing it MySQL resolves the arguments.
    private static final String LONG_TO_PREPARE = "SELECT mysql_pq_definition('mysql', 'nothing', CONCAT('PRIMARY'%s))".formatted(", ''".repeat(5_000));
    private static final String INSTALL = "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'";
    // It ends when the lock is let go, however long a busy machine needs for what is done meanwhile.
    private static final String CALL_BETWEEN_ROWS = "SELECT SUM(LENGTH(mysql_pq_version()) > 0 AND GET_LOCK('held', 600) = 1) FROM (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) r";
    private static final String HOLD = "DO GET_LOCK('held', 0)";
    private static final String LET_GO = "DO RELEASE_LOCK('held')";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testCycles()
    {
        try (Session session = new Session(server)) {
            session.execute("CREATE SCHEMA cycles", "CREATE TABLE cycles.t (k INT PRIMARY KEY)");
            for (int i = 0; i < 50; i++) {
                session.execute("UNINSTALL PLUGIN mysql_pq");
                assertAbsent(session);
                session.execute(INSTALL);
                RangePlan.ask(session, "cycles.t", "PRIMARY", 4);
            }
        }
    }

    @Test
    void testSurvivesRestart()
    {
        server.restart();
        try (Session session = new Session(server)) {
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"protocol\"");
        }
    }

    @Test
    void testUninstallIsRefusedDuringCall()
    {
        try (Session blocker = new Session(server); Session admin = new Session(server)) {
            blocker.execute("CREATE SCHEMA busy", "CREATE TABLE busy.t (k INT PRIMARY KEY)", "LOCK TABLES busy.t WRITE");
            try (BackgroundCall call = new BackgroundCall(server, RangePlan.call("busy.t", "PRIMARY", 4, null)).awaitMetadataLockWait()) {
                admin.failure("UNINSTALL PLUGIN mysql_pq");
                // A refused UNINSTALL leaves everything as it was, for the running call and for new ones.
                assertThat(admin.value("SELECT mysql_pq_version()")).contains("\"enabled\": true");
                blocker.execute("UNLOCK TABLES");
                RangePlan.parse(call.value());
            }
            admin.execute("UNINSTALL PLUGIN mysql_pq");
            assertAbsent(admin);
            admin.execute(INSTALL);
        }
    }

    // Others find the functions, and find them open, at every moment of an UNINSTALL that is refused.
    @Test
    void testRefusedUninstallDisturbsNobody()
            throws Exception
    {
        try (Session admin = new Session(server).execute(HOLD);
                Session other = new Session(server);
                BackgroundCall holder = new BackgroundCall(server, CALL_BETWEEN_ROWS)) {
            awaitCallBetweenRows(admin, holder);
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicInteger calls = new AtomicInteger();
            Thread caller = Thread.ofPlatform().start(() -> {
                try {
                    while (!done.get()) {
                        other.value("SELECT mysql_pq_version()");
                        other.assertFails("SELECT mysql_pq_scan('s', 't', 'PRIMARY', 'no token', '{}')", Session.UDF_ERROR);
                        calls.incrementAndGet();
                    }
                }
                catch (Throwable e) {
                    failure.set(e);
                }
            });
            try {
                for (int i = 0; i < 200; i++) {
                    admin.failure("UNINSTALL PLUGIN mysql_pq");
                }
                Await.until("others call", () -> calls.get() > 20 || failure.get() != null);
            }
            finally {
                done.set(true);
                caller.join();
            }
            assertThat(failure.get()).isNull();
            admin.execute(LET_GO);
            assertThat(holder.value()).isEqualTo("3");
        }
    }

    // A statement may find a function when the plugin is as good as gone. It fails with one of two errors, whichever moment it meets:
    // SHOW STATUS draws that moment out, for it holds a mutex that UNINSTALL needs.
    @Test
    void testCallsThatMeetAnUninstall()
            throws Exception
    {
        AtomicBoolean done = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        AtomicInteger met = new AtomicInteger();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            others.add(repeat(done, failure, session -> callOrMeet(session, met)));
            others.add(repeat(done, failure, session -> session.values("SHOW GLOBAL STATUS LIKE 'nothing'")));
        }
        try (Session admin = new Session(server)) {
            Await.until("uninstallations meet calls", Duration.ofMinutes(2), () -> {
                if (isDone(admin, "UNINSTALL PLUGIN mysql_pq")) {
                    admin.execute(INSTALL);
                }
                return met.get() >= 20 || failure.get() != null;
            });
        }
        finally {
            done.set(true);
            for (Thread other : others) {
                other.join();
            }
        }
        assertThat(failure.get()).isNull();
    }

    private Thread repeat(AtomicBoolean done, AtomicReference<Throwable> failure, Consumer<Session> step)
    {
        return Thread.ofPlatform().start(() -> {
            try (Session session = new Session(server)) {
                while (!done.get()) {
                    step.accept(session);
                }
            }
            catch (Throwable e) {
                failure.set(e);
            }
        });
    }

    private static void callOrMeet(Session session, AtomicInteger met)
    {
        LockSupport.parkNanos(1_000_000);
        try {
            session.query(LONG_TO_PREPARE);
        }
        catch (SQLException e) {
            if (e.getErrorCode() == Session.UDF_ERROR) {
                met.incrementAndGet();
                assertThat(e.getMessage()).isEqualTo(BEING_UNINSTALLED);
            }
            else {
                assertThat(e.getErrorCode()).as(e.getMessage()).isIn(NO_SUCH_TABLE, NO_SUCH_FUNCTION, FUNCTION_GONE);
            }
        }
    }

    private static boolean isDone(Session session, String sql)
    {
        try {
            session.query(sql);
            return true;
        }
        catch (SQLException e) {
            assertThat(e.getErrorCode()).as(e.getMessage()).isEqualTo(CANNOT_BE_UNINSTALLED);
            return false;
        }
    }

    // A statement that holds the function between two rows is a call too.
    @Test
    void testUninstallIsRefusedBetweenRows()
    {
        try (Session admin = new Session(server).execute(HOLD); BackgroundCall call = new BackgroundCall(server, CALL_BETWEEN_ROWS)) {
            awaitCallBetweenRows(admin, call);
            admin.failure("UNINSTALL PLUGIN mysql_pq");
            admin.execute(LET_GO);
            assertThat(call.value()).isEqualTo("3");
        }
    }

    // While the extension is disabled, what uses it ends by itself.
    @Test
    void testUninstallWaitsWhileDisabled()
    {
        try (Session admin = new Session(server).execute(HOLD); Session other = new Session(server); BackgroundCall call = new BackgroundCall(server, CALL_BETWEEN_ROWS)) {
            awaitCallBetweenRows(admin, call);
            admin.execute("SET GLOBAL mysql_pq_enabled = OFF");
            try (BackgroundCall uninstall = BackgroundCall.ofStatements(server, "UNINSTALL PLUGIN mysql_pq")) {
                awaitClosedGate(other);
                assertThat(uninstall.isDone()).isFalse();
                admin.execute(LET_GO);
                assertThat(call.failure().getMessage()).isEqualTo(BEING_UNINSTALLED);
                uninstall.end();
            }
            assertAbsent(admin);
            admin.execute(INSTALL);
            assertThat(admin.value("SELECT mysql_pq_version()")).contains("\"enabled\": true");
        }
    }

    @Test
    void testUninstallThatIsKilledChangesNothing()
    {
        try (Session admin = new Session(server).execute(HOLD); Session other = new Session(server); BackgroundCall call = new BackgroundCall(server, CALL_BETWEEN_ROWS)) {
            awaitCallBetweenRows(admin, call);
            admin.execute("SET GLOBAL mysql_pq_enabled = OFF");
            try (BackgroundCall uninstall = BackgroundCall.ofStatements(server, "UNINSTALL PLUGIN mysql_pq")) {
                awaitClosedGate(other);
                admin.execute("KILL QUERY " + uninstall.connectionId());
                assertThat((Throwable) uninstall.failureIfAny().orElseThrow()).isNotNull();
            }
            admin.execute("SET GLOBAL mysql_pq_enabled = ON", LET_GO);
            assertThat(other.value("SELECT mysql_pq_version()")).contains("\"enabled\": true");
            assertThat(call.value()).isEqualTo("3");
        }
    }

    private static void awaitClosedGate(Session session)
    {
        Await.until("new calls are refused", () -> {
            try {
                session.query("SELECT mysql_pq_version()");
                return false;
            }
            catch (SQLException e) {
                assertThat(e.getMessage()).isEqualTo(BEING_UNINSTALLED);
                return true;
            }
        });
    }

    private static void awaitCallBetweenRows(Session admin, BackgroundCall call)
    {
        Await.until("the call waits between rows", () -> admin.number(
                "SELECT COUNT(*) FROM performance_schema.processlist WHERE id = %s AND state = 'User lock'".formatted(call.connectionId())) == 1);
    }

    // A prepared statement holds the function only while it runs.
    @Test
    void testUninstallUnderPreparedStatement()
    {
        try (Session session = new Session(server); Session admin = new Session(server)) {
            session.execute("PREPARE p FROM 'SELECT mysql_pq_version()'");
            session.value("EXECUTE p");
            admin.execute("UNINSTALL PLUGIN mysql_pq");
            session.failure("EXECUTE p");
            admin.execute(INSTALL);
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"protocol\"");
        }
    }

    @Test
    void testSecondInstallIsRefused()
    {
        try (Session session = new Session(server)) {
            session.assertFails(INSTALL, 1125);
            assertThat(session.value("SELECT mysql_pq_version()")).contains("\"protocol\"");
        }
    }

    private static void assertAbsent(Session session)
    {
        session.assertFails("SELECT mysql_pq_version()", NO_SUCH_FUNCTION);
        session.assertFails("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4)", NO_SUCH_FUNCTION);
        session.assertFails("SELECT mysql_pq_definition('s', 't', 'PRIMARY')", NO_SUCH_FUNCTION);
    }
}
