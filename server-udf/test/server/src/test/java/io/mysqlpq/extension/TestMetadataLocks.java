package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests which table locks a call takes, keeps and leaves (hazards 1 and 16).
 */
@TestInstance(PER_CLASS)
class TestMetadataLocks
{
    private static final String CALL = "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 4)";
    private static final String[] DDL = {"ALTER TABLE s.t ADD COLUMN c INT", "TRUNCATE s.t", "DROP TABLE s.t", "RENAME TABLE s.t TO s.u"};

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @BeforeEach
    void createTable()
    {
        server.execute("CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY)", "INSERT INTO s.t VALUES (1), (2), (3)");
    }

    @AfterEach
    void dropTable()
    {
        server.execute("DROP SCHEMA s");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testReadersLockSurvivesCalls()
    {
        try (Session reader = new Session(server); Session ddl = new Session(server)) {
            reader.execute("START TRANSACTION READ ONLY", "SELECT * FROM s.t LIMIT 0");
            RangePlan.parse(reader.value(CALL));
            reader.value("SELECT mysql_pq_definition('s', 't', 'PRIMARY')");
            reader.failure("SELECT mysql_pq_ranges('s', 't', 'nowhere', 4)");
            ddl.execute("SET lock_wait_timeout = 1");
            for (String statement : DDL) {
                ddl.assertFails(statement, 1205);
            }
            assertThat(reader.number("SELECT COUNT(*) FROM s.t")).isEqualTo(3);
            reader.execute("COMMIT");
            ddl.execute("TRUNCATE s.t");
        }
    }

    // A call between two rows of a scan gave up the scan's lock in a prototype: TRUNCATE took the rest of its rows.
    @Test
    void testNotInsideAScan()
    {
        try (Session session = new Session(server)) {
            session.assertRefused("SELECT k, mysql_pq_definition('s', 't', 'PRIMARY') FROM s.t", "bad_context");
            session.assertRefused("SELECT k, mysql_pq_ranges('s', 't', 'PRIMARY', 4) FROM s.t", "bad_context");
            assertThat(session.number("SELECT COUNT(*) FROM s.t")).isEqualTo(3);
        }
    }

    /** The old clustered index is whole until the rebuilt one takes its place. */
    @Test
    void testOnlineRebuild()
    {
        server.execute(
                "CREATE TABLE s.big (k INT PRIMARY KEY, v CHAR(200))",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "INSERT INTO s.big WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200000) SELECT n, REPEAT('x', 200) FROM r");
        try (Session session = new Session(server)) {
            String definition = session.value("SELECT mysql_pq_definition('s', 'big', 'PRIMARY')");
            try (BackgroundCall rebuild = BackgroundCall.ofStatements(server, "ALTER TABLE s.big FORCE, ALGORITHM = INPLACE, LOCK = NONE")) {
                Await.until("the table is rebuilt", () -> session.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE state LIKE 'alter%table%' AND id = " + rebuild.connectionId()) == 1);
                session.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM s.big LIMIT 0");
                assertThat(RangePlan.ask(session, "s.big", "PRIMARY", 8).count()).isEqualTo(8);
                assertThat(session.value("SELECT mysql_pq_definition('s', 'big', 'PRIMARY')")).isEqualTo(definition);
                // It was rebuilt all the time.
                rebuild.awaitMetadataLockWait();
                session.execute("COMMIT");
                rebuild.end();
            }
            assertThat(RangePlan.ask(session, "s.big", "PRIMARY", 8).count()).isEqualTo(8);
        }
    }

    @Test
    void testAutocommitCallLeavesNoLock()
    {
        try (Session session = new Session(server)) {
            RangePlan.parse(session.value(CALL));
            session.failure("SELECT mysql_pq_ranges('s', 't', 'nowhere', 4)");
            assertThat(locksOnTable()).isZero();
        }
    }

    @Test
    void testTransactionEndsLocks()
    {
        try (Session session = new Session(server)) {
            session.execute("START TRANSACTION");
            RangePlan.parse(session.value(CALL));
            session.execute("COMMIT");
            assertThat(locksOnTable()).isZero();
        }
    }

    @Test
    void testCallDoesNotEndTransaction()
    {
        try (Session session = new Session(server)) {
            session.execute("START TRANSACTION", "INSERT INTO s.t VALUES (4)");
            RangePlan.parse(session.value(CALL));
            session.failure("SELECT mysql_pq_ranges('s', 't', 'nowhere', 4)");
            session.execute("ROLLBACK");
            assertThat(session.number("SELECT COUNT(*) FROM s.t")).isEqualTo(3);
        }
    }

    @Test
    void testCallsDoNotWaitForWriters()
    {
        try (Session writer = new Session(server); Session session = new Session(server)) {
            writer.execute("START TRANSACTION", "DELETE FROM s.t");
            session.execute("SET lock_wait_timeout = 1");
            RangePlan.parse(session.value(CALL));
            writer.execute("ROLLBACK");
        }
    }

    private long locksOnTable()
    {
        try (Session observer = new Session(server)) {
            return observer.number("SELECT COUNT(*) FROM performance_schema.metadata_locks WHERE object_schema = 's' AND object_name = 't'");
        }
    }
}
