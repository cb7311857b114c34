package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that mysql_pq_snapshot_position() names exactly the transactions whose rows its snapshot has. */
@TestInstance(PER_CLASS)
class TestSnapshotPosition
{
    private static final String WRITERS = "11111111-2222-3333-4444-555555555555";
    private static final String POSITION = "SELECT mysql_pq_snapshot_position()";
    private static final int ACCESS_DENIED = 1227;
    private static final int LOCK_WAIT_TIMEOUT = 1205;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder()
            .extension(true)
            .binaryLog()
            .option("gtid-mode", "ON")
            .option("enforce-gtid-consistency", "ON")
            .start();

    @BeforeEach
    void createTable()
    {
        server.execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY)", "RESET BINARY LOGS AND GTIDS");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    /** Each writer's transaction has the number of its row. */
    @ParameterizedTest
    @ValueSource(strings = {"ON", "OFF"})
    void testNamesWhatTheSnapshotHas(String commitsInOrder)
    {
        server.execute("SET GLOBAL binlog_order_commits = " + commitsInOrder);
        AtomicLong next = new AtomicLong();
        AtomicBoolean stopped = new AtomicBoolean();
        BackgroundTasks writers = new BackgroundTasks();
        for (int i = 0; i < 6; i++) {
            writers.start(() -> write(next, stopped));
        }
        try (Session reader = new Session(server)) {
            for (int i = 0; i < 60; i++) {
                long before = next.get();
                Await.until("commits go on", () -> next.get() > before + 10);
                reader.execute("START TRANSACTION READ ONLY");
                String position = gtids(reader.value(POSITION));
                String rows = WRITERS + ":" + String.join(":", reader.values("SELECT k FROM s.t"));
                reader.execute("COMMIT");
                assertThat(reader.value("SELECT GTID_SUBTRACT('%s', '%s')".formatted(position, rows))).as("numbers without a row").doesNotContain(WRITERS);
                assertThat(reader.value("SELECT GTID_SUBTRACT('%s', '%s')".formatted(rows, position))).as("rows without a number").isEmpty();
            }
        }
        finally {
            stopped.set(true);
            writers.await();
        }
    }

    private void write(AtomicLong next, AtomicBoolean stopped)
    {
        try (Session session = new Session(server)) {
            while (!stopped.get()) {
                write(session, next.incrementAndGet());
            }
        }
    }

    @Test
    void testReadersShareTheSnapshot()
    {
        try (Session donor = new Session(server); Session reader = new Session(server)) {
            donor.execute("START TRANSACTION READ ONLY");
            String position = gtids(donor.value(POSITION));
            server.execute("INSERT INTO s.t VALUES (1)");
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            reader.execute("START TRANSACTION READ ONLY");
            reader.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            assertThat(reader.number("SELECT COUNT(*) FROM s.t")).isZero();
            assertThat(reader.value("SELECT GTID_SUBTRACT(@@GLOBAL.gtid_executed, '%s')".formatted(position))).endsWith(":1");
        }
    }

    @Test
    void testRefusals()
    {
        server.execute("CREATE USER u", "GRANT SELECT ON s.* TO u");
        try (Session session = new Session(server); Session user = new Session(server, "u", ""); Session other = new Session(server)) {
            user.execute("START TRANSACTION READ ONLY");
            user.assertFails(POSITION, ACCESS_DENIED);
            session.assertRefused(POSITION, "bad_snapshot", "START TRANSACTION READ ONLY");
            session.execute("START TRANSACTION READ ONLY");
            session.values("SELECT k FROM s.t");
            session.assertRefused(POSITION, "bad_snapshot", "opened its snapshot already");
            session.execute("ROLLBACK", "START TRANSACTION READ ONLY");
            session.value(POSITION);
            session.assertRefused(POSITION, "bad_snapshot", "opened its snapshot already");

            other.execute("XA START 'x'", "INSERT INTO s.t VALUES (7)", "XA END 'x'", "XA PREPARE 'x'");
            session.execute("ROLLBACK", "START TRANSACTION READ ONLY");
            session.assertRefused(POSITION, "bad_context", "1 XA transactions");
            other.execute("XA COMMIT 'x'");
            session.value(POSITION);
            assertThat(session.values("SELECT k FROM s.t")).containsExactly("7");

            server.execute("SET GLOBAL gtid_mode = ON_PERMISSIVE");
            session.execute("ROLLBACK", "START TRANSACTION READ ONLY");
            session.assertRefused(POSITION, "bad_context", "gtid_mode must be ON");
        }
        finally {
            server.execute("SET GLOBAL gtid_mode = ON", "DROP USER u");
        }
    }

    @Test
    void testWithoutBinaryLog()
    {
        try (MysqlServer other = MysqlServer.builder().extension(true).option("gtid-mode", "ON").option("enforce-gtid-consistency", "ON").start(); Session session = new Session(other)) {
            session.execute("START TRANSACTION READ ONLY");
            session.assertRefused(POSITION, "bad_context", "log_bin must be ON");
        }
    }

    /** A commit that waits for a replica's answer ends late. */
    @Test
    void testCommitsThatDoNotEnd()
    {
        BackgroundTasks tasks = new BackgroundTasks();
        server.execute("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'", "SET GLOBAL rpl_semi_sync_source_timeout = 60000", "SET GLOBAL rpl_semi_sync_source_enabled = ON");
        try (Session session = new Session(server); Session committer = new Session(server); Session later = new Session(server)) {
            tasks.start(() -> committer.execute("INSERT INTO s.t VALUES (1)"));
            Await.until("a commit waits", () -> semiSyncWaits(session) == 1);
            session.execute("START TRANSACTION READ ONLY");
            session.assertFails(POSITION, LOCK_WAIT_TIMEOUT);
            // What waited behind it goes on, and the session holds nothing.
            tasks.start(() -> later.execute("INSERT INTO s.t VALUES (2)"));
            Await.until("two commits have begun", () -> begunCommits(session) == 2);
            server.execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF");
            tasks.await();
            // They are left alone for a second.
            Await.until("commits may have to wait again", () -> isTold(session));
            assertThat(session.values("SELECT k FROM s.t")).containsExactly("1", "2");
        }
        finally {
            server.execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF", "UNINSTALL PLUGIN rpl_semi_sync_source");
        }
    }

    @Test
    void testWaitsForTransactions()
    {
        BackgroundTasks tasks = new BackgroundTasks();
        try (Session session = new Session(server); Session writer = new Session(server)) {
            write(writer, 1);
            session.execute("START TRANSACTION READ ONLY");
            tasks.start(() -> assertThat(gtids(session.value(awaiting(WRITERS + ":1-2", 1000)))).isEqualTo(WRITERS + ":1-2"));
            Await.until("the call runs", () -> isRunning(writer));
            write(writer, 2);
            tasks.await();
            write(writer, 3);
            assertThat(session.values("SELECT k FROM s.t")).containsExactly("1", "2");

            // A server that has others besides shows all.
            session.execute("COMMIT", "START TRANSACTION READ ONLY");
            assertThat(gtids(session.value(awaiting(WRITERS + ":1-2", 1000)))).isEqualTo(WRITERS + ":1-3");
            session.execute("COMMIT", "START TRANSACTION READ ONLY");
            assertThat(gtids(session.value(awaiting("22222222-2222-3333-4444-555555555555:1-9", 1000)))).isEqualTo(WRITERS + ":1-3");
            assertThat(session.values("SELECT k FROM s.t")).containsExactly("1", "2", "3");
        }
    }

    @Test
    void testWaitHasALimit()
    {
        try (Session session = new Session(server); Session writer = new Session(server)) {
            write(writer, 1);
            session.execute("START TRANSACTION READ ONLY");
            assertThat(gtids(session.value(awaiting(WRITERS + ":1-2", 50)))).isEqualTo(WRITERS + ":1");
            write(writer, 2);
            assertThat(session.values("SELECT k FROM s.t")).containsExactly("1");
        }
    }

    @Test
    void testFewWaitAtOnce()
    {
        BackgroundTasks tasks = new BackgroundTasks();
        try (Session observer = new Session(server)) {
            for (int i = 0; i < 8; i++) {
                tasks.start(() -> {
                    try (Session session = new Session(server)) {
                        session.execute("START TRANSACTION READ ONLY");
                        session.value(awaiting(WRITERS + ":1-9", 1000));
                    }
                });
            }
            Await.until("eight calls run", () -> observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE info LIKE 'SELECT mysql_pq_snapshot_position(%'") == 8);
            observer.execute("START TRANSACTION READ ONLY");
            observer.assertRefused(awaiting(WRITERS + ":1-9", 1000), "bad_context", "ask again in a moment");
        }
        tasks.await();
    }

    /** MySQL needs a time that grows with the square of the intervals. */
    @Test
    void testLongSetIsRefused()
    {
        try (Session session = new Session(server)) {
            session.execute("START TRANSACTION READ ONLY");
            session.assertRefused(awaiting(WRITERS + ":1".repeat(40_000), 100), "bad_argument", "at most 65536 bytes: it has 80036");
        }
    }

    /** The call finds no moment without commits, and keeps none of them waiting. */
    @Test
    void testCommitsDoNotWaitForACallThatWaits()
    {
        BackgroundTasks tasks = new BackgroundTasks();
        server.execute("INSTALL PLUGIN rpl_semi_sync_source SONAME 'semisync_source.so'", "SET GLOBAL rpl_semi_sync_source_timeout = 60000", "SET GLOBAL rpl_semi_sync_source_enabled = ON");
        try (Session session = new Session(server); Session committer = new Session(server); Session later = new Session(server)) {
            tasks.start(() -> committer.execute("INSERT INTO s.t VALUES (1)"));
            Await.until("a commit waits", () -> semiSyncWaits(session) == 1);
            session.execute("START TRANSACTION READ ONLY");
            BackgroundTasks calls = new BackgroundTasks();
            calls.start(() -> session.assertFails(awaiting("", 1000), LOCK_WAIT_TIMEOUT));
            try (Session observer = new Session(server)) {
                Await.until("the call runs", () -> isRunning(observer));
                tasks.start(() -> later.execute("INSERT INTO s.t VALUES (2)"));
                Await.until("two commits have begun", () -> begunCommits(observer) == 2);
                assertThat(isRunning(observer)).as("the call still looks").isTrue();
            }
            calls.await();
            server.execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF");
            tasks.await();
        }
        finally {
            server.execute("SET GLOBAL rpl_semi_sync_source_enabled = OFF", "UNINSTALL PLUGIN rpl_semi_sync_source");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'no set', 100 | 'no set' must be a set of GTIDs
            '11111111-2222-3333-4444-555555555555:0', 100 | must be a set of GTIDs as MySQL writes it
            NULL, 100 | must be text
            7, 100 | must be text
            '', 0 | milliseconds from 1 to 1000
            '', 1001 | milliseconds from 1 to 1000
            '', NULL | milliseconds from 1 to 1000
            '' | milliseconds from 1 to 1000
            """, quoteCharacter = '"')
    void testRefusesOtherArguments(String arguments, String rule)
    {
        try (Session session = new Session(server)) {
            session.execute("START TRANSACTION READ ONLY");
            session.assertRefused("SELECT mysql_pq_snapshot_position(%s)".formatted(arguments), "bad_argument", rule);
        }
    }

    private static void write(Session session, long number)
    {
        session.execute("SET gtid_next = '%s:%d'".formatted(WRITERS, number), "INSERT INTO s.t VALUES (%d)".formatted(number));
    }

    private static String awaiting(String gtids, int milliseconds)
    {
        return "SELECT mysql_pq_snapshot_position('%s', %d)".formatted(gtids, milliseconds);
    }

    private static boolean isRunning(Session observer)
    {
        return observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE info LIKE 'SELECT mysql_pq_snapshot_position(%'") == 1;
    }

    private static long begunCommits(Session session)
    {
        return session.number("SELECT COUNT(*) FROM performance_schema.metadata_locks WHERE object_type = 'COMMIT' AND lock_status = 'GRANTED'");
    }

    private static long semiSyncWaits(Session session)
    {
        return session.number("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Rpl_semi_sync_source_wait_sessions'");
    }

    private static boolean isTold(Session session)
    {
        try {
            return !session.query(POSITION).isEmpty();
        }
        catch (SQLException e) {
            assertThat(e.getMessage()).contains("ask again in a moment");
            return false;
        }
    }

    private static String gtids(String reply)
    {
        return RangePlan.json(reply).required("gtid_executed").textValue();
    }
}
