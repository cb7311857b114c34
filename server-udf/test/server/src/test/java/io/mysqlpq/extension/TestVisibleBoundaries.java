package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Each boundary is the key of a row that the caller could have read by SQL at that moment: no key of a row that was deleted, is
 * not committed or came after the caller's snapshot leaves the server. MySQL's own SELECT in the same session is the oracle.
 */
@TestInstance(PER_CLASS)
class TestVisibleBoundaries
{
    private static final int ROWS = 6_000;
    private static final int RANGES = 8;
    private static final String PRIMARY_KEY = "PRIMARY KEY (address))";
    private static final String FEW_ROWS = "{\"leaf\": true}";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().option("plugin-load-add", "mysql_pq.so").start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createSchema()
    {
        server.execute("CREATE SCHEMA visible");
    }

    // Addresses in random order, so that pages of the tree are split.
    private static Session createTable(MysqlServer server, String table, String keys)
    {
        return new Session(server).execute(
                "SET cte_max_recursion_depth = 1000000",
                "DROP TABLE IF EXISTS " + table,
                "CREATE TABLE %s (address VARCHAR(60) NOT NULL, n INT, town VARCHAR(20), born DATE, %s".formatted(table, keys),
                "INSERT INTO " + table + rows(0));
    }

    private static String rows(int from)
    {
        return " WITH RECURSIVE s (n) AS (SELECT %s UNION ALL SELECT n + 1 FROM s WHERE n < %s) ".formatted(from + 1, from + ROWS) +
                "SELECT CONCAT(LEFT(SHA2(n, 256), 40), '@example.net'), n, CONCAT('town ', n % 500), DATE '1950-01-01' + INTERVAL n DAY FROM s";
    }

    @Test
    void testDeletedAddresses()
    {
        try (Session session = createTable(server, "visible.t", PRIMARY_KEY)) {
            session.execute("INSERT INTO visible.t" + rows(ROWS), "INSERT INTO visible.t" + rows(2 * ROWS), "DELETE FROM visible.t WHERE n % 7 <> 0");
            RangePlan plan = RangePlan.ask(session, "visible.t", "PRIMARY", RANGES);
            new RangeLaw(session, "visible.t", plan).assertBoundariesAreRows();
            assertThat(plan.count()).isEqualTo(RANGES);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "PRIMARY;; PRIMARY KEY (address))",
            "by_town;; PRIMARY KEY (address), KEY by_town (town DESC, n))",
            "by_born;; PRIMARY KEY (address), KEY by_born (born))",
            "PRIMARY; p0; PRIMARY KEY (address DESC)) PARTITION BY KEY () PARTITIONS 2",
            "by_town; p1; PRIMARY KEY (address), KEY by_town (town, n DESC)) PARTITION BY KEY () PARTITIONS 2",
            "by_town;; KEY by_town (town, n))",
            "by_address;; KEY by_address (address))"})
    void testRowsOfOthers(String index, String partition, String keys)
    {
        String name = "visible.others";
        try (Session session = createTable(server, name, keys); Session old = new Session(server); Session writer = new Session(server); Session committer = new Session(server)) {
            int ranges = ask(session, name, index, partition).count();
            // What purge may not take away stays in the trees, marked as deleted.
            begin(old, name);
            committer.execute("DELETE FROM %s WHERE n %% 7 <> 0".formatted(name));
            check(session, name, index, partition, ranges);
            check(old, name, index, partition, ranges);
            writer.execute("SET cte_max_recursion_depth = 1000000", "BEGIN", "INSERT INTO " + name + rows(ROWS));
            check(session, name, index, partition, 1);
            check(old, name, index, partition, 1);
            check(writer, name, index, partition, ranges);
            writer.execute("COMMIT");
            begin(session, name);
            // A town and a date are other values now, of which the old ones are still in the indexes.
            committer.execute("UPDATE %s SET town = LOWER(CONCAT('new ', n %% 300)), born = born + INTERVAL 100 YEAR WHERE n %% 3 <> 0".formatted(name));
            check(committer, name, index, partition, 2);
            check(session, name, index, partition, 2);
            check(old, name, index, partition, 1);
            writer.execute("BEGIN", "UPDATE %s SET n = n + 1, town = UPPER(town), born = born - INTERVAL 100 YEAR".formatted(name));
            check(committer, name, index, partition, 1);
            check(session, name, index, partition, 1);
            writer.execute("ROLLBACK");
            committer.execute("DELETE FROM %s WHERE n %% 11 < 9".formatted(name));
            check(committer, name, index, partition, 1);
            check(session, name, index, partition, 1);
        }
    }

    // The rows themselves stay as they are for everybody else: their keys may be told.
    @Test
    void testUncommittedUpdateOfAllRows()
    {
        try (Session session = createTable(server, "visible.t", PRIMARY_KEY); Session writer = new Session(server)) {
            RangePlan before = RangePlan.ask(session, "visible.t", "PRIMARY", RANGES);
            writer.execute("BEGIN", "UPDATE visible.t SET n = n + 1");
            assertThat(RangePlan.ask(session, "visible.t", "PRIMARY", RANGES).boundaries()).isEqualTo(before.boundaries());
            writer.execute("ROLLBACK");
        }
    }

    // By rows of leaves: a deleted one may be the only one for which there is a boundary.
    @Test
    void testFewRows()
    {
        try (Session session = new Session(server); Session old = new Session(server); Session writer = new Session(server)) {
            session.execute(
                    "CREATE TABLE visible.few (k INT PRIMARY KEY)",
                    "INSERT INTO visible.few VALUES (1), (2), (3), (4), (5), (6)");
            begin(old, "visible.few");
            session.execute("DELETE FROM visible.few WHERE k IN (2, 3, 5)");
            writer.execute("BEGIN", "INSERT INTO visible.few VALUES (7), (8)");
            assertThat(RangePlan.ask(session, "visible.few", "PRIMARY", 8, FEW_ROWS).boundaries()).containsExactly(List.of("4"), List.of("6"));
            assertThat(RangePlan.ask(old, "visible.few", "PRIMARY", 8, FEW_ROWS).boundaries()).map(List::getFirst).containsExactly("2", "3", "4", "5", "6");
            assertThat(RangePlan.ask(writer, "visible.few", "PRIMARY", 8, FEW_ROWS).boundaries()).map(List::getFirst).containsExactly("4", "6", "7", "8");
            writer.execute("ROLLBACK");
            session.execute("DELETE FROM visible.few");
            assertThat(RangePlan.ask(session, "visible.few", "PRIMARY", 8, FEW_ROWS).boundaries()).isEmpty();
        }
    }

    // A page has far more small entries of an index than rows, and the deleted ones stay as long as somebody may see them.
    @Test
    void testSmallEntries()
    {
        try (Session session = new Session(server); Session old = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = 1000000",
                    "CREATE TABLE visible.small (n SMALLINT PRIMARY KEY, e TINYINT NOT NULL)",
                    "INSERT INTO visible.small WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 30000) SELECT n, n % 5 FROM s",
                    "ALTER TABLE visible.small ADD KEY by_e (e)",
                    "CREATE TABLE visible.smaller (n SMALLINT PRIMARY KEY, e TINYINT NOT NULL, KEY by_e (e))",
                    "INSERT INTO visible.smaller SELECT * FROM visible.small WHERE n <= 1500");
            assertThat(RangePlan.ask(session, "visible.smaller", "by_e", 8, FEW_ROWS).count()).isGreaterThan(4);
            begin(old, "visible.small");
            session.execute("DELETE FROM visible.small WHERE e IN (0, 2, 3)");
            RangePlan plan = RangePlan.ask(session, "visible.small", "by_e", 16);
            new RangeLaw(session, "visible.small", plan).check();
            new RangeLaw(session, "visible.small", plan).assertBoundariesAreRows();
            assertThat(plan.count()).isBetween(4, 16);
        }
    }

    // As the table for people shows them.
    @Test
    void testTableOfRanges()
    {
        try (Session session = createTable(server, "visible.t", PRIMARY_KEY); Session old = new Session(server)) {
            begin(old, "visible.t");
            session.execute("DELETE FROM visible.t WHERE n % 7 <> 0");
            List<String> keys = session.values("""
                    SELECT LOWER_KEY FROM INFORMATION_SCHEMA.MYSQL_PQ_RANGES
                    WHERE TABLE_SCHEMA = 'visible' AND TABLE_NAME = 't' AND RANGE_COUNT = 8 AND LOWER_KEY IS NOT NULL""");
            assertThat(keys).hasSizeGreaterThan(4);
            assertThat(keys).allSatisfy(key -> assertThat(session.number("SELECT COUNT(*) FROM visible.t WHERE INSTR('%s', address) > 0".formatted(key.replace("'", "''")))).isEqualTo(1));
        }
    }

    // A whole region of deleted rows has no boundary, and costs a bounded number of pages.
    @Test
    void testRegionOfDeletedRows()
    {
        try (Session session = createTable(server, "visible.t", PRIMARY_KEY); Session old = new Session(server)) {
            begin(old, "visible.t");
            session.execute("DELETE FROM visible.t WHERE address < 'c'");
            RangePlan plan = RangePlan.ask(session, "visible.t", "PRIMARY", 64);
            new RangeLaw(session, "visible.t", plan).assertBoundariesAreRows();
            new RangeLaw(session, "visible.t", plan).check();
            assertThat(plan.count()).isBetween(8, 40);
            assertThat(plan.reply().required("pages_read").longValue()).isLessThan(64 * 5);
        }
    }

    // Each entry of the index may be of a row that nobody sees yet, which only the row itself tells: a bounded number is fetched.
    @Test
    void testFetchedRowsAreBounded()
    {
        try (Session session = new Session(server); Session writer = new Session(server)) {
            session.execute("SET cte_max_recursion_depth = 1000000", "CREATE TABLE visible.wide (n INT PRIMARY KEY, w VARCHAR(700), KEY by_w (w)) CHARACTER SET latin1");
            writer.execute("SET cte_max_recursion_depth = 1000000", "BEGIN", "INSERT INTO visible.wide WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 10000) SELECT n, RPAD(SHA2(n, 256), 700, 'w') FROM s");
            long before = StatusCounters.value(session, "pages_read");
            RangePlan plan = RangePlan.ask(session, "visible.wide", "by_w", 400);
            assertThat(plan.count()).isEqualTo(1);
            // One look at the index and at the row for each of 400 boundaries, and 1024 further leaves and rows in all.
            assertThat(StatusCounters.value(session, "pages_read") - before).isBetween(1_000L, 5_500L);
            writer.execute("ROLLBACK");
        }
    }

    private static void begin(Session session, String table)
    {
        session.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ", "START TRANSACTION READ ONLY", "SELECT * FROM %s LIMIT 1".formatted(table));
    }

    private static RangePlan ask(Session session, String table, String index, String partition)
    {
        return RangePlan.ask(session, table, index, RANGES, partition == null ? null : "{\"partition\": \"%s\"}".formatted(partition));
    }

    private static void check(Session session, String table, String index, String partition, int fewest)
    {
        RangePlan plan = ask(session, table, index, partition);
        assertThat(plan.count()).isBetween(fewest, RANGES);
        RangeLaw law = new RangeLaw(session, table, plan);
        law.assertBoundariesAreRows();
        law.check();
    }
}
