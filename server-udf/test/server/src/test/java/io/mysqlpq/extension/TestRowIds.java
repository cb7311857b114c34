package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests ranges and native scans of tables without any key that could be a primary one: by the ids that InnoDB gives their rows.
 */
@TestInstance(PER_CLASS)
class TestRowIds
{
    private static final String ROW_IDS = "GEN_CLUST_INDEX";
    private static final KeyColumn ROW_ID = new KeyColumn("DB_ROW_ID", "row id", "integer", true, false, false, null, null, null);
    private static final String SEQUENCE = "WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) ";
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int NO_SUCH_INDEX = 1176;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").start();
    private final Random random = Seed.random();

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
    @ValueSource(strings = {"DYNAMIC", "COMPACT", "REDUNDANT", "COMPRESSED"})
    void testUnionOfRanges(String format)
    {
        server.execute(
                "CREATE TABLE s.t (a VARCHAR(200), b INT, c DECIMAL(20, 3), KEY by_b (b)) ROW_FORMAT = " + format,
                "INSERT INTO s.t " + SEQUENCE.formatted(20_000) + "SELECT REPEAT(CHAR(97 + i % 26), i * 7 % 190), NULLIF(i % 700, 3), i / 3 FROM s",
                "DELETE FROM s.t WHERE b BETWEEN 100 AND 150",
                "ANALYZE TABLE s.t");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            List<List<String>> expected = bySql(reader, "s.t");
            for (int ranges : new int[] {1, 2, 7, 40}) {
                RangePlan plan = RangePlan.ask(reader.session(), "s.t", ROW_IDS, ranges);
                assertThat(plan.columns()).containsExactly(ROW_ID);
                assertThat(plan.reply().required("clustered").booleanValue()).isTrue();
                assertThat(plan.count()).isEqualTo(ranges);
                assertThat(plan.rows().stream().mapToLong(Long::longValue).sum()).isBetween(15_000L, 25_000L);
                assertThat(union(reader, "s.t", plan, "")).isEqualTo(expected);
            }
            RangePlan part = RangePlan.ask(reader.session(), "s.t", ROW_IDS, 8, "{\"lower\": [\"0\"], \"upper\": %s}".formatted(key(RangePlan.ask(reader.session(), "s.t", ROW_IDS, 2).boundaries().getFirst())));
            assertThat(part.count()).isBetween(2, 8);
            assertThat(union(reader, "s.t", part, "")).isEqualTo(expected);
        }
    }

    // In batches of few rows, so that most go on behind a row id.
    private List<List<String>> union(SnapshotReader reader, String table, RangePlan plan, String options)
    {
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < plan.count(); i++) {
            rows.addAll(read(reader, table, plan, i, options));
        }
        return rows;
    }

    private List<List<String>> read(SnapshotReader reader, String table, RangePlan plan, int range, String options)
    {
        String bounds = (range == 0 ? "" : "\"lower\": %s, ".formatted(key(plan.boundaries().get(range - 1))))
                + (range == plan.count() - 1 ? "" : "\"upper\": %s, ".formatted(key(plan.boundaries().get(range))));
        NativeScan.Scanned scanned = reader.scanByRowIds(table, bounds + options + "\"rows\": %d, ".formatted(1 + random.nextInt(random.nextBoolean() ? 20 : 5000))).read();
        assertThat(scanned.stopped()).isFalse();
        return scanned.rows();
    }

    private static String key(List<String> boundary)
    {
        return "[\"%s\"]".formatted(boundary.getFirst());
    }

    private static List<List<String>> bySql(SnapshotReader reader, String table)
    {
        return NativeScan.bySqlByRowIds(reader.donor(), table, ScanColumn.of(reader.donor(), "s.t"));
    }

    // Rows come, change and go, pages split and merge, and purge removes rows that were deleted before the snapshot, between one range and the next.
    @ParameterizedTest
    @ValueSource(strings = {"DYNAMIC", "REDUNDANT"})
    void testWritersAndPurge(String format)
    {
        server.execute(
                "CREATE TABLE s.t (k INT, v VARCHAR(300), KEY (k)) ROW_FORMAT = " + format,
                "INSERT INTO s.t " + SEQUENCE.formatted(20_000) + "SELECT i, REPEAT('v', i % 90) FROM s");
        try (Session writer = new Session(server); SnapshotReader older = SnapshotReader.open(server, "s.t")) {
            writer.execute("DELETE FROM s.t WHERE k % 3 = 0");
            try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
                List<List<String>> expected = bySql(reader, "s.t");
                RangePlan plan = RangePlan.ask(reader.session(), "s.t", ROW_IDS, 12);
                List<List<String>> rows = new ArrayList<>();
                for (int i = 0; i < plan.count(); i++) {
                    rows.addAll(read(reader, "s.t", plan, i, ""));
                    writer.execute(
                            "DELETE FROM s.t WHERE k %% 12 = %d".formatted(i),
                            "UPDATE s.t SET v = REPEAT('w', 300) WHERE k %% 7 = %d".formatted(i % 7),
                            "INSERT INTO s.t " + SEQUENCE.formatted(500) + "SELECT -i, REPEAT('n', 200) FROM s");
                    if (i == 3) {
                        assertThat(union(older, "s.t", plan, "")).hasSize(20_000).isEqualTo(bySql(older, "s.t"));
                        older.session().execute("COMMIT");
                        older.donor().execute("COMMIT");
                        awaitPurge(writer);
                    }
                }
                assertThat(rows).hasSize(13_334).isEqualTo(expected);
                // Nor does it matter when the ranges are planned.
                assertThat(union(reader, "s.t", RangePlan.ask(reader.session(), "s.t", ROW_IDS, 30), "")).isEqualTo(expected);
            }
        }
    }

    // Waits until purge has removed what the reader's snapshot does not need.
    private static void awaitPurge(Session session)
    {
        String purged = "SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'";
        session.execute("SET GLOBAL innodb_monitor_enable = 'trx_rseg_history_len'");
        long before = session.number(purged);
        Await.until("purge goes on", () -> session.number(purged) < before || before < 100);
    }

    // All of its partitions share one counter of row ids.
    @Test
    void testPartitions()
    {
        server.execute(
                "CREATE TABLE s.t (k INT, v VARCHAR(60)) PARTITION BY HASH (k) PARTITIONS 3",
                "INSERT INTO s.t " + SEQUENCE.formatted(12_000) + "SELECT i, REPEAT('v', i % 50) FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            List<List<String>> all = new ArrayList<>();
            for (String partition : List.of("p0", "p1", "p2")) {
                String option = "\"partition\": \"%s\", ".formatted(partition);
                RangePlan plan = RangePlan.ask(reader.session(), "s.t", ROW_IDS, 5, "{%s\"leaf\": true}".formatted(option));
                assertThat(plan.count()).isEqualTo(5);
                List<List<String>> rows = union(reader, "s.t", plan, option);
                assertThat(rows).hasSize(4000).isEqualTo(bySql(reader, "s.t PARTITION (%s)".formatted(partition)));
                all.addAll(rows);
            }
            assertThat(all).containsExactlyInAnyOrderElementsOf(bySql(reader, "s.t"));
            reader.session().assertRefused(RangePlan.call("s.t", ROW_IDS, 4, null), "bad_argument", "options.partition");
            reader.session().assertRefused(NativeScan.sql("s.t", ROW_IDS, reader.token(), "{\"columns\": []}", 1), "bad_argument", "options.partition");
        }
    }

    @Test
    void testInstantColumns()
    {
        server.execute(
                "CREATE TABLE s.t (k INT, n INT, filler CHAR(20) DEFAULT 'x')",
                "INSERT INTO s.t " + SEQUENCE.formatted(3000) + "SELECT i, i, i FROM s",
                "ALTER TABLE s.t ADD COLUMN a INT DEFAULT 7 FIRST, ALGORITHM = INSTANT",
                "INSERT INTO s.t (k, n, a) SELECT k + 10000, n, k FROM s.t WHERE k % 3 = 0",
                "ALTER TABLE s.t ADD COLUMN b VARCHAR(10) AFTER k, ADD COLUMN d DECIMAL(20, 3) NOT NULL DEFAULT 1.5, ALGORITHM = INSTANT",
                "ALTER TABLE s.t DROP COLUMN filler, ALGORITHM = INSTANT",
                "INSERT INTO s.t (k, n, b) SELECT k + 20000, n, 'new' FROM s.t WHERE k % 3 = 1",
                "UPDATE s.t SET b = 'upd' WHERE k % 10 = 0");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            RangePlan plan = RangePlan.ask(reader.session(), "s.t", ROW_IDS, 6, "{\"leaf\": true}");
            assertThat(plan.count()).isEqualTo(6);
            assertThat(union(reader, "s.t", plan, "")).isEqualTo(bySql(reader, "s.t"));
        }
    }

    // A row that is larger than a batch ends the scan; nobody but the extension can go on behind it.
    @Test
    void testValuesLargerThanABatch()
    {
        server.execute(
                "CREATE TABLE s.t (k INT, x MEDIUMTEXT)",
                "INSERT INTO s.t " + SEQUENCE.formatted(1000) + "SELECT i, REPEAT('x', IF(i = 500, 200000, IF(i % 50 = 0, 20000, 5))) FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            List<List<String>> expected = bySql(reader, "s.t");
            NativeScan.Scanned begin = reader.scanByRowIds("s.t", "\"bytes\": 65536, ").read();
            assertThat(begin.stopped()).isTrue();
            assertThat(begin.rows()).isEqualTo(expected.subList(0, 499));
            assertThat(reader.scanByRowIds("s.t", "\"bytes\": 262144, \"after\": %s, ".formatted(begin.cursor())).read().rows()).isEqualTo(expected.subList(499, 1000));
        }
    }

    // Whoever cannot go on by SQL asks first.
    @Test
    void testScanThatIsToReadTheRanges()
    {
        String texts = "t1 TEXT, t2 TEXT, t3 TEXT, t4 TEXT, t5 TEXT, v VARCHAR(9000), l TEXT CHARACTER SET latin1, m MEDIUMTEXT, n INT, g INT AS (n + 1) VIRTUAL, f FLOAT(7, 3), s SET ('a'), j JSON";
        server.execute("CREATE TABLE s.t (%s)".formatted(texts), "CREATE TABLE s.c (v VARCHAR(300), n INT) ROW_FORMAT = COMPRESSED", "CREATE TABLE s.k (n INT PRIMARY KEY, m LONGTEXT)");
        try (Session session = new Session(server)) {
            String most = "[\"t1\", \"bytes\"], [\"t2\", \"bytes\"], [\"t3\", \"bytes\"]";
            for (String readable : List.of("", "[\"n\", \"int32\"]", "[\"s\", \"bytes\"]", most + ", [\"t4\", \"bytes\"], [\"t5\", \"bytes\"], [\"v\", \"bytes\"]", "[\"l\", \"bytes\"], " + most)) {
                RangePlan.ask(session, "s.t", ROW_IDS, 4, "{\"columns\": [%s]}".formatted(readable));
            }
            assertUnsupported(session, "s.t", ROW_IDS, "[\"l\", \"bytes\"], [\"t4\", \"bytes\"], " + most, "of what is stored off-page");
            assertUnsupported(session, "s.t", ROW_IDS, "[\"m\", \"bytes\"]", "of what is stored off-page");
            assertUnsupported(session, "s.t", ROW_IDS, "[\"g\", \"int32\"]", "'g' is virtual");
            assertUnsupported(session, "s.t", ROW_IDS, "[\"f\", \"int32\"]", "'f' is a FLOAT");
            assertUnsupported(session, "s.t", ROW_IDS, "[\"j\", \"bytes\"]", "'j'");
            assertUnsupported(session, "s.c", ROW_IDS, "[\"v\", \"bytes\"]", "compressed");
            RangePlan.ask(session, "s.c", ROW_IDS, 4, "{\"columns\": [[\"n\", \"int32\"]]}");
            assertUnsupported(session, "s.k", "PRIMARY", "[\"m\", \"bytes\"]", "of what is stored off-page");
            RangePlan.ask(session, "s.k", "PRIMARY", 4, "{\"columns\": [[\"n\", \"int32\"]]}");
            String filter = "\"filters\": [{\"column\": \"%s\", \"intervals\": [], \"nulls\": true}]";
            session.assertRefused(RangePlan.call("s.t", ROW_IDS, 4, "{\"columns\": [], %s}".formatted(filter.formatted("m"))), "unsupported_scan", "of what is stored off-page");
            RangePlan.ask(session, "s.t", ROW_IDS, 4, "{\"columns\": [], %s}".formatted(filter.formatted("t1")));
            session.assertRefused(RangePlan.call("s.t", ROW_IDS, 4, "{\"columns\": [[\"nowhere\", \"int32\"]]}"), "bad_argument", "nowhere");
            session.assertRefused(RangePlan.call("s.t", ROW_IDS, 4, "{\"columns\": [[\"n\", \"int8\"]]}"), "bad_argument", "layout");
            session.assertRefused(RangePlan.call("s.t", ROW_IDS, 4, "{%s}".formatted(filter.formatted("n"))), "bad_argument", "options.columns");
            server.execute("SET GLOBAL mysql_pq_memory_limit = 1000");
            session.assertRefused(RangePlan.call("s.t", ROW_IDS, 4, "{\"columns\": []}"), "memory_limit");
            server.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
            assertThat(StatusCounters.value(session, "scan_memory_used")).isZero();
        }
    }

    private static void assertUnsupported(Session session, String table, String index, String columns, String why)
    {
        session.assertRefused(RangePlan.call(table, index, 4, "{\"columns\": [%s]}".formatted(columns)), "unsupported_scan", why);
    }

    // No grant of columns covers a row id.
    @Test
    void testPrivileges()
    {
        server.execute(
                "CREATE TABLE s.t (k INT, v INT)", "INSERT INTO s.t VALUES (1, 1), (2, 2)",
                "DROP USER IF EXISTS reader", "CREATE USER reader IDENTIFIED BY 'secret'", "GRANT SELECT (k, v) ON s.t TO reader");
        try (SnapshotReader reader = SnapshotReader.open(new Session(server, "reader", "secret"), new Session(server, "reader", "secret"))) {
            Session session = reader.session();
            session.execute("SELECT k FROM s.t LIMIT 0");
            String scan = NativeScan.sql("s.t", ROW_IDS, reader.token(), "{\"columns\": [[\"k\", \"int32\"]]}", 1);
            List<String> calls = List.of(RangePlan.call("s.t", ROW_IDS, 4, null), "SELECT mysql_pq_definition('s', 't', 'GEN_CLUST_INDEX')", scan);
            for (String call : calls) {
                session.assertFails(call, TABLE_ACCESS_DENIED);
            }
            server.execute("GRANT SELECT ON s.t TO reader");
            for (String call : calls) {
                assertThat(session.value(call)).isNotNull();
            }
            server.execute("REVOKE SELECT ON s.t FROM reader", "GRANT SELECT (k) ON s.t TO reader");
            session.assertFails(scan, TABLE_ACCESS_DENIED);
        }
        server.execute("DROP USER reader");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "[\"281474976710656\"]", "[\"18446744073709551615\"]", "[\"-1\"]", "[\"1.5\"]", "[\"\"]", "[\"00\"]", "[\"000000000001\"]", "[\" 1\"]", "[\"0x1\"]", "[null]", "[1]", "[\"1\", \"2\"]", "[]", "\"1\""})
    void testForgedBounds(String bound)
    {
        server.execute("CREATE TABLE s.t (k INT)", "INSERT INTO s.t VALUES (1), (2)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            for (String side : List.of("lower", "upper", "after")) {
                if (!side.equals("after")) {
                    reader.session().assertRefused(RangePlan.call("s.t", ROW_IDS, 4, "{\"%s\": %s, \"leaf\": true}".formatted(side, bound)), "bad_argument");
                }
                reader.session().assertRefused(NativeScan.sql("s.t", ROW_IDS, reader.token(), "{\"columns\": [], \"%s\": %s}".formatted(side, bound), 1), "bad_argument");
            }
        }
    }

    @Test
    void testLeastAndGreatestIds()
    {
        server.execute("CREATE TABLE s.t (k INT)", "INSERT INTO s.t VALUES (1), (2)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            assertThat(reader.scanByRowIds("s.t", "\"lower\": [\"0\"], \"upper\": [\"281474976710655\"], ").read().rows()).hasSize(2);
            assertThat(reader.scanByRowIds("s.t", "\"lower\": [\"281474976710655\"], ").read().rows()).isEmpty();
            assertThat(reader.scanByRowIds("s.t", "\"upper\": [\"0\"], ").read().rows()).isEmpty();
            assertThat(reader.scanByRowIds("s.t", "\"after\": [\"281474976710655\"], ").read().rows()).isEmpty();
        }
    }

    // Where there is a key, InnoDB keeps no such index, and no column may have its name.
    @ParameterizedTest
    @ValueSource(strings = {"k INT PRIMARY KEY", "k INT NOT NULL UNIQUE", "k INT NOT NULL, l INT, UNIQUE KEY (k), KEY (l)"})
    void testTablesWithAKey(String columns)
    {
        server.execute("CREATE TABLE s.t (%s)".formatted(columns));
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            reader.session().assertFails(RangePlan.call("s.t", ROW_IDS, 4, null), NO_SUCH_INDEX);
            reader.session().assertFails(NativeScan.sql("s.t", ROW_IDS, reader.token(), "{\"columns\": []}", 1), NO_SUCH_INDEX);
        }
    }

    // A unique key of columns that may be NULL, or of prefixes, is none that InnoDB could keep rows by.
    @ParameterizedTest
    @ValueSource(strings = {"k INT UNIQUE", "k VARCHAR(100) NOT NULL, UNIQUE KEY (k(3))", "k VARCHAR(90), FULLTEXT KEY (k)"})
    void testTablesWithoutAKey(String columns)
    {
        server.execute("CREATE TABLE s.t (%s)".formatted(columns), "INSERT INTO s.t (k) VALUES ('123'), ('456')");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            assertThat(RangePlan.ask(reader.session(), "s.t", "gen_clust_index", 2, "{\"leaf\": true}").count()).isEqualTo(2);
            assertThat(reader.scanByRowIds("s.t", "").read().rows()).isEqualTo(bySql(reader, "s.t")).hasSize(2);
        }
    }

    @Test
    void testOtherFunctions()
    {
        server.execute("CREATE TABLE s.t (v VARCHAR(100))", "INSERT INTO s.t " + SEQUENCE.formatted(5000) + "SELECT REPEAT('v', 90) FROM s", "INSTALL PLUGIN mysql_pq_ranges SONAME 'mysql_pq.so'");
        try (Session session = new Session(server)) {
            assertThat(session.number("SELECT COUNT(*) FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = 't' AND index_name = 'GEN_CLUST_INDEX' AND range_count = 4")).isEqualTo(4);
            assertThat(RangePlan.json(session.value("SELECT mysql_pq_read_ahead('s', 't', 'GEN_CLUST_INDEX', '{\"upper\": [\"281474976710655\"]}')")).required("stopped").isNull()).isTrue();
            String definition = session.value("SELECT mysql_pq_definition('s', 't', 'GEN_CLUST_INDEX')");
            assertThat(definition).contains(RangePlan.ask(session, "s.t", ROW_IDS, 4).definition());
            session.execute("ALTER TABLE s.t FORCE");
            assertThat(session.value("SELECT mysql_pq_definition('s', 't', 'GEN_CLUST_INDEX')")).isNotEqualTo(definition);
        }
    }
}
