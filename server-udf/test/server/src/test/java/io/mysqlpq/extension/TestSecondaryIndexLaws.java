package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.RandomText;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestSecondaryIndexLaws
{
    private static final int ROWS = 20_000;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();
    private final Random random = Seed.random();

    @BeforeAll
    void createTable()
    {
        server.execute(
                "CREATE SCHEMA laws",
                """
                CREATE TABLE laws.t (
                  id BIGINT, grp VARCHAR(20) COLLATE utf8mb4_bin, n INT, u BIGINT UNSIGNED, s VARCHAR(60), x TINYINT,
                  PRIMARY KEY (grp, id DESC),
                  KEY by_n (n), KEY by_n_desc (n DESC, s), KEY by_few (x), UNIQUE KEY by_u (u),
                  KEY by_s (s), KEY by_s_prefix (s(3), n DESC), KEY by_id (id), KEY by_grp_desc (grp DESC, s DESC),
                  KEY by_grp_prefix (grp(2)))""",
                "INSERT IGNORE INTO laws.t VALUES " + Stream.generate(this::randomRow).limit(ROWS).collect(joining(",")),
                """
                CREATE TABLE laws.keyless (
                  id BIGINT, grp VARCHAR(20) COLLATE utf8mb4_bin, n INT, u BIGINT UNSIGNED, s VARCHAR(60), x TINYINT,
                  KEY by_n (n), KEY by_n_desc (n DESC, s), KEY by_few (x), UNIQUE KEY by_u (u), KEY by_s (s), KEY by_s_prefix (s(1), n))""",
                // Many that are alike to MySQL and not in their bytes.
                "INSERT INTO laws.keyless SELECT id, grp, n, u, IF(RAND() < 0.5, s, IF(RAND() < 0.5, 'same', 'SAME')), x FROM laws.t");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "by_n|n, grp, id DESC",
            "by_n_desc|n DESC, s, grp, id DESC",
            "by_few|x, grp, id DESC",
            "by_u|u, grp, id DESC",
            "by_s|s, grp, id DESC",
            "by_s_prefix|s(3), n DESC, grp, id DESC",
            "by_id|id, grp",
            "by_grp_desc|grp DESC, s DESC, id DESC",
            "by_grp_prefix|grp(2), grp, id DESC"})
    void testEveryRowInOneRange(String index, String physicalKey)
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "laws.t", index, 16);
            assertThat(plan.reply().required("clustered").booleanValue()).isFalse();
            assertThat(plan.columns()).map(TestSecondaryIndexLaws::describe).containsExactly(physicalKey.split(", ", -1));
            assertThat(plan.count()).isBetween(8, 16);
            RangeLaw law = new RangeLaw(session, "laws.t", plan);
            law.check();
            law.assertBoundariesAreRows();
        }
    }

    // Rows that InnoDB numbers itself: nothing that SQL knows tells equal keys apart.
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "by_n|n|8|16",
            "by_n_desc|n DESC, s|8|16",
            "by_few|x|2|5",
            "by_u|u|8|16",
            "by_s|s|4|16",
            "by_s_prefix|s(1), n|8|16"})
    void testEveryRowInOneRangeWithoutClusteredKey(String index, String key, int fewest, int most)
    {
        try (Session session = new Session(server)) {
            RangePlan plan = RangePlan.ask(session, "laws.keyless", index, 16);
            assertThat(plan.columns()).map(TestSecondaryIndexLaws::describe).containsExactly(key.split(", ", -1));
            assertThat(plan.count()).isBetween(fewest, most);
            RangeLaw law = new RangeLaw(session, "laws.keyless", plan);
            law.check();
            law.assertBoundariesAreRows();
            RangePlan part = RangePlan.ask(session, "laws.keyless", "by_n", 16, "{\"lower\": [\"-100\"], \"upper\": [\"100\"]}");
            assertThat(part.count()).isBetween(2, 16);
            new RangeLaw(session, "laws.keyless", part).check();
        }
    }

    /** A cut in the midst of rows with equal keys can only be moved before or after them all. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "IF(i <= 20400, 1, 2)|2|20400",
            "IF(i <= 24000, NULL, 7)|2|24000",
            "IF(i <= 24000, NULL, i)|2|24000",
            "IF(i <= 24000, 0, i DIV 4000)|4|24000"})
    void testRunsOfEqualKeysWithoutClusteredKey(String key, int count, long firstRows)
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "DROP TABLE IF EXISTS laws.runs",
                    "CREATE TABLE laws.runs (x INT, KEY by_x (x))",
                    "SET SESSION cte_max_recursion_depth = 100000",
                    "INSERT INTO laws.runs WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 40000) SELECT %s FROM s".formatted(key),
                    "ANALYZE TABLE laws.runs");
            RangePlan plan = RangePlan.ask(session, "laws.runs", "by_x", count);
            assertThat(plan.count()).isBetween(2, count);
            new RangeLaw(session, "laws.runs", plan).check();
            List<Long> rows = plan.predicates().stream().map(range -> session.number("SELECT COUNT(*) FROM laws.runs WHERE " + range)).toList();
            assertThat(rows).doesNotContain(0L);
            assertThat(rows.getFirst()).isBetween(firstRows, firstRows + 1000);
            assertThat(plan.reply().required("rows").get(0).longValue()).isBetween(firstRows * 8 / 10, firstRows * 12 / 10);
        }
    }

    private static String describe(KeyColumn column)
    {
        return column.name()
                + (column.prefix() == null ? "" : "(" + column.prefix() + ")")
                + (column.descending() ? " DESC" : "");
    }

    // A third of all nullable values is NULL, so that boundaries hold NULL too.
    private String randomRow()
    {
        return "(%s, %s, %s, %s, %s, %s)".formatted(
                random.nextLong(),
                RandomText.literal(RandomText.draw(random, 20)),
                orNull(String.valueOf(random.nextInt(1_000) - 500)),
                orNull(Long.toUnsignedString(random.nextLong())),
                orNull(RandomText.literal(RandomText.draw(random, 60))),
                orNull(String.valueOf(random.nextInt(3) - 1)));
    }

    private String orNull(String literal)
    {
        return random.nextInt(3) == 0 ? "NULL" : literal;
    }
}
