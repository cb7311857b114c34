package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.sql.SQLException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests DDL at each step of donors and adopters: an adopter reads the donor's rows or gets an error, and DDL waits for
 * a donor that holds its locks.
 */
@TestInstance(PER_CLASS)
class TestSnapshotDdl
{
    private static final int LOCK_WAIT_TIMEOUT = 1205;
    private static final String BEGIN = "START TRANSACTION READ ONLY";
    private static final String EXPORT = "SELECT mysql_pq_snapshot_export()";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    enum Change
    {
        TRUNCATE("t", "TRUNCATE s.t"),
        REBUILD("t", "ALTER TABLE s.t FORCE"),
        COPY("t", "ALTER TABLE s.t FORCE, ALGORITHM = COPY"),
        ADD_COLUMN("t", "ALTER TABLE s.t ADD COLUMN c INT DEFAULT 7, ALGORITHM = INSTANT"),
        DROP_COLUMN("t", "ALTER TABLE s.t DROP COLUMN v, ALGORITHM = INSTANT"),
        ADD_INDEX("t", "ALTER TABLE s.t ADD INDEX (v)"),
        DROP_AND_CREATE("t", "DROP TABLE s.t", "CREATE TABLE s.t (k INT PRIMARY KEY)", "INSERT INTO s.t VALUES (77)"),
        SWAP("t", "RENAME TABLE s.t TO s.z, s.u TO s.t, s.z TO s.u"),
        EXCHANGE_PARTITION("p", "ALTER TABLE s.p EXCHANGE PARTITION p0 WITH TABLE s.x"),
        DROP_PARTITION("p", "ALTER TABLE s.p DROP PARTITION p0"),
        TRUNCATE_PARTITION("p", "ALTER TABLE s.p TRUNCATE PARTITION p0");

        private final String table;
        private final String[] statements;

        Change(String table, String... statements)
        {
            this.table = table;
            this.statements = statements;
        }

        String lock()
        {
            return "SELECT 1 FROM s.%s LIMIT 0".formatted(table);
        }

        String read()
        {
            return "SELECT k FROM s.%s ORDER BY k".formatted(table);
        }
    }

    @BeforeEach
    void createTables()
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT)",
                "CREATE TABLE s.u (k INT PRIMARY KEY, v INT)",
                "CREATE TABLE s.p (k INT PRIMARY KEY) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (100), PARTITION p1 VALUES LESS THAN (200))",
                "CREATE TABLE s.x (k INT PRIMARY KEY)",
                "INSERT INTO s.t VALUES (1, 1), (2, 2)",
                "INSERT INTO s.u VALUES (3, 3), (4, 4)",
                "INSERT INTO s.p VALUES (5), (105)",
                "INSERT INTO s.x VALUES (6)");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @EnumSource
    void testBeforeTheLock(Change change)
    {
        try (Session donor = new Session(server).execute(BEGIN); Session adopter = new Session(server).execute(BEGIN)) {
            server.execute(change.statements);
            donor.values(change.lock());
            String token = export(donor);
            List<String> rows = adoptAndRead(adopter, change, token);
            assertThat(rows).isNotNull().isEqualTo(donor.values(change.read()));
        }
    }

    // DDL that has begun and waits for others goes first: the donor gets no lock, and so no snapshot of before.
    @ParameterizedTest
    @EnumSource
    void testWaitingBeforeTheLock(Change change)
    {
        try (Session older = new Session(server); Session donor = new Session(server); Session adopter = new Session(server)) {
            older.execute(BEGIN).values(change.read());
            try (BackgroundCall ddl = start(change)) {
                donor.execute("SET lock_wait_timeout = 1", BEGIN);
                donor.assertFails(change.lock(), LOCK_WAIT_TIMEOUT);
                donor.execute("COMMIT");
                older.execute("COMMIT");
                ddl.end();
            }
            donor.execute(BEGIN).values(change.lock());
            String token = export(donor);
            assertThat(adoptAndRead(adopter, change, token)).isNotNull().isEqualTo(donor.values(change.read()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void testBetweenLockAndView(Change change)
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            List<String> expected = donor.values(change.read());
            donor.execute(BEGIN).values(change.lock());
            try (BackgroundCall ddl = start(change)) {
                String token = export(donor);
                assertSameRowsOrError(adopter, change, token, expected);
                assertThat(donor.values(change.read())).isEqualTo(expected);
                ddl.awaitMetadataLockWait();
                donor.execute("COMMIT");
                adopter.execute("COMMIT");
                ddl.end();
                late.execute(BEGIN);
                late.assertRefused(adopt(token), "no_such_snapshot");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void testWhileAdoptersRead(Change change)
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session second = new Session(server)) {
            donor.execute(BEGIN).values(change.lock());
            String token = export(donor);
            List<String> expected = adoptAndRead(adopter, change, token);
            try (BackgroundCall ddl = start(change)) {
                assertThat(adopter.values(change.read())).isEqualTo(expected);
                adopter.value(verify(token));
                assertSameRowsOrError(second, change, token, expected);
                donor.execute("COMMIT");
                second.execute("COMMIT");
                // Its own lock now keeps its rows.
                ddl.awaitMetadataLockWait();
                assertThat(adopter.values(change.read())).isEqualTo(expected);
                adopter.assertRefused(verify(token), "no_such_snapshot");
                adopter.execute("COMMIT");
                ddl.end();
            }
        }
    }

    // Nothing holds DDL back then, and not all of it is seen by SQL.
    @ParameterizedTest
    @EnumSource
    void testAfterTheDonorsEnd(Change change)
    {
        try (Session donor = new Session(server); Session adopter = new Session(server)) {
            donor.execute(BEGIN).values(change.lock());
            String token = export(donor);
            adopter.execute(BEGIN);
            adopter.value(adopt(token));
            donor.execute("COMMIT");
            server.execute(change.statements);
            assertThat(readProved(adopter, change, token)).isNull();
        }
    }

    private BackgroundCall start(Change change)
    {
        return BackgroundCall.ofStatements(server, change.statements).awaitMetadataLockWait();
    }

    private static void assertSameRowsOrError(Session adopter, Change change, String token, List<String> expected)
    {
        assertThat(adoptAndRead(adopter, change, token)).isIn(expected, null);
    }

    // Null after an error.
    private static List<String> adoptAndRead(Session adopter, Change change, String token)
    {
        adopter.execute("SET lock_wait_timeout = 1", BEGIN);
        adopter.value(adopt(token));
        return readProved(adopter, change, token);
    }

    private static List<String> readProved(Session adopter, Change change, String token)
    {
        try {
            List<String> rows = adopter.query(change.read());
            adopter.query(verify(token));
            return rows;
        }
        catch (SQLException e) {
            // A wait behind DDL, SQL's own check of the table's version, or the donor's end.
            assertThat(e.getErrorCode()).as(e.getMessage()).isIn(LOCK_WAIT_TIMEOUT, 1412, Session.UDF_ERROR);
            return null;
        }
    }

    private static String export(Session donor)
    {
        return RangePlan.json(donor.value(EXPORT)).required("token").textValue();
    }

    private static String adopt(String token)
    {
        return "SELECT mysql_pq_snapshot_adopt('%s')".formatted(token);
    }

    private static String verify(String token)
    {
        return "SELECT mysql_pq_snapshot_verify('%s')".formatted(token);
    }
}
