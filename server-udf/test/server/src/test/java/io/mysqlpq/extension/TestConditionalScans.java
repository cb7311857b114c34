package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests that a range counts as unchanged if nothing in it changed, and never if something did. */
@TestInstance(PER_CLASS)
class TestConditionalScans
{
    private static final String COLUMNS = "\"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]";
    private static final String ALL = "{%s}".formatted(COLUMNS);
    // The table has some hundred leaves, and its scan more than one batch.
    private static final String MIDDLE = "{\"lower\": [\"30000\"], \"upper\": [\"70000\"], \"rows\": 1000, %s}".formatted(COLUMNS);

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").start();

    @BeforeEach
    void createTable()
    {
        KeptScan.createTable(server);
        server.execute("SET GLOBAL mysql_pq_validators = ON");
        Await.until("a scan gives a validator", () -> scan(MIDDLE).validator() != null);
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private KeptScan scan(String options)
    {
        return KeptScan.scan(server, "s.t", options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\"lower\": [\"30000\"], ", "\"upper\": [\"70000\"], ", "\"lower\": [\"30000\"], \"upper\": [\"30010\"], ", "\"lower\": [\"30001\"], \"upper\": [\"30002\"], ", "\"lower\": [\"200000\"], ", "\"upper\": [\"5\"], ", "\"after\": [\"30000\"], ", "\"rows\": 7, "})
    void testUnchanged(String options)
    {
        KeptScan kept = scan("{%s%s}".formatted(options, COLUMNS));
        assertThat(kept.isUnchanged()).isTrue();
        assertThat(kept.isUnchanged()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "UPDATE s.t SET v = v + 1 WHERE k = 50000",
            "UPDATE s.t SET t = REPEAT('u', 300) WHERE k BETWEEN 50000 AND 51000",
            "UPDATE s.t SET t = 'u' WHERE k BETWEEN 50000 AND 51000",
            "UPDATE s.t SET k = 200000 WHERE k = 50000",
            "UPDATE s.t SET k = -5 WHERE k = 50000",
            "UPDATE s.t SET k = 50005 WHERE k = 10",
            "INSERT INTO s.t VALUES (50005, 1, 'new')",
            // Before the first row of the range, at its begin.
            "INSERT INTO s.t VALUES (30000 + 1, 1, 'new')",
            // Right below its end.
            "INSERT INTO s.t VALUES (69999, 1, 'new')",
            "INSERT INTO s.t SELECT k + 1, v, t FROM s.t WHERE k BETWEEN 69000 AND 69980",
            "DELETE FROM s.t WHERE k = 30000",
            "DELETE FROM s.t WHERE k = 69990",
            "DELETE FROM s.t WHERE k BETWEEN 30000 AND 69990",
            "DELETE FROM s.t",
            "REPLACE INTO s.t VALUES (50000, 1, 'new')",
            "INSERT INTO s.t VALUES (50000, 1, 'new') ON DUPLICATE KEY UPDATE v = 7",
            "TRUNCATE TABLE s.t",
            "ALTER TABLE s.t ADD COLUMN more INT",
            "ALTER TABLE s.t ADD COLUMN more INT FIRST, ALGORITHM = INSTANT",
            "ALTER TABLE s.t MODIFY t VARCHAR(400) NOT NULL",
            "ALTER TABLE s.t ENGINE = InnoDB",
            "ALTER TABLE s.t ROW_FORMAT = REDUNDANT",
            "ALTER TABLE s.t MODIFY v BIGINT NOT NULL, ALGORITHM = COPY",
            "ALTER TABLE s.t ADD COLUMN more INT, ALGORITHM = INPLACE",
            "OPTIMIZE TABLE s.t"})
    void testChanged(String change)
    {
        KeptScan kept = scan(MIDDLE);
        server.execute(change);
        assertThat(kept.isUnchanged()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "UPDATE s.t SET v = v + 1 WHERE k > 75000 OR k < 25000",
            "INSERT INTO s.t VALUES (100001, 1, 'new'), (-1, 1, 'new')",
            "DELETE FROM s.t WHERE k = 10",
            "CREATE INDEX by_v ON s.t (v)",
            "ANALYZE TABLE s.t",
            "FLUSH TABLES",
            "ALTER TABLE s.t COMMENT = 'more', ALGORITHM = INPLACE",
            "CREATE TABLE s.other (k INT PRIMARY KEY); DROP TABLE s.other",
            "SET GLOBAL innodb_buffer_pool_dump_now = ON"})
    void testChangesElsewhere(String change)
    {
        KeptScan kept = scan(MIDDLE);
        try (Session session = new Session(server)) {
            session.execute(change.split("; "));
        }
        assertThat(kept.isUnchanged()).isTrue();
    }

    // Every insert that fits a page's end, at each page of the range.
    @Test
    void testInsertsInOrder()
    {
        String range = "{\"lower\": [\"30000\"], \"upper\": [\"40000\"], %s}".formatted(COLUMNS);
        for (int key = 29_991; key < 40_000; key += 397) {
            KeptScan kept = scan(range);
            server.execute("INSERT INTO s.t VALUES (%s, 1, 'new')".formatted(key % 10 == 0 ? key + 1 : key));
            boolean inside = key >= 30_000;
            if (inside) {
                assertThat(kept.isUnchanged()).as("after the insert of %s", key).isFalse();
            }
            else {
                kept.isUnchanged();
            }
        }
    }

    @Test
    void testGrowingAndShrinking()
    {
        server.execute("CREATE TABLE s.small (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(3000) NOT NULL)");
        for (int rows = 0; rows < 60; rows++) {
            KeptScan kept = KeptScan.scan(server, "s.small", ALL);
            assertThat(kept.isUnchanged()).as("with %s rows", rows).isTrue();
            server.execute("INSERT INTO s.small VALUES (%1$s, 1, REPEAT('s', 3000))".formatted(rows));
            assertThat(kept.isUnchanged()).as("with %s rows", rows).isFalse();
        }
        for (int rows = 60; rows > 0; rows--) {
            KeptScan kept = KeptScan.scan(server, "s.small", ALL);
            server.execute("DELETE FROM s.small LIMIT 1");
            assertThat(kept.isUnchanged()).as("with %s rows", rows).isFalse();
        }
        Await.until("what is empty is unchanged", () -> KeptScan.scan(server, "s.small", ALL).isUnchanged());
    }

    @Test
    void testCascadesAndTriggers()
    {
        server.execute(
                "CREATE TABLE s.parent (k INT PRIMARY KEY)",
                "INSERT INTO s.parent VALUES (1), (2), (3)",
                "CREATE TABLE s.child (k BIGINT PRIMARY KEY, v INT, t VARCHAR(10) NOT NULL, FOREIGN KEY (v) REFERENCES s.parent (k) ON DELETE CASCADE ON UPDATE SET NULL)",
                "INSERT INTO s.child VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c')",
                "CREATE TABLE s.source (k INT PRIMARY KEY)",
                "CREATE TRIGGER s.writes AFTER INSERT ON s.source FOR EACH ROW UPDATE s.child SET t = 'z' WHERE k = 3");
        for (String change : new String[] {"DELETE FROM s.parent WHERE k = 1", "UPDATE s.parent SET k = 9 WHERE k = 2", "INSERT INTO s.source VALUES (1)"}) {
            // Purge may still be at work on what the change before left.
            Await.until("the table is unchanged", () -> KeptScan.scan(server, "s.child", ALL).isUnchanged());
            KeptScan kept = KeptScan.scan(server, "s.child", ALL);
            server.execute(change);
            assertThat(kept.isUnchanged()).as(change).isFalse();
        }
    }

    @Test
    void testValuesOffPage()
    {
        server.execute(
                "CREATE TABLE s.large (k BIGINT PRIMARY KEY, v INT NOT NULL, t LONGTEXT NOT NULL, j JSON NOT NULL)",
                "INSERT INTO s.large SELECT k, v, REPEAT('l', 50000), JSON_OBJECT('a', REPEAT('x', 20000), 'b', 1) FROM s.t WHERE k <= 200");
        for (String change : new String[] {"t = REPEAT('m', 50000)", "j = JSON_SET(j, '$.b', 2)", "j = JSON_SET(j, '$.a', REPEAT('y', 20000))"}) {
            // Purge may still be at work on what the change before left.
            Await.until("the table is unchanged", () -> KeptScan.scan(server, "s.large", ALL).isUnchanged());
            KeptScan kept = KeptScan.scan(server, "s.large", ALL);
            server.execute("UPDATE s.large SET %s WHERE k = 100".formatted(change));
            // JSON is not read, and parts of it are changed in their place. Who does so writes its number into the row all the same.
            assertThat(kept.isUnchanged()).as(change).isFalse();
        }
    }

    @Test
    void testSwappedTables()
    {
        server.execute("CREATE TABLE s.other LIKE s.t", "INSERT INTO s.other SELECT k, v + 1, t FROM s.t");
        KeptScan kept = scan(MIDDLE);
        server.execute("RENAME TABLE s.t TO s.third, s.other TO s.t");
        assertThat(kept.isUnchanged()).isFalse();
        server.execute("RENAME TABLE s.t TO s.other, s.third TO s.t");
        assertThat(kept.isUnchanged()).isTrue();
    }

    @Test
    void testPartitions()
    {
        server.execute(
                "CREATE TABLE s.parts (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(300) NOT NULL) PARTITION BY RANGE (k) (PARTITION low VALUES LESS THAN (50000), PARTITION high VALUES LESS THAN MAXVALUE)",
                "INSERT INTO s.parts SELECT * FROM s.t",
                "CREATE TABLE s.single LIKE s.t",
                "INSERT INTO s.single SELECT k, v + 1, t FROM s.t WHERE k < 50000");
        KeptScan low = KeptScan.scan(server, "s.parts", "{\"partition\": \"low\", %s}".formatted(COLUMNS));
        KeptScan high = KeptScan.scan(server, "s.parts", "{\"partition\": \"high\", %s}".formatted(COLUMNS));
        server.execute("UPDATE s.parts SET v = v + 1 WHERE k = 60000");
        assertThat(low.isUnchanged()).isTrue();
        assertThat(high.isUnchanged()).isFalse();
        server.execute("ALTER TABLE s.parts EXCHANGE PARTITION low WITH TABLE s.single");
        assertThat(low.isUnchanged()).isFalse();
    }

    // The pages come from elsewhere, or as they were before. Numbers that they have had do not matter.
    @ParameterizedTest
    @ValueSource(strings = {"copy", "t"})
    void testImportedTablespace(String exported)
            throws IOException
    {
        server.execute("CREATE TABLE s.copy LIKE s.t", "INSERT INTO s.copy SELECT k, v + 1, t FROM s.t");
        Path files = exportTablespace("s." + exported, exported);
        server.execute("UPDATE s.t SET v = v + 2 WHERE k = 50000");
        KeptScan before = scan(MIDDLE);
        assertThat(before.isUnchanged()).isTrue();
        importTablespace(files, exported, "t", "ALTER TABLE s.t %s TABLESPACE");
        bringIntoMemory("s.t");
        assertThat(before.isUnchanged()).isFalse();
        KeptScan imported = scan(MIDDLE);
        assertThat(imported.isUnchanged()).isTrue();
        server.execute("UPDATE s.t SET v = v + 1 WHERE k = 50000");
        assertThat(imported.isUnchanged()).isFalse();
    }

    @Test
    void testImportedPartition()
            throws IOException
    {
        server.execute(
                "CREATE TABLE s.parts (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(300) NOT NULL) PARTITION BY RANGE (k) (PARTITION low VALUES LESS THAN (50000), PARTITION high VALUES LESS THAN MAXVALUE)",
                "INSERT INTO s.parts SELECT * FROM s.t");
        Path files = exportTablespace("s.parts", "parts#p#low");
        server.execute("UPDATE s.parts SET v = v + 1");
        KeptScan low = KeptScan.scan(server, "s.parts", "{\"partition\": \"low\", %s}".formatted(COLUMNS));
        assertThat(low.isUnchanged()).isTrue();
        importTablespace(files, "parts#p#low", "parts#p#low", "ALTER TABLE s.parts %s PARTITION low TABLESPACE");
        bringIntoMemory("s.parts");
        assertThat(low.isUnchanged()).isFalse();
    }

    private Path exportTablespace(String table, String file)
            throws IOException
    {
        Path copies = Files.createTempDirectory(server.pluginDirectory().getParent(), "export");
        try (Session session = new Session(server)) {
            session.execute("FLUSH TABLES %s FOR EXPORT".formatted(table));
            for (String kind : new String[] {".ibd", ".cfg"}) {
                Files.copy(server.dataDirectory().resolve("s/" + file + kind), copies.resolve(file + kind));
            }
            session.execute("UNLOCK TABLES");
        }
        return copies;
    }

    private void importTablespace(Path copies, String from, String to, String alter)
            throws IOException
    {
        server.execute(alter.formatted("DISCARD"));
        for (String kind : new String[] {".ibd", ".cfg"}) {
            Files.copy(copies.resolve(from + kind), server.dataDirectory().resolve("s/" + to + kind));
        }
        server.execute(alter.formatted("IMPORT"));
        // Otherwise the schema could not be dropped.
        Files.delete(server.dataDirectory().resolve("s/" + to + ".cfg"));
    }

    // A page that is not in memory counts as changed.
    private void bringIntoMemory(String table)
    {
        server.execute("SELECT COUNT(*) FROM %s FORCE INDEX (PRIMARY) WHERE t <> ''".formatted(table));
    }

    // The extension compares the whole request, so that a reader that mixes up what it keeps learns nothing wrong.
    @ParameterizedTest
    @ValueSource(strings = {
            "{\"lower\": [\"30000\"], \"upper\": [\"70010\"], \"rows\": 1000, \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]}",
            "{\"lower\": [\"30010\"], \"upper\": [\"70000\"], \"rows\": 1000, \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]}",
            "{\"lower\": [\"30000\"], \"upper\": [\"70000\"], \"rows\": 1000, \"columns\": [[\"v\", \"int64\"], [\"k\", \"int64\"], [\"t\", \"bytes\"]]}",
            "{\"lower\": [\"30000\"], \"upper\": [\"70000\"], \"rows\": 1000, \"filters\": [{\"column\": \"v\", \"intervals\": [[\"5\", true, null, true]], \"nulls\": false}], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"], [\"t\", \"bytes\"]]}"})
    void testOtherRequest(String options)
    {
        KeptScan kept = scan(MIDDLE);
        KeptScan other = kept.of("s.t", options);
        assertThat(other.isUnchanged()).isFalse();
        server.execute("CREATE TABLE s.other LIKE s.t", "INSERT INTO s.other SELECT * FROM s.t");
        assertThat(kept.of("s.other", MIDDLE).isUnchanged()).isFalse();
    }

    @Test
    void testBadValidators()
    {
        KeptScan kept = scan(MIDDLE);
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            for (String bad : new String[] {"x", " ", kept.validator() + "-1", kept.validator().substring(1)}) {
                reader.session().assertRefused(KeptScan.sql(reader, "s.t", MIDDLE, bad), "bad_argument", "validator");
            }
        }
        // Ahead of the log.
        String ahead = kept.validator().replaceFirst("-\\d+-", "-18446744073709551615-");
        assertThat(kept.validatedBy(ahead).isUnchanged()).isFalse();
        // No such last page.
        String elsewhere = kept.validator().replaceFirst("-\\d+-(\\d+)$", "-4294967295-$1");
        assertThat(kept.validatedBy(elsewhere).isUnchanged()).isFalse();
    }

    @Test
    void testSwitchedOff()
    {
        KeptScan kept = scan(MIDDLE);
        server.execute("SET GLOBAL mysql_pq_validators = OFF");
        assertThat(kept.isUnchanged()).isFalse();
        assertThat(scan(MIDDLE).validator()).isNull();
        server.execute("SET GLOBAL mysql_pq_validators = ON");
        assertThat(kept.isUnchanged()).isTrue();
    }

    @Test
    void testCounters()
    {
        KeptScan kept = scan(MIDDLE);
        long unchanged = server.status("mysql_pq_scans_unchanged");
        long changed = server.status("mysql_pq_scans_changed");
        long rows = server.status("mysql_pq_scan_rows_read");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            assertThat(reader.session().values(KeptScan.sql(reader, "s.t", MIDDLE, kept.validator()).replace("SELECT mysql_pq_scan", "SELECT LENGTH(mysql_pq_scan").replace(") FROM JSON", ")) FROM JSON"))).isNotEmpty();
        }
        assertThat(server.status("mysql_pq_scans_unchanged") - unchanged).isEqualTo(1);
        assertThat(server.status("mysql_pq_scan_rows_read") - rows).isZero();
        server.execute("UPDATE s.t SET v = v + 1 WHERE k = 50000");
        kept.isUnchanged();
        assertThat(server.status("mysql_pq_scans_changed") - changed).isEqualTo(1);
    }

    // What a user may not read is not said to be unchanged either.
    @Test
    void testPrivileges()
    {
        server.execute("DROP USER IF EXISTS reader", "CREATE USER reader IDENTIFIED BY 'r'", "GRANT SELECT ON s.t TO reader");
        KeptScan kept = scan(MIDDLE);
        try (SnapshotReader reader = SnapshotReader.open(new Session(server, "reader", "r"), new Session(server, "reader", "r"), "s.t")) {
            assertThat(kept.isUnchangedFor(reader)).isTrue();
        }
        server.execute("REVOKE SELECT ON s.t FROM reader", "GRANT SELECT (k, v) ON s.t TO reader");
        try (Session donor = new Session(server, "reader", "r"); Session session = new Session(server, "reader", "r")) {
            try (SnapshotReader reader = SnapshotReader.open(donor, session, "s.t")) {
                reader.session().assertFails(KeptScan.sql(reader, "s.t", MIDDLE, kept.validator()), 1143);
            }
        }
    }
}
