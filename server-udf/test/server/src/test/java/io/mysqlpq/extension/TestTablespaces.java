package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests discarded, missing and imported tablespaces: where a check was missing, mysqld aborted.
 */
@TestInstance(PER_CLASS)
class TestTablespaces
{
    // What InnoDB itself logs about a tablespace that is not there.
    private static final String[] MISSING_FILE_ERRORS = {"MY-0122", "MY-0120", "MY-0118", "MY-0125", "MY-0139"};

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @BeforeEach
    void createTable()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "DROP SCHEMA IF EXISTS s",
                    "CREATE SCHEMA s",
                    "SET cte_max_recursion_depth = 20000",
                    "CREATE TABLE s.t (k INT PRIMARY KEY, n INT, filler CHAR(200) DEFAULT 'x', KEY by_n (n))",
                    "INSERT INTO s.t (k, n) WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 20000) SELECT i, i % 100 FROM s");
        }
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean(MISSING_FILE_ERRORS);
    }

    @Test
    void testDiscardAndImport()
            throws IOException
    {
        try (Session session = new Session(server)) {
            String before = RangePlan.ask(session, "s.t", "PRIMARY", 8).definition();
            session.execute("FLUSH TABLES s.t FOR EXPORT");
            Path copies = Files.createTempDirectory(server.pluginDirectory().getParent(), "export");
            copy("t.ibd", copies);
            copy("t.cfg", copies);
            session.execute("UNLOCK TABLES", "ALTER TABLE s.t DISCARD TABLESPACE");
            assertUnusable(session, null);
            Files.copy(copies.resolve("t.ibd"), server.dataDirectory().resolve("s/t.ibd"));
            Files.copy(copies.resolve("t.cfg"), server.dataDirectory().resolve("s/t.cfg"));
            assertUnusable(session, null);
            session.execute("ALTER TABLE s.t IMPORT TABLESPACE");
            RangePlan plan = RangePlan.ask(session, "s.t", "PRIMARY", 8);
            new RangeLaw(session, "s.t", plan).check();
            assertThat(plan.definition()).isNotEqualTo(before);
        }
    }

    @Test
    void testDiscardedSurvivesRestart()
    {
        server.execute("ALTER TABLE s.t DISCARD TABLESPACE");
        server.restart();
        try (Session session = new Session(server)) {
            assertUnusable(session, null);
            session.execute("DROP TABLE s.t");
        }
    }

    @Test
    void testMissingFile()
            throws IOException
    {
        server.stop();
        Files.delete(server.dataDirectory().resolve("s/t.ibd"));
        server.restart();
        try (Session session = new Session(server)) {
            // Opening the table may already fail in the server with its own error for a missing file.
            int code = session.failure(RangePlan.call("s.t", "PRIMARY", 8, null)).getErrorCode();
            assertThat(code).isIn(Session.UDF_ERROR, 1812, 1146);
            session.execute("DROP TABLE s.t");
        }
    }

    @Test
    void testDiscardedPartition()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "ALTER TABLE s.t PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (10000), PARTITION p1 VALUES LESS THAN MAXVALUE)",
                    "ALTER TABLE s.t DISCARD PARTITION p0 TABLESPACE");
            assertUnusable(session, "p0");
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 8, "{\"partition\": \"p1\"}").count()).isEqualTo(8);
            session.execute("ALTER TABLE s.t TRUNCATE PARTITION p1");
            assertUnusable(session, "p0");
        }
    }

    private void copy(String file, Path target)
            throws IOException
    {
        Files.copy(server.dataDirectory().resolve("s").resolve(file), target.resolve(file));
    }

    private static void assertUnusable(Session session, String partition)
    {
        String options = partition == null ? null : "{\"partition\": \"%s\"}".formatted(partition);
        session.assertRefused(RangePlan.call("s.t", "PRIMARY", 8, options), "unusable_table");
        session.assertRefused(RangePlan.call("s.t", "by_n", 8, options), "unusable_table");
        String last = partition == null ? "" : ", '" + partition + "'";
        session.assertRefused("SELECT mysql_pq_definition('s', 't', 'PRIMARY'%s)".formatted(last), "unusable_table");
        assertThat(session.number("SELECT 1")).isEqualTo(1);
    }
}
