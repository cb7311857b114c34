package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Random;

import static java.util.Collections.max;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that ranges are even in bytes where rows keep values off-page, of which node pointers tell nothing, and that each
 * row still lies in one of them.
 */
@TestInstance(PER_CLASS)
class TestOffPageBalance
{
    private static final int RANGES = 14;
    private static final String OFF_PAGE = "{\"off_page\": [\"payload\"]}";
    private static final String GIANT = "REPEAT('x', 65536)";
    private static final String SMALL = "REPEAT('x', 50)";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
    private final Random random = Seed.random();

    @BeforeAll
    void createSchema()
    {
        server.execute("CREATE SCHEMA s");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    // On few leaves, in one subtree of several leaves, anywhere.
    @ParameterizedTest
    @ValueSource(strings = {"n > 19800", "n <= 200", "n BETWEEN 10000 AND 10200", "n % 100 = 0"})
    void testEvenInBytes(String giants)
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB", "IF(%s, %s, %s)".formatted(giants, GIANT, SMALL), 20_000);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", RANGES, OFF_PAGE);
            assertThat(plan.count()).isEqualTo(RANGES);
            assertThat(largest(bytesPerRange(session, plan))).isLessThan(1.3);
            RangeLaw law = new RangeLaw(session, "s.t", plan);
            law.check();
            law.assertBoundariesAreRows();
            assertEstimates(plan, session);
        }
    }

    // More leaves than are looked at at first, each with few rows.
    @ParameterizedTest
    @ValueSource(strings = {"n > 49500", "n % 97 = 0", "n BETWEEN 20000 AND 20500"})
    void testMoreLeavesThanAreLookedAt(String giants)
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB, filler VARCHAR(700) NOT NULL", "IF(%s, REPEAT('x', 30000), ''), REPEAT('y', 700)".formatted(giants), 50_000);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 4, OFF_PAGE);
            assertThat(plan.pages().stream().mapToLong(Long::longValue).sum()).isGreaterThan(2_000);
            assertThat(plan.count()).isEqualTo(4);
            List<Long> bytes = plan.predicates().stream().map(range -> session.number("SELECT COALESCE(SUM(730 + LENGTH(payload)), 0) FROM s.t WHERE " + range)).toList();
            assertThat(largest(bytes)).as("%s", bytes).isLessThan(1.3);
            assertThat(plan.rows().stream().mapToLong(Long::longValue).sum()).isCloseTo(50_000, withPercentage(10));
            assertThat(plan.reply().required("pages_read").intValue()).isLessThan(2_500);
        }
    }

    // There are so many ranges that parts of several leaves are cut again, by leaves and by the rows of these.
    @ParameterizedTest
    @ValueSource(strings = {"n > 49500", "n BETWEEN 20000 AND 20500"})
    void testPartsOfSeveralLeavesAreCutAgain(String giants)
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB, filler VARCHAR(700) NOT NULL", "IF(%s, REPEAT('x', 30000), ''), REPEAT('y', 700)".formatted(giants), 50_000);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 64, OFF_PAGE);
            long firstLook = plan.pages().stream().mapToLong(Long::longValue).sum() / 4 + 20;
            assertThat(plan.reply().required("pages_read").longValue()).isGreaterThan(firstLook);
            RangeLaw law = new RangeLaw(session, "s.t", plan);
            law.check();
            law.assertBoundariesAreRows();
            List<Long> bytes = plan.predicates().stream().map(range -> session.number("SELECT COALESCE(SUM(730 + LENGTH(payload)), 0) FROM s.t WHERE " + range)).toList();
            assertThat(largest(bytes)).as("%s", bytes).isLessThan(1.9);
        }
    }

    // Keys so long that a page holds few node pointers: many parts that are cut again begin where such a page does.
    @Test
    void testPartsThatBeginWithAPageOfNodePointers()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "DROP TABLE IF EXISTS s.t",
                    "CREATE TABLE s.t (k VARBINARY(700) PRIMARY KEY, payload MEDIUMBLOB)",
                    "INSERT INTO s.t WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 24000) SELECT LPAD(n, 700, '0'), IF(n BETWEEN 9000 AND 11000, REPEAT('x', 12000), '') FROM n",
                    "ANALYZE TABLE s.t");
            RangePlan leaves = RangePlan.ask(session, "s.t", "PRIMARY", 4096);
            assertThat(leaves.reply().required("height").intValue()).isGreaterThan(2);
            for (List<String> lower : leaves.boundaries().subList(0, 4)) {
                RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 256, "{\"off_page\": [\"payload\"], \"lower\": [\"%s\"]}".formatted(lower.getFirst()));
                assertThat(plan.bytes()).isNotNull();
                // Their ends sort as they do, since they begin alike.
                assertThat(plan.boundaries().stream().map(key -> key.getFirst().substring(1390))).hasSizeGreaterThan(200).doesNotHaveDuplicates().isSorted();
            }
        }
    }

    // The table keeps much off-page, but not of what is read.
    @Test
    void testOtherColumnsOffPage()
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB, other VARCHAR(500)", "IF(n > 19800, %s, %s), 'x'".formatted(GIANT, SMALL), 20_000);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", RANGES, "{\"off_page\": [\"other\"]}");
            assertThat(plan.boundaries()).isEqualTo(RangePlan.ask(session, "s.t", "PRIMARY", RANGES).boundaries());
            assertThat(plan.bytes()).isNull();
        }
    }

    // Otherwise the option would be for nothing.
    @Test
    void testUnevenWithoutTheOption()
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB", "IF(n > 19800, %s, %s)".formatted(GIANT, SMALL), 20_000);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", RANGES);
            assertThat(plan.bytes()).isNull();
            assertThat(largest(bytesPerRange(session, plan))).isGreaterThan(5);
        }
    }

    @Test
    void testGiantsOfATreeWithoutBranches()
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB", GIANT, 60);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 6, OFF_PAGE);
            assertThat(plan.reply().required("height").intValue()).isEqualTo(1);
            assertThat(new RangeLaw(session, "s.t", plan).rowsPerRange()).hasSize(6).allMatch(rows -> rows >= 8 && rows <= 12);
        }
    }

    @Test
    void testInsideBounds()
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB", "IF(n > 19800, %s, %s)".formatted(GIANT, SMALL), 20_000);
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 8, "{\"off_page\": [\"payload\"], \"lower\": [\"19850\"], \"upper\": [\"19950\"]}");
            assertThat(plan.boundaries()).hasSize(7).allSatisfy(key -> assertThat(Long.parseLong(key.getFirst())).isBetween(19_851L, 19_949L));
            new RangeLaw(session, "s.t", plan).check();
        }
    }

    // One leaf holds all giants of a tenant, and does not begin with the tenant's first row.
    @Test
    void testInsidePartsOfAKey()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "DROP TABLE IF EXISTS s.t",
                    "CREATE TABLE s.t (tenant INT, seq INT, payload MEDIUMBLOB, PRIMARY KEY (tenant, seq))",
                    "INSERT INTO s.t WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 20000) SELECT n DIV 4000, n, IF(n BETWEEN 8000 AND 8099, %s, %s) FROM n".formatted(GIANT, SMALL),
                    "ANALYZE TABLE s.t");
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 5, "{\"off_page\": [\"payload\"], \"lower\": [\"2\"], \"upper\": [\"3\"]}");
            assertThat(plan.boundaries()).hasSize(4).allSatisfy(key -> assertThat(Long.parseLong(key.getLast())).isBetween(8_015L, 8_085L));
            new RangeLaw(session, "s.t", plan).check();
        }
    }

    @Test
    void testNothingOffPage()
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB", SMALL, 20_000);
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", RANGES, OFF_PAGE)).isEqualTo(RangePlan.ask(session, "s.t", "PRIMARY", RANGES));
        }
    }

    @Test
    void testLawsOfOtherKeys()
    {
        for (String key : List.of(
                "k VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (k)",
                "k INT, seq INT, PRIMARY KEY (k DESC, seq)",
                "k VARCHAR(300) CHARACTER SET latin1, seq INT, PRIMARY KEY (k(5), seq)")) {
            for (String format : List.of("DYNAMIC", "REDUNDANT")) {
                try (Session session = RangeLaw.utcSession(server)) {
                    session.execute(
                            "DROP TABLE IF EXISTS s.t",
                            "CREATE TABLE s.t (%s, payload LONGTEXT) ROW_FORMAT = %s".formatted(key, format),
                            "INSERT IGNORE INTO s.t WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 4000) SELECT %s, IF(RAND(%s) < 0.05, REPEAT('x', 20000 + 50000 * RAND(%s)), IF(RAND(%s) < 0.1, NULL, 'x')) FROM n"
                                    .formatted(key.contains("seq") ? "FLOOR(RAND(%s) * 50), n".formatted(seed()) : "LEFT(SHA2(RAND(%s), 256), 40)".formatted(seed()), seed(), seed(), seed()),
                            "DELETE FROM s.t WHERE RAND(%s) < 0.2".formatted(seed()),
                            "ALTER TABLE s.t ADD COLUMN added INT DEFAULT 7, ALGORITHM = INSTANT",
                            "ANALYZE TABLE s.t");
                    int count = 2 + random.nextInt(60);
                    RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", count, OFF_PAGE);
                    assertThat(plan.bytes()).as("%s %s", key, format).isNotNull();
                    new RangeLaw(session, "s.t", plan).check();
                }
            }
        }
    }

    @Test
    void testArguments()
    {
        try (Session session = new Session(server)) {
            create(session, "MEDIUMBLOB, KEY i (payload(50), k)", "IF(n > 1900, %s, %s)".formatted(GIANT, SMALL), 2_000);
            // Entries of other indexes keep nothing off-page, also of columns that they hold.
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 4, OFF_PAGE).bytes()).isNotNull();
            assertThat(RangePlan.ask(session, "s.t", "i", 4, OFF_PAGE)).isEqualTo(RangePlan.ask(session, "s.t", "i", 4));
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, "{\"off_page\": [\"none\"]}"), "bad_argument", "no column 'none'");
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, "{\"off_page\": []}"), "bad_argument", "options.off_page must be an array of 1 to 1024 names");
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, "{\"off_page\": [7]}"), "bad_argument", "options.off_page must hold strings");
        }
    }

    // How its values are spread is data of the column.
    @Test
    void testPrivilege()
    {
        try (Session root = new Session(server)) {
            create(root, "MEDIUMBLOB", "IF(n > 1900, %s, %s)".formatted(GIANT, SMALL), 2_000);
            root.execute("CREATE USER key_reader", "GRANT SELECT (k) ON s.t TO key_reader", "CREATE USER column_reader", "GRANT SELECT (k, payload) ON s.t TO column_reader");
        }
        try (Session session = new Session(server, "key_reader", "")) {
            session.assertFails(RangePlan.call("s.t", "PRIMARY", 4, OFF_PAGE), 1143);
        }
        try (Session session = new Session(server, "column_reader", "")) {
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 4, OFF_PAGE);
            assertThat(plan.rows()).isNull();
            assertThat(plan.bytes()).isNull();
            assertThat(largest(bytesPerRange(session, plan))).isLessThan(1.3);
        }
    }

    // Leaves are looked at for it, but the reply does not tell.
    @Test
    void testColumnsThatTheUserMayNotRead()
    {
        try (Session root = new Session(server)) {
            create(root, "MEDIUMBLOB, other VARCHAR(500)", "IF(n > 1900, %s, %s), 'x'".formatted(GIANT, SMALL), 2_000);
            root.execute("CREATE USER other_reader", "GRANT SELECT (k, other) ON s.t TO other_reader");
        }
        try (Session session = new Session(server, "other_reader", "")) {
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 4, "{\"off_page\": [\"other\"]}")).isEqualTo(RangePlan.ask(session, "s.t", "PRIMARY", 4));
        }
    }

    private static void create(Session session, String payload, String value, int rows)
    {
        session.execute(
                "DROP TABLE IF EXISTS s.t",
                "CREATE TABLE s.t (k INT PRIMARY KEY, payload %s)".formatted(payload),
                "INSERT INTO s.t WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %s) SELECT n, %s FROM n".formatted(rows, value),
                "ANALYZE TABLE s.t");
    }

    // Each RAND with a constant is a sequence of its own.
    private int seed()
    {
        return random.nextInt(1_000_000_000);
    }

    private static List<Long> bytesPerRange(Session session, RangePlan plan)
    {
        return plan.predicates().stream().map(range -> session.number("SELECT COALESCE(SUM(30 + LENGTH(payload)), 0) FROM s.t WHERE " + range)).toList();
    }

    private static double largest(List<Long> sizes)
    {
        return (double) max(sizes) * sizes.size() / sizes.stream().mapToLong(Long::longValue).sum();
    }

    // The estimates are of rows, because the connector makes splits by rows.
    private static void assertEstimates(RangePlan plan, Session session)
    {
        assertThat(plan.bytes().stream().mapToLong(Long::longValue).sum()).isCloseTo(session.number("SELECT SUM(30 + LENGTH(payload)) FROM s.t"), withPercentage(30));
        assertThat(plan.rows().stream().mapToLong(Long::longValue).sum()).isCloseTo(20_000, withPercentage(30));
    }
}
