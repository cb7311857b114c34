package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests the laws on row formats, page sizes, partitions and columns added or dropped in place.
 */
@TestInstance(PER_CLASS)
class TestTableFormats
{
    private static final String SEQUENCE = "WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) ";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "20000").start();

    @BeforeEach
    void createSchema()
    {
        server.execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "ROW_FORMAT = DYNAMIC", "ROW_FORMAT = COMPACT", "ROW_FORMAT = REDUNDANT", "ROW_FORMAT = COMPRESSED",
            "ROW_FORMAT = COMPRESSED KEY_BLOCK_SIZE = 1", "ROW_FORMAT = COMPRESSED KEY_BLOCK_SIZE = 4",
            "COMPRESSION = 'zlib'", "TABLESPACE = innodb_system", "STATS_PERSISTENT = 0"})
    void testFormats(String format)
    {
        try (Session session = new Session(server)) {
            createTable(session, format);
            checkBothIndexes(session, null);
        }
    }

    @Test
    void testGeneralTablespace()
    {
        try (Session session = new Session(server)) {
            session.execute("CREATE TABLESPACE shared ADD DATAFILE 'shared.ibd'");
            createTable(session, "TABLESPACE = shared");
            checkBothIndexes(session, null);
            session.execute("DROP TABLE s.t", "DROP TABLESPACE shared");
        }
    }

    @Test
    void testInstantColumns()
    {
        try (Session session = new Session(server)) {
            createTable(session, "");
            session.execute(
                    "ALTER TABLE s.t ADD COLUMN a INT DEFAULT 7 FIRST, ALGORITHM = INSTANT",
                    "INSERT INTO s.t (k, n) SELECT k + 100000, n FROM s.t WHERE k % 3 = 0",
                    "ALTER TABLE s.t ADD COLUMN b VARCHAR(10) AFTER k, ALGORITHM = INSTANT",
                    "ALTER TABLE s.t DROP COLUMN filler, ALGORITHM = INSTANT",
                    "INSERT INTO s.t (k, n, b) SELECT k + 200000, n, 'new' FROM s.t WHERE k % 3 = 1");
            checkBothIndexes(session, null);
        }
    }

    @Test
    void testPartitions()
    {
        try (Session session = new Session(server)) {
            createTable(session, "PARTITION BY HASH (k) PARTITIONS 3");
            for (String partition : new String[] {"p0", "p1", "p2"}) {
                checkBothIndexes(session, partition);
            }
        }
    }

    @Test
    void testSubpartitions()
    {
        try (Session session = new Session(server)) {
            createTable(session, """
                    PARTITION BY RANGE (k) SUBPARTITION BY HASH (k) (
                      PARTITION low VALUES LESS THAN (10000) (SUBPARTITION low_a, SUBPARTITION low_b),
                      PARTITION `hi gh` VALUES LESS THAN MAXVALUE (SUBPARTITION high_a, SUBPARTITION `high b`))""");
            for (String partition : new String[] {"low_a", "low_b", "high_a", "high b"}) {
                checkBothIndexes(session, partition);
            }
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, "{\"partition\": \"low\"}"), "bad_argument", "low");
        }
    }

    @Test
    void testIndexBuiltLater()
    {
        try (Session session = new Session(server)) {
            createTable(session, "");
            session.execute("ALTER TABLE s.t ADD INDEX later (n DESC, k)");
            new RangeLaw(session, "s.t", RangePlan.ask(session, "s.t", "later", 8)).check();
            session.execute("ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (n, k)");
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 8);
            assertThat(plan.columns()).map(KeyColumn::name).containsExactly("n", "k");
            new RangeLaw(session, "s.t", plan).check();
        }
    }

    private static void createTable(Session session, String options)
    {
        session.execute(
                "CREATE TABLE s.t (k INT, n INT, filler CHAR(200) DEFAULT 'x', PRIMARY KEY (k), KEY by_n (n)) " + options,
                "INSERT INTO s.t (k, n) " + SEQUENCE + "SELECT i, i % 100 FROM s");
    }

    private static void checkBothIndexes(Session session, String partition)
    {
        String rows = partition == null ? "s.t" : "s.t PARTITION (`%s`)".formatted(partition);
        String options = partition == null ? null : "{\"partition\": \"%s\"}".formatted(partition);
        for (String index : new String[] {"PRIMARY", "by_n"}) {
            RangePlan plan = RangePlan.ask(session, "s.t", index, 8, options);
            assertThat(plan.count()).isBetween(4, 8);
            RangeLaw law = new RangeLaw(session, rows, plan);
            law.check();
            law.assertBoundariesAreRows();
        }
    }
}
