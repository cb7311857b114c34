package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the table that shows ranges to people.
 */
@TestInstance(PER_CLASS)
class TestInformationSchema
{
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int COLUMN_ACCESS_DENIED = 1143;
    private static final int NO_SUCH_INDEX = 1176;
    private static final int SUBQUERY_OF_SEVERAL_ROWS = 1242;
    private static final String FROM_T = " FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = 't' ";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().option("plugin-load-add", "mysql_pq.so").option("cte-max-recursion-depth", "20000").start();

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
                "CREATE TABLE s.t (k INT PRIMARY KEY, n INT, filler CHAR(200) DEFAULT 'x', KEY by_n (n))",
                "INSERT INTO s.t (k, n) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) SELECT i, i % 100 FROM s",
                "CREATE TABLE s.parts (k INT PRIMARY KEY, filler CHAR(200) DEFAULT 'x') PARTITION BY HASH (k) PARTITIONS 2",
                "INSERT INTO s.parts (k) SELECT k FROM s.t",
                "ANALYZE TABLE s.t, s.parts");
    }

    @Test
    void testSameBoundariesAsTheFunction()
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 8);
            assertThat(session.values("SELECT range_no" + FROM_T + "AND range_count = 8 ORDER BY range_no")).hasSize(plan.count());
            assertThat(session.values("SELECT lower_key" + FROM_T + "AND range_count = 8 AND range_no > 0 ORDER BY range_no"))
                    .isEqualTo(plan.boundaries().stream().map(List::getFirst).toList());
            assertThat(session.values("SELECT upper_key" + FROM_T + "AND range_count = 8 AND upper_key IS NOT NULL ORDER BY range_no"))
                    .isEqualTo(plan.boundaries().stream().map(List::getFirst).toList());
            assertThat(session.number("SELECT SUM(estimated_rows)" + FROM_T + "AND range_count = 8"))
                    .isEqualTo(plan.rows().stream().mapToLong(Long::longValue).sum());
        }
    }

    @Test
    void testDefaultsAndFilters()
    {
        try (Session session = new Session(server)) {
            assertThat(session.number("SELECT COUNT(*)" + FROM_T)).isEqualTo(16);
            assertThat(session.values("SELECT DISTINCT index_name" + FROM_T)).containsExactly("PRIMARY");
            assertThat(session.number("SELECT COUNT(*)" + FROM_T + "AND index_name = 'by_n' AND range_count = 4")).isEqualTo(4);
            session.assertFails("SELECT COUNT(*)" + FROM_T + "AND index_name = 'nowhere'", NO_SUCH_INDEX);
            assertThat(session.values("SELECT DISTINCT partition_name FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = 'parts'"))
                    .containsExactlyInAnyOrder("p0", "p1");
        }
    }

    @Test
    void testWithoutTableThereAreNoRows()
    {
        try (Session session = new Session(server)) {
            assertThat(session.number("SELECT COUNT(*) FROM information_schema.mysql_pq_ranges")).isZero();
            assertThat(session.number("SELECT COUNT(*) FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name LIKE '%'")).isZero();
        }
    }

    /** What the functions refuse ({@link TestArguments}), SQL itself refuses here. */
    @Test
    void testNameWithACharacterThatMysqlDoesNotKnow()
    {
        server.execute("SELECT * FROM s.t LIMIT 0");
        for (int i = 0; i < 2; i++) {
            try (BackgroundCall running = new BackgroundCall(server, "SELECT range_no FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = 't\uD83D\uDE00'")) {
                assertThat(running.failure().getMessage()).containsPattern("Cannot convert string .*utf8mb3|Illegal mix of collations \\(utf8mb3");
            }
        }
    }

    // A condition that fails in the evaluation is the statement's error.
    @Test
    void testConditionThatFails()
    {
        try (Session session = new Session(server)) {
            session.assertFails("SELECT range_no" + FROM_T + "AND index_name = (SELECT 'PRIMARY' UNION ALL SELECT 'by_n')", SUBQUERY_OF_SEVERAL_ROWS);
        }
    }

    // Keys are data.
    @Test
    void testNoPrivilegeNoKeys()
    {
        server.execute("CREATE USER nobody IDENTIFIED BY 'secret'");
        try (Session session = new Session(server, "nobody", "secret")) {
            session.assertFails("SELECT lower_key" + FROM_T, TABLE_ACCESS_DENIED);
        }
        server.execute("CREATE USER other_column IDENTIFIED BY 'secret'", "GRANT SELECT (filler) ON s.t TO other_column");
        try (Session session = new Session(server, "other_column", "secret")) {
            session.assertFails("SELECT lower_key" + FROM_T, COLUMN_ACCESS_DENIED);
        }
    }

    @Test
    void testEstimatesNeedTheWholeTable()
    {
        server.execute("CREATE USER key_only IDENTIFIED BY 'secret'", "GRANT SELECT (k) ON s.t TO key_only");
        try (Session session = new Session(server, "key_only", "secret")) {
            assertThat(session.number("SELECT COUNT(*)" + FROM_T)).isEqualTo(16);
            assertThat(session.number("SELECT COUNT(estimated_rows) + COUNT(estimated_pages) + COUNT(height)" + FROM_T)).isZero();
        }
    }

    @Test
    void testDisabled()
    {
        try (Session session = new Session(server)) {
            session.execute("SET GLOBAL mysql_pq_enabled = OFF");
            session.assertRefused("SELECT *" + FROM_T, "disabled");
            session.execute("SET GLOBAL mysql_pq_enabled = ON");
            assertThat(session.number("SELECT COUNT(*)" + FROM_T)).isEqualTo(16);
        }
    }
}
