package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the system variables and the status counters.
 */
@TestInstance(PER_CLASS)
class TestEnabled
{
    private static final String CALL = "SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 64)";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @BeforeAll
    void createTable()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = 20000",
                    "CREATE SCHEMA s",
                    "CREATE TABLE s.t (k INT PRIMARY KEY, filler CHAR(200) DEFAULT 'x')",
                    "INSERT INTO s.t (k) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) SELECT i FROM s");
        }
    }

    @AfterEach
    void resetVariables()
    {
        server.execute("SET GLOBAL mysql_pq_enabled = ON", "SET GLOBAL mysql_pq_max_ranges = DEFAULT");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testKillSwitch()
    {
        try (Session session = new Session(server)) {
            session.execute("SET GLOBAL mysql_pq_enabled = OFF");
            session.assertRefused(CALL, "disabled");
            session.assertRefused("SELECT mysql_pq_definition('s', 't', 'PRIMARY')", "disabled");
            session.execute("SET GLOBAL mysql_pq_enabled = ON");
            assertThat(RangePlan.parse(session.value(CALL)).count()).isEqualTo(64);
        }
    }

    @Test
    void testMaxRanges()
    {
        try (Session session = new Session(server)) {
            session.execute("SET GLOBAL mysql_pq_max_ranges = 10");
            RangePlan plan = RangePlan.parse(session.value(CALL));
            assertThat(plan.count()).isEqualTo(10);
            assertThat(plan.reply().required("count_clamped").booleanValue()).isTrue();
            assertThat(plan.reply().required("count_requested").intValue()).isEqualTo(64);
        }
    }

    @Test
    void testVariablesNeedPrivilege()
    {
        server.execute("CREATE USER plain IDENTIFIED BY 'secret'");
        try (Session session = new Session(server, "plain", "secret")) {
            session.assertFails("SET GLOBAL mysql_pq_enabled = OFF", 1227);
            session.assertFails("SET GLOBAL mysql_pq_max_ranges = 1", 1227);
        }
    }

    @Test
    void testCounters()
    {
        try (Session session = new Session(server)) {
            StatusCounters before = StatusCounters.read(session);
            int pages = RangePlan.parse(session.value(CALL)).reply().required("pages_read").intValue();
            session.failure("SELECT mysql_pq_ranges('s', 't', 'PRIMARY', 0)");
            StatusCounters after = StatusCounters.read(session);
            assertThat(pages).isPositive();
            assertThat(after.calls() - before.calls()).isEqualTo(2);
            assertThat(after.refused() - before.refused()).isEqualTo(1);
            assertThat(after.pagesRead() - before.pagesRead()).isEqualTo(pages);
            assertThat(after.running()).isZero();
        }
    }

    @Test
    void testMemoryIsFreed()
    {
        try (Session session = new Session(server)) {
            session.value(CALL);
            long before = serverMemory(session);
            for (int i = 0; i < 500; i++) {
                session.value(CALL);
            }
            // Each call leaked 2.9 KB in the prototype (hazard 10), which would be 1.4 MB.
            assertThat(serverMemory(session) - before).isLessThan(500_000);
        }
    }

    private static long serverMemory(Session session)
    {
        return session.number("SELECT total_memory FROM (SELECT SUM(current_number_of_bytes_used) AS total_memory FROM performance_schema.memory_summary_by_thread_by_event_name m JOIN performance_schema.threads USING (thread_id) WHERE processlist_id = CONNECTION_ID()) m");
    }
}
