package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests calls in a transaction whose snapshot is older than the table, which a snapshot does not cover (hazard 2).
 */
@TestInstance(PER_CLASS)
class TestSnapshots
{
    private static final int TABLE_DEFINITION_CHANGED = 1412;
    private static final String RANGES = RangePlan.call("s.t", "PRIMARY", 4, null);

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @BeforeEach
    void createTable()
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, n INT)",
                "INSERT INTO s.t VALUES (1, 1), (2, 2)");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testTruncate()
    {
        assertSaysWhatSqlSays("TRUNCATE s.t");
    }

    @Test
    void testRebuild()
    {
        assertSaysWhatSqlSays("ALTER TABLE s.t FORCE");
    }

    @Test
    void testInstantColumn()
    {
        assertSaysWhatSqlSays("ALTER TABLE s.t ADD COLUMN c INT, ALGORITHM = INSTANT");
    }

    @Test
    void testDropAndCreate()
    {
        assertSaysWhatSqlSays("DROP TABLE s.t", "CREATE TABLE s.t (k INT PRIMARY KEY, n INT)");
    }

    @Test
    void testOldSnapshotWithoutDdl()
    {
        try (Session session = new Session(server)) {
            session.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            server.execute("INSERT INTO s.t VALUES (3, 3)");
            assertThat(RangePlan.parse(session.value(RANGES)).count()).isEqualTo(1);
            assertThat(session.number("SELECT COUNT(*) FROM s.t")).isEqualTo(2);
        }
    }

    private void assertSaysWhatSqlSays(String... ddl)
    {
        try (Session session = new Session(server); Session fresh = new Session(server)) {
            session.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
            server.execute(ddl);
            session.assertFails("SELECT * FROM s.t", TABLE_DEFINITION_CHANGED);
            session.assertFails(RANGES, TABLE_DEFINITION_CHANGED);
            assertThat(RangePlan.parse(fresh.value(RANGES)).count()).isEqualTo(1);
        }
    }
}
