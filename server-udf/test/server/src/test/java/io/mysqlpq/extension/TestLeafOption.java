package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;

import static java.util.Collections.max;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestLeafOption
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTables()
    {
        server.execute("CREATE SCHEMA s");
        createTable("empty", 0);
        createTable("one", 1);
        createTable("one_page", 60);
        createTable("few_pages", 900);
        createTable("many_pages", 20_000);
    }

    @Test
    void testWithoutLeafSmallTreesGiveFewRanges()
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.ask(session, "s.empty", "PRIMARY", 64).count()).isEqualTo(1);
            assertThat(RangePlan.ask(session, "s.one", "PRIMARY", 64).count()).isEqualTo(1);
            RangePlan onePage = RangePlan.ask(session, "s.one_page", "PRIMARY", 64);
            assertThat(onePage.boundaries()).isEmpty();
            assertThat(onePage.reply().required("height").intValue()).isEqualTo(1);
            assertThat(RangePlan.ask(session, "s.few_pages", "PRIMARY", 64).count()).isBetween(10, 20);
        }
    }

    @Test
    void testLeafKeysOfSmallTrees()
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.ask(session, "s.empty", "PRIMARY", 64, "{\"leaf\": true}").count()).isEqualTo(1);
            assertThat(RangePlan.ask(session, "s.one", "PRIMARY", 64, "{\"leaf\": true}").count()).isEqualTo(1);
            assertBalanced(session, "s.one_page", 16, 60);
            assertBalanced(session, "s.few_pages", 64, 900);
        }
    }

    @Test
    void testNotNeededInLargeTrees()
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.ask(session, "s.many_pages", "PRIMARY", 8, "{\"leaf\": true}"))
                    .isEqualTo(RangePlan.ask(session, "s.many_pages", "PRIMARY", 8, "{\"leaf\": false}"));
        }
    }

    @Test
    void testNoMoreThan64LeafPagesAreRead()
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "s.many_pages", "PRIMARY", 2_000, "{\"leaf\": true}");
            assertThat(plan.reply().required("pages_read").intValue()).isLessThanOrEqualTo(64 + 8 + plan.boundaries().size());
            new RangeLaw(session, "s.many_pages", plan).assertReadersFindAllRows();
        }
    }

    private static void assertBalanced(Session session, String table, int count, int rows)
    {
        RangePlan plan = RangePlan.ask(session, table, "PRIMARY", count, "{\"leaf\": true}");
        RangeLaw law = new RangeLaw(session, table, plan);
        law.check();
        law.assertBoundariesAreRows();
        List<Long> perRange = law.rowsPerRange();
        assertThat(perRange).hasSizeBetween(count * 3 / 4, count).doesNotContain(0L);
        assertThat(max(perRange)).isLessThanOrEqualTo(2L * rows / count);
    }

    // About 60 rows fill a page of 16 KB.
    private void createTable(String name, int rows)
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = 1000000",
                    "CREATE TABLE s.%s (k INT PRIMARY KEY, filler CHAR(200) DEFAULT 'x')".formatted(name),
                    "INSERT INTO s.%s (k) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i FROM s WHERE i <= %s".formatted(name, rows, rows));
        }
    }
}
