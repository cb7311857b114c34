package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a session's temporary table never hides which table a plan is of (hazard 15).
 */
@TestInstance(PER_CLASS)
class TestTemporaryTables
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testSessionWithTemporaryTableIsRefused()
    {
        server.execute("CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY)");
        try (Session session = new Session(server); Session other = new Session(server)) {
            session.execute("CREATE TEMPORARY TABLE s.t (other VARCHAR(10) PRIMARY KEY)");
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, null), "bad_context", "temporary");
            session.assertRefused("SELECT mysql_pq_definition('s', 't', 'PRIMARY')", "bad_context", "temporary");
            assertThat(RangePlan.ask(other, "s.t", "PRIMARY", 4).columns()).map(KeyColumn::name).containsExactly("k");
            session.execute("DROP TEMPORARY TABLE s.t");
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 4).columns()).map(KeyColumn::name).containsExactly("k");
        }
    }
}
