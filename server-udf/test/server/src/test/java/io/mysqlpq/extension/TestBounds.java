package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.Arrays;
import java.util.List;

import static java.util.Collections.max;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestBounds
{
    private static final int ROWS = 200_000;

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
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = " + ROWS,
                    "CREATE SCHEMA s",
                    "CREATE TABLE s.t (k BIGINT PRIMARY KEY, txt VARCHAR(20), n INT, filler CHAR(40) DEFAULT 'x', KEY by_text (txt), KEY by_n (n DESC, txt))",
                    "INSERT INTO s.t (k, txt, n) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i * 10, LEFT(SHA2(i, 256), 20), NULLIF(i %% 5, 4) FROM s".formatted(ROWS));
        }
    }

    @Test
    void testPartOfPrimaryKey()
    {
        check("PRIMARY", "[\"500000\"]", "[\"900000\"]", List.of("500000"), List.of("900000"));
    }

    @Test
    void testOpenEnds()
    {
        check("PRIMARY", "[\"1500000\"]", null, List.of("1500000"), null);
        check("PRIMARY", null, "[\"400000\"]", null, List.of("400000"));
    }

    @Test
    void testText()
    {
        // 0x34 to 0x38 are the characters 4 to 8: a quarter of all hex digests.
        check("by_text", "[\"34\"]", "[\"38\"]", List.of("34"), List.of("38"));
    }

    @Test
    void testLeadingPartsOfDescendingKey()
    {
        check("by_n", "[\"3\"]", "[\"1\"]", List.of("3"), List.of("1"));
        check("by_n", "[\"2\", \"38\"]", "[\"1\", \"38\"]", List.of("2", "38"), List.of("1", "38"));
    }

    @Test
    void testNull()
    {
        // NULL sorts last in a descending column: from here on there are only NULLs.
        check("by_n", "[null, \"\"]", null, Arrays.asList(null, ""), null);
    }

    @Test
    void testBoundsOutsideTheData()
    {
        try (Session session = new Session(server)) {
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 16, "{\"lower\": [\"3000000\"]}").boundaries()).isEmpty();
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 16, "{\"upper\": [\"-1\"]}").boundaries()).isEmpty();
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 16, "{\"lower\": [\"7\"], \"upper\": [\"8\"]}").boundaries()).isEmpty();
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 16, "{\"lower\": [\"-9223372036854775808\"], \"upper\": [\"9223372036854775807\"]}").count())
                    .isEqualTo(16);
        }
    }

    // The key may also be the first of a page of node pointers, which stands on the level above too.
    @Test
    void testEveryBoundaryAsLowerBound()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = 3000",
                    "CREATE TABLE s.deep (k VARBINARY(700) PRIMARY KEY)",
                    "INSERT INTO s.deep WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 3000) SELECT LPAD(i, 700, '0') FROM s");
            RangePlan whole = RangePlan.ask(session, "s.deep", "PRIMARY", 4096);
            assertThat(whole.reply().required("height").intValue()).isGreaterThan(2);
            List<List<String>> all = whole.boundaries();
            for (int i = 0; i < all.size(); i++) {
                RangePlan part = RangePlan.ask(session, "s.deep", "PRIMARY", 4096, "{\"lower\": [\"%s\"]}".formatted(all.get(i).getFirst()));
                assertThat(ends(part.boundaries())).as("after boundary %d", i).isEqualTo(ends(all.subList(i + 1, all.size())));
            }
        }
    }

    // Where the keys differ.
    private static List<String> ends(List<List<String>> keys)
    {
        return keys.stream().map(key -> key.getFirst().substring(1390)).toList();
    }

    private void check(String index, String lowerJson, String upperJson, List<String> lower, List<String> upper)
    {
        String options = "{" + (lowerJson == null ? "" : "\"lower\": " + lowerJson)
                + (lowerJson == null || upperJson == null ? "" : ", ")
                + (upperJson == null ? "" : "\"upper\": " + upperJson) + "}";
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "s.t", index, 8, options);
            new RangeLaw(session, "s.t", plan).check();
            String part = new KeyPredicate(plan.columns()).range(lower, upper);
            long rows = session.number("SELECT COUNT(*) FROM s.t WHERE " + part);
            List<Long> perRange = plan.predicates().stream()
                    .map(range -> session.number("SELECT COUNT(*) FROM s.t WHERE %s AND %s".formatted(part, range)))
                    .toList();
            System.out.printf("%s %s: %s%n", index, options, perRange);
            // A boundary outside [lower, upper) would leave a range without rows of it.
            assertThat(perRange).hasSizeBetween(6, 8).doesNotContain(0L);
            assertThat(max(perRange)).isLessThanOrEqualTo(rows * 2 / perRange.size());
            // A part of the tree is estimated by its share of a level, so less surely than the whole.
            assertThat(plan.rows().stream().mapToLong(Long::longValue).sum()).isBetween(rows / 3, rows * 3);
        }
    }
}
