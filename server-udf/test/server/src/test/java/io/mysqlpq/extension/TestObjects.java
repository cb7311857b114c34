package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests what the extension says about objects that it cannot cut.
 */
@TestInstance(PER_CLASS)
class TestObjects
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createObjects()
    {
        server.execute(
                "CREATE SCHEMA s",
                """
                CREATE TABLE s.t (
                  k INT PRIMARY KEY, txt TEXT, pnt POINT NOT NULL SRID 0, js JSON, d VARCHAR(10) CHARACTER SET gb18030 COLLATE gb18030_chinese_ci, v VARCHAR(20), g INT AS (k + 1) VIRTUAL,
                  h INT AS (k + 2) STORED, i INT INVISIBLE,
                  FULLTEXT KEY ft (txt), SPATIAL KEY sp (pnt), KEY multi ((CAST(js->'$' AS UNSIGNED ARRAY))),
                  KEY func ((k + 1)), KEY func_second (v, (k * 2)), KEY by_d (d), KEY by_virtual (g), KEY by_stored (h), KEY by_invisible (i),
                  KEY hidden_index (v) INVISIBLE, KEY by_text (txt(10)))""",
                "CREATE TABLE s.no_key (a INT, b INT)",
                "INSERT INTO s.no_key VALUES (1, 1)",
                "CREATE TABLE s.unique_key (a INT NOT NULL, b INT, UNIQUE KEY (a))",
                "CREATE TABLE s.memory (k INT PRIMARY KEY) ENGINE = MEMORY",
                "CREATE TABLE s.myisam (k INT PRIMARY KEY) ENGINE = MyISAM",
                "CREATE TABLE s.csv (k INT NOT NULL) ENGINE = CSV",
                "CREATE VIEW s.view AS SELECT * FROM s.memory");
    }

    @ParameterizedTest
    @CsvSource({
            "s.view, PRIMARY, 1347", "information_schema.tables, PRIMARY, 1347", "sys.version, PRIMARY, 1347",
            "s.memory, PRIMARY, 1178", "s.myisam, PRIMARY, 1178", "s.csv, PRIMARY, 1178",
            "performance_schema.threads, PRIMARY, 1178", "mysql.tables, PRIMARY, 3554",
            "s.nowhere, PRIMARY, 1146", "nowhere.t, PRIMARY, 1049",
            "s.t, nowhere, 1176", "s.no_key, PRIMARY, 1176", "s.t, GEN_CLUST_INDEX, 1176", "s.unique_key, GEN_CLUST_INDEX, 1176",
            "s.t, ft, 1176", "s.t, sp, 1176", "s.t, multi, 1176", "s.t, func, 1176", "s.t, func_second, 1176"})
    void testErrors(String table, String index, int errorCode)
    {
        try (Session session = new Session(server)) {
            session.assertFails(RangePlan.call(table, index, 4, null), errorCode);
            String[] names = table.split("\\.", 2);
            session.assertFails("SELECT mysql_pq_definition('%s', '%s', '%s')".formatted(names[0], names[1], index), errorCode);
        }
    }

    @Test
    void testKeyTypesWithoutEncoding()
    {
        try (Session session = new Session(server)) {
            session.assertRefused(RangePlan.call("s.t", "by_d", 4, null), "unsupported_key", "d");
        }
    }

    @ParameterizedTest
    @CsvSource({"by_virtual, g", "by_stored, h", "by_invisible, i", "hidden_index, v"})
    void testUnusualColumnsAndIndexes(String index, String column)
    {
        try (Session session = new Session(server)) {
            session.execute("INSERT IGNORE INTO s.t (k, pnt, v, i) VALUES (1, POINT(1, 1), 'a', 1), (2, POINT(1, 1), 'b', NULL), (3, POINT(1, 1), 'c', 7)");
            RangePlan plan = RangePlan.ask(session, "s.t", index, 3, "{\"leaf\": true}");
            assertThat(plan.columns()).map(KeyColumn::name).containsExactly(column, "k");
            assertThat(plan.count()).isEqualTo(3);
            new RangeLaw(session, "s.t", plan).check();
        }
    }

    @Test
    void testTextPrefix()
    {
        try (Session session = new Session(server)) {
            KeyColumn column = RangePlan.ask(session, "s.t", "by_text", 3).columns().getFirst();
            assertThat(column).isEqualTo(new KeyColumn("txt", "text", "text", false, true, false, "utf8mb4", "utf8mb4_0900_ai_ci", 10));
        }
    }

    @Test
    void testUnusualNames()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "CREATE TABLE s.`odd ``name` (`k ``é` INT PRIMARY KEY)",
                    "CREATE TABLE s.`täbelle` (k INT PRIMARY KEY)");
            assertThat(RangePlan.ask(session, "s.odd `name", "PRIMARY", 4).columns()).map(KeyColumn::name).containsExactly("k `é");
            assertThat(RangePlan.ask(session, "s.täbelle", "PRIMARY", 4).reply().required("table").textValue()).isEqualTo("täbelle");
        }
    }
}
