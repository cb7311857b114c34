package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a definition changes with every DDL that may change what a plan means (hazards 1 and 2).
 */
@TestInstance(PER_CLASS)
class TestDefinition
{
    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "TRUNCATE s.t",
            "OPTIMIZE TABLE s.t",
            "ALTER TABLE s.t FORCE",
            "ALTER TABLE s.t ENGINE = InnoDB, ALGORITHM = COPY",
            "ALTER TABLE s.t ADD COLUMN d INT, ALGORITHM = INSTANT",
            "ALTER TABLE s.t ADD COLUMN d INT FIRST, ALGORITHM = INSTANT",
            "ALTER TABLE s.t DROP COLUMN c, ALGORITHM = INSTANT",
            "ALTER TABLE s.t RENAME COLUMN c TO d",
            "ALTER TABLE s.t RENAME COLUMN v TO w",
            "ALTER TABLE s.t MODIFY c BIGINT",
            "ALTER TABLE s.t MODIFY v VARCHAR(20)",
            "ALTER TABLE s.t MODIFY v VARCHAR(10) COLLATE utf8mb4_bin",
            "ALTER TABLE s.t MODIFY n INT UNSIGNED",
            "ALTER TABLE s.t MODIFY n INT NOT NULL",
            "ALTER TABLE s.t ADD COLUMN g INT AS (k + 1) VIRTUAL",
            "ALTER TABLE s.t ADD COLUMN g INT AS (k + 1) STORED",
            "ALTER TABLE s.t DROP INDEX i, ADD INDEX i (n, v)",
            "ALTER TABLE s.t DROP INDEX i, ADD INDEX i (n DESC)",
            "DROP INDEX i ON s.t; CREATE INDEX i ON s.t (n)",
            "ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (k, c)",
            "ALTER TABLE s.t ROW_FORMAT = COMPRESSED",
            "DROP TABLE s.t; CREATE TABLE s.t LIKE s.pattern; INSERT INTO s.t SELECT * FROM s.pattern",
            "RENAME TABLE s.t TO s.x, s.pattern TO s.t",
            "ALTER TABLE s.t DISCARD TABLESPACE; DROP TABLE s.t; CREATE TABLE s.t LIKE s.pattern"})
    void testChangedByDdl(String statements)
    {
        try (Session session = new Session(server)) {
            createTables(session);
            String before = definition(session, "'i'");
            session.execute(statements.split("; ", -1));
            assertThat(definition(session, "'i'")).isNotEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "INSERT INTO s.t VALUES (10, 1, 1, 'x')",
            "UPDATE s.t SET k = k + 100, n = NULL",
            "DELETE FROM s.t",
            "ANALYZE TABLE s.t",
            "CHECK TABLE s.t",
            "FLUSH TABLES s.t",
            "SELECT * FROM s.t",
            "CREATE TABLE s.unrelated (k INT PRIMARY KEY)",
            "TRUNCATE s.pattern"})
    void testNotChangedByOtherStatements(String statement)
    {
        try (Session session = new Session(server)) {
            createTables(session);
            String before = definition(session, "'i'");
            session.values(statement);
            assertThat(definition(session, "'i'")).isEqualTo(before);
        }
    }

    @Test
    void testSameAsInReply()
    {
        try (Session session = new Session(server)) {
            createTables(session);
            assertThat(RangePlan.ask(session, "s.t", "i", 4).definition()).isEqualTo(definition(session, "'i'"));
            assertThat(RangePlan.ask(session, "s.t", "PRIMARY", 4).definition()).isEqualTo(definition(session, "'PRIMARY'"));
            assertThat(definition(session, "'i'")).isNotEqualTo(definition(session, "'PRIMARY'"));
        }
    }

    @Test
    void testSameAfterRestart()
    {
        try (Session session = new Session(server)) {
            createTables(session);
        }
        String before;
        try (Session session = new Session(server)) {
            before = definition(session, "'PRIMARY'");
        }
        server.restart();
        try (Session session = new Session(server)) {
            assertThat(definition(session, "'PRIMARY'")).isEqualTo(before);
        }
    }

    @Test
    void testExchangePartition()
    {
        try (Session session = new Session(server)) {
            createTables(session);
            session.execute(
                    "CREATE TABLE s.parts (k INT PRIMARY KEY, n INT, KEY i (n)) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (10), PARTITION p1 VALUES LESS THAN MAXVALUE)",
                    "CREATE TABLE s.single (k INT PRIMARY KEY, n INT, KEY i (n))");
            String partition = definition(session, "parts", "'PRIMARY', 'p0'");
            String single = definition(session, "single", "'PRIMARY'");
            session.execute("ALTER TABLE s.parts EXCHANGE PARTITION p0 WITH TABLE s.single");
            assertThat(definition(session, "parts", "'PRIMARY', 'p0'")).isNotEqualTo(partition);
            assertThat(definition(session, "single", "'PRIMARY'")).isNotEqualTo(single);
        }
    }

    private static void createTables(Session session)
    {
        session.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, c INT, n INT, v VARCHAR(10), KEY i (n))",
                "INSERT INTO s.t VALUES (1, 1, 1, 'a'), (2, 2, 2, 'b')",
                "CREATE TABLE s.pattern LIKE s.t",
                "INSERT INTO s.pattern SELECT * FROM s.t");
    }

    private static String definition(Session session, String index)
    {
        return definition(session, "t", index);
    }

    private static String definition(Session session, String table, String index)
    {
        String reply = session.value("SELECT mysql_pq_definition('s', '%s', %s)".formatted(table, index));
        return RangePlan.json(reply).required("definition").textValue();
    }
}
