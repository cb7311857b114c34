package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that replies, calls and pages are bounded.
 */
@TestInstance(PER_CLASS)
class TestLimits
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "200000").start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTables()
    {
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, filler CHAR(100) DEFAULT 'x')",
                "INSERT INTO s.t (k) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 200000) SELECT i FROM s",
                "CREATE TABLE s.wide (k VARCHAR(700) PRIMARY KEY)",
                "INSERT INTO s.wide SELECT CONCAT(k, REPEAT('w', 690)) FROM s.t WHERE k < 20000");
    }

    @Test
    void testReplyBeyondMaxAllowedPacket()
    {
        server.execute("SET GLOBAL max_allowed_packet = 100000");
        try (Session session = new Session(server)) {
            session.assertRefused(RangePlan.call("s.wide", "PRIMARY", 2_000, null), "too_large");
            RangePlan.ask(session, "s.wide", "PRIMARY", 10);
        }
        finally {
            server.execute("SET GLOBAL max_allowed_packet = DEFAULT");
        }
    }

    @Test
    void testManyCallsInOneStatement()
    {
        try (Session session = new Session(server)) {
            session.assertRefused("""
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    SELECT SUM(LENGTH(mysql_pq_ranges('s', 't', 'PRIMARY', 1 + i % 8))) FROM n""", "bad_context");
        }
    }

    // A plan reads upper levels, and a leaf for each boundary, whatever the table's size.
    @Test
    void testFewPagesAreRead()
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 4).reply().required("pages_read").intValue()).isLessThan(10 + 4);
            RangePlan large = RangePlan.ask(session, "s.t", "PRIMARY", 4_096);
            assertThat(large.reply().required("pages_read").intValue()).isLessThan(20 + large.count());
        }
    }

    @Test
    void testWideKeys()
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "s.wide", "PRIMARY", 64);
            assertThat(plan.count()).isBetween(48, 64);
            RangeLaw law = new RangeLaw(session, "s.wide", plan);
            law.assertReadersFindAllRows();
            law.assertBoundariesAreRows();
        }
    }
}
