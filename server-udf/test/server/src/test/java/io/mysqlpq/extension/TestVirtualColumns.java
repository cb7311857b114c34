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
 * Tests secondary indexes on virtual columns, which InnoDB numbers apart from the others.
 */
@TestInstance(PER_CLASS)
class TestVirtualColumns
{
    private static final int COLUMN_ACCESS_DENIED = 1143;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA s",
                """
                CREATE TABLE s.t (
                    v0 INT AS (k + 10) VIRTUAL, k INT PRIMARY KEY, v1 INT AS (k + 20) VIRTUAL,
                    v2 INT AS (k + 30) VIRTUAL, KEY by_v1 (v1))""",
                "INSERT INTO s.t (k) VALUES (1), (2), (3)");
    }

    @Test
    void testNamesTheIndexedColumn()
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.parse(session.value(RangePlan.call("s.t", "by_v1", 4, "{\"leaf\": true}")));
            assertThat(plan.columns()).extracting(KeyColumn::name).containsExactly("v1", "k");
        }
    }

    // The grant on a neighbour must not show the indexed column's values.
    @Test
    void testGrantOfAnotherVirtualColumn()
    {
        server.execute("CREATE USER reader@'%' IDENTIFIED BY 'p'", "GRANT SELECT (v2, k) ON s.t TO reader@'%'");
        try (Session session = new Session(server, "reader", "p")) {
            session.assertFails(RangePlan.call("s.t", "by_v1", 4, "{\"leaf\": true}"), COLUMN_ACCESS_DENIED);
        }
    }

    @Test
    void testDefinitionHoldsTheExpression()
    {
        try (Session session = new Session(server)) {
            session.execute("CREATE TABLE s.g (k INT PRIMARY KEY, g INT AS (k * 100) VIRTUAL)");
            String before = session.value("SELECT mysql_pq_definition('s', 'g', 'PRIMARY')");
            session.execute(
                    "ALTER TABLE s.g DROP COLUMN g, ALGORITHM=INSTANT",
                    "ALTER TABLE s.g ADD COLUMN g INT AS (k * 7) VIRTUAL, ALGORITHM=INSTANT");
            assertThat(session.value("SELECT mysql_pq_definition('s', 'g', 'PRIMARY')")).isNotEqualTo(before);
        }
    }
}
