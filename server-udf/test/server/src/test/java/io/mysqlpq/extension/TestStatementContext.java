package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that only a top-level SELECT gets ranges (hazard 11).
 */
@TestInstance(PER_CLASS)
class TestStatementContext
{
    private static final String CALL = "mysql_pq_ranges('s', 't', 'PRIMARY', 4)";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createObjects()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY)",
                "INSERT INTO s.t VALUES (1), (2), (3)",
                "CREATE TABLE s.out_rows (v TEXT)",
                "INSERT INTO s.out_rows VALUES ('untouched')",
                "CREATE TABLE s.with_trigger (v TEXT)",
                "CREATE TRIGGER s.tr BEFORE INSERT ON s.with_trigger FOR EACH ROW SET NEW.v = " + CALL,
                "CREATE FUNCTION s.f() RETURNS TEXT READS SQL DATA RETURN " + CALL,
                "CREATE PROCEDURE s.p() SELECT " + CALL,
                "CREATE VIEW s.v AS SELECT %s AS reply".formatted(CALL));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "UPDATE s.out_rows SET v = %s",
            "INSERT INTO s.out_rows VALUES (%s)",
            "INSERT INTO s.out_rows SELECT %s",
            "REPLACE INTO s.out_rows SELECT %s",
            "DELETE FROM s.out_rows WHERE v = %s",
            "CREATE TABLE s.made AS SELECT %s AS v",
            "SET @v = %s",
            "DO %s",
            "INSERT INTO s.with_trigger VALUES ('x')",
            "SELECT s.f()",
            "CALL s.p()"})
    void testNotTopLevelSelect(String statement)
    {
        try (Session session = new Session(server)) {
            session.assertRefused(statement.formatted(CALL), "bad_context");
            session.assertRefused(statement.replace("mysql_pq_ranges", "mysql_pq_definition").formatted("mysql_pq_definition('s', 't', 'PRIMARY')"), "bad_context");
            assertThat(session.values("SELECT v FROM s.out_rows")).containsExactly("untouched");
        }
    }

    // It reads a table, and may evaluate its condition where a page is latched.
    @Test
    void testHandler()
    {
        try (Session session = new Session(server)) {
            session.execute("HANDLER s.t OPEN AS h");
            session.assertRefused("HANDLER h READ FIRST WHERE mysql_pq_version() IS NOT NULL", "bad_context");
            session.execute("HANDLER h CLOSE");
        }
    }

    @Test
    void testExplainDoesNotWalk()
    {
        try (Session session = new Session(server)) {
            for (String explain : new String[] {"EXPLAIN ", "EXPLAIN FORMAT=TREE ", "EXPLAIN FORMAT=JSON ", "EXPLAIN ANALYZE "}) {
                for (String select : new String[] {"SELECT %s", "SELECT * FROM s.t WHERE %s IS NOT NULL", "SELECT * FROM (SELECT %s AS r) d", "SELECT k, %s FROM s.t ORDER BY 2"}) {
                    long pages = pagesRead(session);
                    refuseOrExplain(session, explain + select.formatted(CALL));
                    assertThat(pagesRead(session)).as(explain + select).isEqualTo(pages);
                }
            }
        }
    }

    @Test
    void testLockTables()
    {
        try (Session session = new Session(server)) {
            session.execute("LOCK TABLES s.t READ");
            session.assertRefused("SELECT " + CALL, "bad_context");
            session.execute("LOCK TABLES s.out_rows WRITE");
            session.assertRefused("SELECT " + CALL, "bad_context");
            session.execute("UNLOCK TABLES");
            RangePlan.parse(session.value("SELECT " + CALL));
        }
    }

    @Test
    void testTopLevelSelects()
    {
        try (Session session = new Session(server)) {
            RangePlan.parse(session.value("SELECT " + CALL));
            RangePlan.parse(session.value("SELECT r FROM (SELECT %s AS r) d".formatted(CALL)));
            session.execute("START TRANSACTION");
            RangePlan.parse(session.value("SELECT " + CALL));
            session.execute("COMMIT");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT COUNT(*) FROM s.t WHERE %s IS NOT NULL", "SELECT k, %s FROM s.t", "SELECT k FROM s.t ORDER BY %s", "SELECT (SELECT %s FROM s.t LIMIT 1)"})
    void testSelectThatReadsTables(String select)
    {
        try (Session session = new Session(server)) {
            session.assertRefused(select.formatted(CALL), "bad_context", "reads tables");
        }
    }

    @Test
    void testPreparedStatement()
    {
        try (Session session = new Session(server)) {
            session.execute("PREPARE p FROM 'SELECT mysql_pq_ranges(?, ?, ?, ?)'", "SET @s = 's', @t = 't', @i = 'PRIMARY', @n = 4");
            for (int i = 0; i < 3; i++) {
                RangePlan.parse(session.value("EXECUTE p USING @s, @t, @i, @n"));
            }
            session.execute("SET @n = 0");
            session.assertRefused("EXECUTE p USING @s, @t, @i, @n", "bad_argument");
        }
    }

    private static long pagesRead(Session session)
    {
        return StatusCounters.read(session).pagesRead();
    }

    // Either is right, as long as nothing is walked: EXPLAIN need not evaluate the function at all.
    private static void refuseOrExplain(Session session, String sql)
    {
        try {
            session.values(sql);
        }
        catch (AssertionError e) {
            assertThat(e).hasMessageContaining("mysql_pq: bad_context: ");
        }
    }
}
