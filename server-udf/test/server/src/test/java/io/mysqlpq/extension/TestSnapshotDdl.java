package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

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
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int NO_SUCH_TABLE = 1146;
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

        List<String> partitions()
        {
            return table.equals("p") ? List.of("p0", "p1") : List.of("");
        }

        String scan(String token, String partition)
        {
            String options = "{\"columns\": [[\"k\", \"int64\"]]%s}".formatted(partition.isEmpty() ? "" : ", \"partition\": \"%s\"".formatted(partition));
            return "SELECT HEX(mysql_pq_scan('s', '%s', 'PRIMARY', '%s', '%s')) FROM JSON_TABLE('[0, 0]', '$[*]' COLUMNS (batch FOR ORDINALITY)) b".formatted(table, token, options);
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
                "INSERT INTO s.x VALUES (6)",
                // No wait is to end here by itself.
                "SET GLOBAL mysql_pq_ddl_wait_limit = 3600000");
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

    // The snapshot itself holds the table, and lends its lock behind DDL that waits for it.
    @ParameterizedTest
    @EnumSource
    void testAdopterPassesWaitingDdl(Change change)
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session late = new Session(server)) {
            List<String> expected = donor.values(change.read());
            donor.execute(BEGIN).values(change.lock());
            String token = export(donor);
            try (BackgroundCall ddl = start(change)) {
                late.execute("SET lock_wait_timeout = 1").assertFails(change.read(), LOCK_WAIT_TIMEOUT);
                adopter.execute("SET lock_wait_timeout = 1", BEGIN).value(adopt(token, change.table));
                assertThat(adopter.values(change.read())).isEqualTo(expected);
                for (String partition : change.partitions()) {
                    assertThat(adopter.values(change.scan(token, partition)).getFirst()).isNotNull();
                }
                adopter.value(verify(token));
                donor.execute("COMMIT");
                // Its own lock now keeps its rows.
                ddl.awaitMetadataLockWait();
                assertThat(adopter.values(change.read())).isEqualTo(expected);
                adopter.assertRefused(verify(token), "no_such_snapshot");
                adopter.execute("COMMIT");
                ddl.end();
            }
            late.execute(BEGIN).assertRefused(adopt(token, change.table), "no_such_snapshot");
        }
    }

    // A lock is lent to none who could not have taken it.
    @Test
    void testLocksOfTheSnapshot()
    {
        server.execute("CREATE USER IF NOT EXISTS some IDENTIFIED BY 'secret'", "GRANT SELECT ON s.t TO some");
        try (Session donor = new Session(server); Session adopter = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor);
            adopter.execute(BEGIN);
            adopter.assertRefused("SELECT mysql_pq_snapshot_adopt('%s', 's')".formatted(token), "bad_argument");
            adopter.assertRefused("SELECT mysql_pq_snapshot_adopt('%s', 's', NULL)".formatted(token), "bad_argument");
            adopter.assertFails(adopt(token, "nowhere"), NO_SUCH_TABLE);
            adopter.value(adopt(token, "t"));
            donor.values("SELECT 1 FROM s.u LIMIT 0");
            assertThat(locks("u")).isEqualTo(1);
            donor.value("SELECT mysql_pq_snapshot_covers('s', 'u')");
            adopter.value(adopt(token, "u"));
            adopter.value(verify(token));
            assertThat(locks("t")).isEqualTo(3);
            assertThat(locks("u")).isEqualTo(3);
            adopter.execute("COMMIT");
            donor.execute("COMMIT");
            Await.until("all locks are given back", () -> locks("t") + locks("u") == 0);
        }
        try (Session donor = new Session(server, "some", "secret"); Session adopter = new Session(server, "some", "secret")) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor);
            server.execute("REVOKE SELECT ON s.t FROM some");
            adopter.execute(BEGIN).assertFails(adopt(token, "t"), TABLE_ACCESS_DENIED);
            adopter.assertFails(adopt(token, "nowhere"), TABLE_ACCESS_DENIED);
        }
    }

    // A table that the snapshot does not hold is locked as by a statement, and has to be what it was.
    @ParameterizedTest
    @EnumSource
    void testTableThatTheSnapshotDoesNotHold(Change change)
    {
        try (Session donor = new Session(server); Session adopter = new Session(server)) {
            String token = export(donor.execute(BEGIN));
            List<String> expected = donor.values(change.read());
            adopter.execute("SET lock_wait_timeout = 1", BEGIN).value(adopt(token, change.table));
            assertThat(adopter.values(change.read())).isEqualTo(expected);
            adopter.value(verify(token));
        }
        try (Session donor = new Session(server); Session adopter = new Session(server); Session older = new Session(server)) {
            String token = export(donor.execute(BEGIN));
            older.execute(BEGIN).values(change.lock());
            adopter.execute("SET lock_wait_timeout = 1", BEGIN);
            try (BackgroundCall ddl = start(change)) {
                adopter.assertFails(adopt(token, change.table), LOCK_WAIT_TIMEOUT);
                older.execute("COMMIT");
                ddl.end();
            }
            adopter.assertRefused(adopt(token, change.table), "unusable_table", "altered after the snapshot was opened");
        }
    }

    // Whoever told how often a table is read lets it go after that, and keeps the others.
    @Test
    void testTableIsFreeAfterItsLastReader()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session ddl = new Session(server)) {
            donor.assertRefused("SELECT mysql_pq_snapshot_expect('s', 't', 2)", "bad_snapshot");
            donor.execute(BEGIN).values("SELECT 1 FROM s.t, s.u LIMIT 0");
            String token = export(donor);
            ddl.execute("SET lock_wait_timeout = 1");
            donor.assertRefused("SELECT mysql_pq_snapshot_expect('s', 't', -1)", "bad_argument");
            donor.value("SELECT mysql_pq_snapshot_expect('s', 't', 2)");
            assertThat(locks("t")).isEqualTo(1);
            for (int i = 0; i < 2; i++) {
                ddl.assertFails("TRUNCATE s.t", LOCK_WAIT_TIMEOUT);
                adopter.execute(BEGIN).value(adopt(token, "t"));
                assertThat(adopter.values("SELECT k FROM s.t ORDER BY k")).containsExactly("1", "2");
                adopter.value(verify(token));
                // Counts once.
                adopter.value(verify(token));
                adopter.execute("COMMIT");
            }
            ddl.execute("TRUNCATE s.t").assertFails("TRUNCATE s.u", LOCK_WAIT_TIMEOUT);
            adopter.execute(BEGIN).assertRefused(adopt(token, "t"), "unusable_table", "altered after the snapshot was opened");
            adopter.value(adopt(token, "u"));
            assertThat(adopter.values("SELECT k FROM s.u ORDER BY k")).containsExactly("3", "4");
            adopter.value(verify(token));
            donor.value(verify(token));
        }
    }

    // A refused adopt changes nothing: not what the session sees, nor what it has locked, nor what its verify proves.
    @Test
    void testRefusedAdoptChangesNothing()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session ddl = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor);
            // What SQL does not refuse.
            ddl.execute("ALTER TABLE s.p EXCHANGE PARTITION p0 WITH TABLE s.x");
            for (String fresh : List.of("p", "nowhere")) {
                adopter.execute(BEGIN).failure("SELECT mysql_pq_snapshot_adopt('%s', 's', 't', 's', '%s')".formatted(token, fresh));
                adopter.assertRefused(verify(token), "bad_snapshot");
                assertThat(locks("t")).isEqualTo(2);
                assertThat(locks("p") + locks("nowhere")).isZero();
            }
            adopter.value(adopt(token, "t"));
            adopter.assertRefused(adopt(token, "p"), "unusable_table", "altered after the snapshot was opened");
            assertThat(locks("p")).isZero();
            assertThat(adopter.values("SELECT k FROM s.t ORDER BY k")).containsExactly("1", "2");
            adopter.value(verify(token));
        }
    }

    // A scan that began and died is repeated: only the verify of its end counts.
    @Test
    void testScanThatDiesIsNoReadToTheEnd()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session ddl = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t LIMIT 0");
            String token = export(donor);
            donor.value("SELECT mysql_pq_snapshot_expect('s', 't', 1)");
            adopter.execute(BEGIN).value(adopt(token, "t"));
            assertThat(adopter.values(Change.TRUNCATE.scan(token, "")).getFirst()).isNotNull();
            adopter.execute("COMMIT");
            ddl.execute("SET lock_wait_timeout = 1").assertFails("TRUNCATE s.t", LOCK_WAIT_TIMEOUT);
            adopter.execute(BEGIN).value(adopt(token, "t"));
            assertThat(adopter.values("SELECT k FROM s.t ORDER BY k")).containsExactly("1", "2");
            adopter.value(verify(token));
            adopter.execute("COMMIT");
            ddl.execute("TRUNCATE s.t");
        }
    }

    // Whoever reads a table that was given up without naming it, as through a view, proves nothing.
    @ParameterizedTest
    @ValueSource(strings = {"'%s', 's', 'v'", "'%s', 's', 'u'", "'%s'"})
    void testReadersThatDoNotNameATableThatWasGivenUp(String arguments)
    {
        server.execute("CREATE VIEW s.v AS SELECT k FROM s.p");
        try (Session donor = new Session(server); Session adopter = new Session(server); Session ddl = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.v, s.u LIMIT 0");
            String token = export(donor);
            donor.value("SELECT mysql_pq_snapshot_expect('s', 'p', 1)");
            adopter.execute(BEGIN).value(adopt(token, "p"));
            assertThat(adopter.values("SELECT k FROM s.v ORDER BY k")).containsExactly("5", "105");
            adopter.value(verify(token));
            adopter.execute("COMMIT");
            ddl.execute("SET lock_wait_timeout = 1", "ALTER TABLE s.p EXCHANGE PARTITION p0 WITH TABLE s.x");
            adopter.execute(BEGIN).value("SELECT mysql_pq_snapshot_adopt(%s)".formatted(arguments.formatted(token)));
            adopter.value(verify(token));
            adopter.values("SELECT k FROM s.v");
            adopter.assertRefused(verify(token), "bad_snapshot", "given up");
            donor.value(verify(token));
            donor.values("SELECT k FROM s.v");
            donor.assertRefused(verify(token), "bad_snapshot", "given up");
        }
    }

    // What a reader may still read stays locked; the donor's other tables are free.
    @Test
    void testTablesAreFreeWhenNobodyReadsThem()
    {
        try (Session donor = new Session(server); Session adopter = new Session(server); Session ddl = new Session(server)) {
            donor.execute(BEGIN).values("SELECT 1 FROM s.t, s.u LIMIT 0");
            String token = export(donor);
            adopter.execute(BEGIN).value(adopt(token, "t"));
            donor.execute("COMMIT");
            ddl.execute("SET lock_wait_timeout = 1", "TRUNCATE s.u").assertFails("TRUNCATE s.t", LOCK_WAIT_TIMEOUT);
            assertThat(adopter.values("SELECT k FROM s.t ORDER BY k")).containsExactly("1", "2");
        }
    }

    private long locks(String table)
    {
        try (Session observer = new Session(server)) {
            return observer.number("SELECT COUNT(*) FROM performance_schema.metadata_locks WHERE object_schema = 's' AND object_name = '%s'".formatted(table));
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
            // It reads another table, so nothing holds this one.
            adopter.execute(BEGIN).value(adopt(token, change.table.equals("p") ? "t" : "p"));
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

    private static String adopt(String token, String table)
    {
        return "SELECT mysql_pq_snapshot_adopt('%s', 's', '%s')".formatted(token, table);
    }

    private static String verify(String token)
    {
        return "SELECT mysql_pq_snapshot_verify('%s')".formatted(token);
    }
}
