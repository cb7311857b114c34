package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a donor learns whether a table is what it was at the moment of its snapshot.
 */
@TestInstance(PER_CLASS)
class TestSnapshotCoverage
{
    private static final String COVERED = "{\"protocol\": 1, \"covers\": true}";
    private static final String CHANGED = "{\"protocol\": 1, \"covers\": false}";

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    // All in one second, so that no time of creation tells them apart.
    @BeforeEach
    void createTables()
    {
        server.execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT, w INT, KEY by_v (v))",
                "CREATE TABLE s.u LIKE s.t",
                "CREATE TABLE s.p (k INT PRIMARY KEY) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (100), PARTITION p1 VALUES LESS THAN (200))",
                "CREATE TABLE s.sub (k INT PRIMARY KEY) PARTITION BY RANGE (k) SUBPARTITION BY HASH (k) SUBPARTITIONS 2 (PARTITION p0 VALUES LESS THAN (100), PARTITION p1 VALUES LESS THAN (200))",
                "CREATE TABLE s.x (k INT PRIMARY KEY)",
                "INSERT INTO s.t VALUES (1, 1, 1), (2, 2, 2)",
                "INSERT INTO s.p VALUES (5), (105)",
                "INSERT INTO s.sub VALUES (5), (105)");
    }

    @AfterAll
    void stop()
    {
        server.assertErrorLogClean();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            t   | TRUNCATE s.t
            t   | ALTER TABLE s.t FORCE
            t   | ALTER TABLE s.t FORCE, ALGORITHM = COPY
            t   | OPTIMIZE TABLE s.t
            t   | ALTER TABLE s.t ADD COLUMN c INT DEFAULT 7, ALGORITHM = INSTANT
            t   | ALTER TABLE s.t DROP COLUMN w, ALGORITHM = INSTANT
            t   | ALTER TABLE s.t RENAME COLUMN v TO x
            t   | DROP TABLE s.t; CREATE TABLE s.t (k INT PRIMARY KEY)
            t   | RENAME TABLE s.t TO s.z, s.u TO s.t, s.z TO s.u
            u   | RENAME TABLE s.t TO s.z, s.u TO s.t, s.z TO s.u
            t   | RENAME TABLE s.t TO s.z; RENAME TABLE s.z TO s.t
            new | CREATE TABLE s.new LIKE s.t
            p   | ALTER TABLE s.p EXCHANGE PARTITION p0 WITH TABLE s.x
            x   | ALTER TABLE s.p EXCHANGE PARTITION p0 WITH TABLE s.x
            p   | ALTER TABLE s.p DROP PARTITION p0
            p   | ALTER TABLE s.p TRUNCATE PARTITION p1
            p   | ALTER TABLE s.p ADD PARTITION (PARTITION p2 VALUES LESS THAN (300))
            p   | ALTER TABLE s.p REORGANIZE PARTITION p0 INTO (PARTITION a VALUES LESS THAN (50), PARTITION b VALUES LESS THAN (100))
            p   | ALTER TABLE s.p REBUILD PARTITION p1
            p   | ALTER TABLE s.p REMOVE PARTITIONING
            sub | ALTER TABLE s.sub TRUNCATE PARTITION p1
            sub | ALTER TABLE s.sub TRUNCATE PARTITION p1sp0
            """)
    void testChange(String table, String changes)
    {
        try (Session donor = new Session(server)) {
            export(donor);
            server.execute(changes.split("; "));
            assertThat(covers(donor, table)).isEqualTo(CHANGED);
        }
        // A later snapshot covers what there is now.
        try (Session donor = new Session(server)) {
            export(donor);
            assertThat(covers(donor, table)).isEqualTo(COVERED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "DELETE FROM s.t",
            "INSERT INTO s.t SELECT k + 2, v, w FROM s.t",
            "ANALYZE TABLE s.t, s.p",
            "ANALYZE TABLE s.t UPDATE HISTOGRAM ON v",
            "FLUSH TABLES",
            "CREATE TABLE s.other LIKE s.t",
            "DROP TABLE s.u",
            "CREATE VIEW s.view AS SELECT * FROM s.t",
            "GRANT SELECT ON s.t TO root@localhost",
    })
    void testNoChange(String statement)
    {
        try (Session donor = new Session(server)) {
            export(donor);
            server.execute(statement);
            for (String table : new String[] {"t", "p", "sub"}) {
                assertThat(covers(donor, table)).isEqualTo(COVERED);
            }
        }
    }

    // The dictionary's transaction ends before its own lock.
    @Test
    void testDdlThatRunsWhileTheSnapshotOpens()
    {
        try (Session donor = new Session(server); Session writer = new Session(server)) {
            writer.execute("BEGIN", "INSERT INTO s.t VALUES (9, 9, 9)");
            try (BackgroundCall ddl = BackgroundCall.ofStatements(server, "ALTER TABLE s.t FORCE").awaitMetadataLockWait()) {
                export(donor);
                writer.execute("COMMIT");
                ddl.end();
            }
            assertThat(covers(donor, "t")).isEqualTo(CHANGED);
        }
    }

    @Test
    void testAfterRestart()
    {
        try (MysqlServer restarted = MysqlServer.builder().extension(true).start()) {
            restarted.execute("CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY) PARTITION BY HASH (k) PARTITIONS 5");
            restarted.restart();
            try (Session donor = new Session(restarted)) {
                export(donor);
                assertThat(covers(donor, "t")).isEqualTo(COVERED);
            }
        }
    }

    @Test
    void testWithoutSnapshot()
    {
        try (Session session = new Session(server)) {
            session.assertRefused("SELECT mysql_pq_snapshot_covers('s', 't')", "bad_snapshot");
            session.execute("BEGIN");
            session.assertRefused("SELECT mysql_pq_snapshot_covers('s', 't')", "bad_snapshot");
        }
    }

    @Test
    void testArguments()
    {
        server.execute("CREATE VIEW s.v AS SELECT k FROM s.t", "CREATE TABLE s.m (k INT) ENGINE = MyISAM", "CREATE USER IF NOT EXISTS stranger");
        try (Session donor = new Session(server); Session stranger = new Session(server, "stranger", "")) {
            export(donor);
            donor.assertRefused("SELECT mysql_pq_snapshot_covers(NULL, 't')", "bad_argument", "schema");
            donor.assertRefused("SELECT mysql_pq_snapshot_covers('s', 7)", "bad_argument", "table");
            donor.assertFails("SELECT mysql_pq_snapshot_covers('s')", 1123);
            donor.assertFails("SELECT mysql_pq_snapshot_covers('s', 'none')", 1146);
            donor.assertFails("SELECT mysql_pq_snapshot_covers('s', 'v')", 1347);
            donor.assertFails("SELECT mysql_pq_snapshot_covers('s', 'm')", 1178);
            donor.assertFails("SELECT mysql_pq_snapshot_covers('mysql', 'tables')", 3554);
            export(stranger);
            stranger.assertFails("SELECT mysql_pq_snapshot_covers('s', 't')", 1142);
        }
    }

    // Its answer would be worth nothing.
    @Test
    void testTableThatIsNotLocked()
    {
        try (Session donor = new Session(server)) {
            export(donor);
            donor.assertRefused("SELECT mysql_pq_snapshot_covers('s', 't')", "bad_context", "locked");
            donor.execute("SELECT 1 FROM s.p LIMIT 0");
            donor.assertRefused("SELECT mysql_pq_snapshot_covers('s', 't')", "bad_context", "locked");
            assertThat(covers(donor, "t")).isEqualTo(COVERED);
        }
    }

    private static String covers(Session donor, String table)
    {
        donor.values("SELECT 1 FROM s.%s LIMIT 0".formatted(table));
        return donor.value("SELECT mysql_pq_snapshot_covers('s', '%s')".formatted(table));
    }

    private static void export(Session session)
    {
        session.execute("START TRANSACTION READ ONLY", "SELECT mysql_pq_snapshot_export()");
    }
}
