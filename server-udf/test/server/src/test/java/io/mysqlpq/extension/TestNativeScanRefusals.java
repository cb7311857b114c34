package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.math.BigInteger;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static java.util.Collections.nCopies;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests what a native scan refuses: readers that may not, tables that changed, columns it cannot read, more memory than is allowed.
 */
@TestInstance(PER_CLASS)
class TestNativeScanRefusals
{
    private static final String COLUMNS = "{\"columns\": [[\"k\", \"int32\"], [\"v\", \"int32\"]]}";
    private static final int COLUMN_ACCESS_DENIED = 1143;
    private static final int TABLE_ACCESS_DENIED = 1142;
    private static final int NO_SUCH_INDEX = 1176;
    private static final int QUERY_INTERRUPTED = 1317;
    // The driver has no number for it.
    private static final int CONNECTION_LOST = 0;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").option("lock-wait-timeout", "10").start();

    @BeforeEach
    void createTable()
    {
        server.execute(
                "SET GLOBAL mysql_pq_memory_limit = DEFAULT", "SET GLOBAL mysql_pq_scan_memory = DEFAULT",
                "DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s", "CREATE TABLE s.t (k INT PRIMARY KEY, v INT, w VARCHAR(20), KEY by_v (v))",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 5000) SELECT i, -i, i FROM s");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private static String scan(SnapshotReader reader, String options)
    {
        return NativeScan.sql("s.t", reader.token(), options, 1);
    }

    @Test
    void testWithoutLockOrSnapshot()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t"); Session other = new Session(server)) {
            other.assertRefused(scan(reader, COLUMNS), "bad_context", "locked");
            other.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM s.t LIMIT 0");
            other.assertRefused(scan(reader, COLUMNS), "bad_snapshot");
            reader.session().execute("COMMIT");
            reader.session().assertRefused(scan(reader, COLUMNS), "bad_context", "locked");
            reader.session().execute("START TRANSACTION READ ONLY", "SELECT 1 FROM s.t LIMIT 0");
            reader.session().assertRefused(scan(reader, COLUMNS), "bad_snapshot");
        }
        try (SnapshotReader unlocked = SnapshotReader.open(server)) {
            unlocked.session().assertRefused(scan(unlocked, COLUMNS), "bad_context", "locked");
        }
    }

    // The donor did not lock the table, so it could change before the reader did.
    @ParameterizedTest
    @ValueSource(strings = {"TRUNCATE s.t", "ALTER TABLE s.t ADD COLUMN x INT, ALGORITHM = INSTANT", "ALTER TABLE s.t FORCE", "RENAME TABLE s.t TO s.old, s.other TO s.t"})
    void testAlteredAfterTheSnapshot(String ddl)
    {
        server.execute("CREATE TABLE s.other LIKE s.t");
        try (Session donor = new Session(server); Session reader = new Session(server)) {
            donor.execute("START TRANSACTION READ ONLY");
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            server.execute(ddl);
            reader.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM s.t LIMIT 0");
            reader.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            reader.assertRefused(NativeScan.sql("s.t", token, COLUMNS, 1), "unusable_table", "altered");
        }
    }

    @Test
    void testColumnsItCannotRead()
    {
        server.execute("CREATE TABLE s.u (k INT PRIMARY KEY, g INT AS (k + 1) VIRTUAL, st INT AS (k + 2) STORED, j JSON, e SET ('a') CHARACTER SET binary, en ENUM ('a') CHARACTER SET binary, fl FLOAT(7, 3), f VARCHAR(9), FULLTEXT (f))", "INSERT INTO s.u (k) VALUES (1)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.u")) {
            for (String column : List.of("g", "j", "e", "en", "fl")) {
                reader.session().assertRefused(NativeScan.sql("s.u", reader.token(), "{\"columns\": [[\"%s\", \"bytes\"]]}".formatted(column), 1), "unsupported_scan", "'" + column + "'");
            }
            for (String column : List.of("x", "FTS_DOC_ID", "DB_TRX_ID", "DB_ROLL_PTR")) {
                reader.session().assertRefused(NativeScan.sql("s.u", reader.token(), "{\"columns\": [[\"%s\", \"int64\"]]}".formatted(column), 1), "bad_argument", "no column '" + column + "'");
            }
            reader.session().assertRefused(NativeScan.sql("s.u", reader.token(), "{\"columns\": [[\"k\", \"int16\"]]}", 1), "bad_argument", "'k'", "layout");
            reader.session().assertRefused(NativeScan.sql("s.u", reader.token(), "{\"columns\": [[\"k\", \"int32\"], [\"K\", \"int32\"]]}", 1), "bad_argument", "twice");
            ScanColumn stored = ScanColumn.of("st", "int", 0, 0, false);
            assertThat(new NativeScan(reader.session(), reader.token(), "s.u", List.of(stored), "").read().rows()).containsExactly(List.of("3"));
        }
    }

    /** What a client takes a column for, and what it is. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "integer | TINYINT UNSIGNED | decimal(3,0)",
            "integer | BIGINT | double",
            "bit(12) | BIT(12) | integer",
            "decimal(10,2) | DECIMAL(10, 2) UNSIGNED | decimal(10,1)",
            "float | FLOAT | double",
            "double | DOUBLE | float",
            "date | DATE | datetime(0)",
            "year | YEAR | integer",
            "time(3) | TIME(3) | time(2)",
            "datetime(0) | DATETIME | timestamp(0)",
            "timestamp(6) | TIMESTAMP(6) NULL | datetime(6)",
            "text | CHAR(3) | bytes",
            "text | TEXT | bytes",
            "text | ENUM ('a') | integer",
            "text | SET ('a', 'b') | integer",
            "bytes | VARBINARY(3) | text",
            "bytes | BLOB | text"})
    void testTypes(String type, String definition, String other)
    {
        server.execute("CREATE TABLE s.typed (k INT PRIMARY KEY, c %s)".formatted(definition));
        try (SnapshotReader reader = SnapshotReader.open(server, "s.typed")) {
            String options = "{\"columns\": [[\"k\", \"int32\"]], \"types\": {\"k\": \"integer\", \"c\": \"%s\"}}";
            assertThat(reader.session().value(NativeScan.sql("s.typed", reader.token(), options.formatted(type), 1))).isNotNull();
            reader.session().assertRefused(NativeScan.sql("s.typed", reader.token(), options.formatted(other), 1), "other_type", "column 'c' is %s, not %s".formatted(type, other));
        }
    }

    @Test
    void testTypesOfColumnsThatAreNotThere()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            reader.session().assertRefused(scan(reader, "{\"columns\": [], \"types\": {\"x\": \"integer\"}}"), "bad_argument", "no column 'x'");
        }
    }

    @Test
    void testAggregations()
    {
        server.execute("CREATE TABLE s.grouped (k INT PRIMARY KEY, d DOUBLE, f FLOAT)", "INSERT INTO s.grouped VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.grouped")) {
            String options = "{\"columns\": [[\"k\", \"int32\"], [\"d\", \"int64\"], [\"f\", \"int32\"]], \"aggregate\": {\"groups\": [%s], \"functions\": [%s]}}";
            reader.session().assertRefused(NativeScan.sql("s.grouped", reader.token(), options.formatted("", "[\"sum\", 2]"), 1), "unsupported_scan", "no sums");
            for (String function : new String[] {"[\"max\", 2]", "[\"sum\", 1], [\"min\", 1]"}) {
                assertThat(reader.session().value(NativeScan.sql("s.grouped", reader.token(), options.formatted("1, 2", function), 1))).isNotNull();
            }
            assertThat(reader.session().value(NativeScan.sql("s.grouped", reader.token(), options.formatted("", "[\"count\", 1]"), 1))).isNotNull();
            // Memory is reserved for as many groups as a batch may have.
            String many = options.formatted("0", IntStream.range(0, 256).mapToObj(_ -> "[\"max\", 0]").collect(joining(", "))).replaceFirst("\\{", "{\"rows\": 65536, ");
            reader.session().assertRefused(NativeScan.sql("s.grouped", reader.token(), many, 1), "memory_limit");
        }
    }

    @Test
    void testExpressions()
    {
        server.execute(
                "CREATE TABLE s.computed (k INT PRIMARY KEY, d DOUBLE, j JSON, h TIME, day DATE, t VARCHAR(10))",
                "SET SESSION sql_mode = ''",
                "INSERT INTO s.computed SELECT k, k, '1', '01:00:00', IF(k = 3000, '2024-02-00', '2024-02-29'), k FROM s.t");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.computed")) {
            String expression = "{\"columns\": [], \"expressions\": [[%s, \"int64\"]]}";
            for (String column : List.of("j", "h")) {
                String options = expression.formatted("[\"is_null\", [\"column\", \"%s\"]]".formatted(column));
                reader.session().assertRefused(NativeScan.sql("s.computed", reader.token(), options, 1), "unsupported_scan", column);
            }
            reader.session().assertRefused(NativeScan.sql("s.computed", reader.token(), expression.formatted("[\"column\", \"x\"]"), 1), "bad_argument", "no column 'x'");
            reader.session().assertRefused(NativeScan.sql("s.computed", reader.token(), expression.formatted("[\"column\", \"t\"]"), 1), "bad_argument", "layouts");
            reader.session().assertRefused(NativeScan.sql("s.computed", reader.token(), expression.formatted("[\"column\", \"d\"]"), 1), "bad_argument", "layouts");
            reader.session().assertRefused(NativeScan.sql("s.computed", reader.token(), "{\"columns\": [], \"where\": [[\"column\", \"k\"]]}", 1), "bad_argument", "truth values");
            // It is evaluated for all rows before the invalid date's block, and stops there.
            List<ScanBatch> batches = new NativeScan(reader.session(), reader.token(), "s.computed", List.of(), "")
                    .batches(NativeScan.sql("s.computed", reader.token(), expression.formatted("[\"year\", [\"column\", \"day\"]]"), 3));
            assertThat(batches.getLast().end()).isEqualTo(ScanBatch.STOPPED);
            int rows = batches.stream().mapToInt(ScanBatch::rows).sum();
            assertThat(rows).isBetween(3000 - 512, 2999);
            assertThat(batches.getLast().cursor()).isEqualTo("[\"%s\"]".formatted(rows));
            // Not of rows that do not pass.
            String passing = "{\"columns\": [], \"where\": [[\"<>\", [\"column\", \"k\"], [\"integer\", \"3000\"]]], \"expressions\": [[[\"year\", [\"column\", \"day\"]], \"int16\"]]}";
            List<ScanBatch> whole = new NativeScan(reader.session(), reader.token(), "s.computed", List.of(), "").batches(NativeScan.sql("s.computed", reader.token(), passing, 3));
            assertThat(whole.getLast().end()).isEqualTo(ScanBatch.RANGE_ENDED);
            assertThat(whole.stream().mapToInt(ScanBatch::rows).sum()).isEqualTo(4999);
        }
    }

    // A group comes again in a later batch if there are too many for one.
    @Test
    void testBatchesOfGroups()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            String options = "{\"rows\": 100, \"columns\": [], \"expressions\": [[[\"modulo\", [\"column\", \"k\"], [\"integer\", \"700\"]], \"int16\"]], \"aggregate\": {\"groups\": [0], \"functions\": [[\"count\"]]}}";
            List<ScanBatch> batches = new NativeScan(reader.session(), reader.token(), "s.t", List.of(), "").batches(scan(reader, options).replace("'[0]'", "'[%s0]'".formatted("0, ".repeat(60))));
            assertThat(batches.size()).isGreaterThan(5);
            assertThat(batches.getLast().end()).isEqualTo(ScanBatch.RANGE_ENDED);
            assertThat(batches).allSatisfy(batch -> assertThat(batch.rows()).isBetween(1, 100 + 511));
            Map<Object, Long> counts = new HashMap<>();
            for (ScanBatch batch : batches) {
                for (int row = 0; row < batch.rows(); row++) {
                    counts.merge(batch.columns().getFirst().get(row), ((BigInteger) batch.columns().getLast().get(row)).longValueExact(), Long::sum);
                }
            }
            assertThat(counts).hasSize(700);
            assertThat(counts.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(5000);
            assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(7L, 8L));
        }
    }

    @Test
    void testOtherIndexes()
    {
        server.execute("CREATE TABLE s.keyless (k INT, KEY by_k (k))", "CREATE TABLE s.thai (k CHAR(9) CHARACTER SET tis620 PRIMARY KEY)");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t", "s.keyless", "s.thai")) {
            reader.session().assertRefused(scan(reader, COLUMNS).replace("PRIMARY", "by_v"), "unsupported_scan", "clustered");
            reader.session().assertRefused(NativeScan.sql("s.keyless", reader.token(), COLUMNS, 1).replace("PRIMARY", "by_k"), "unsupported_scan", "clustered");
            reader.session().assertFails(NativeScan.sql("s.keyless", reader.token(), COLUMNS, 1), NO_SUCH_INDEX);
            reader.session().assertRefused(NativeScan.sql("s.thai", reader.token(), "{\"columns\": []}", 1), "unsupported_key");
            reader.session().assertRefused(scan(reader, "{\"columns\": [], \"after\": [\"1\", \"2\"]}"), "bad_argument");
        }
    }

    @Test
    void testPrivileges()
    {
        server.execute("CREATE USER IF NOT EXISTS reader IDENTIFIED BY 'secret'", "GRANT SELECT (k, v) ON s.t TO reader");
        try (SnapshotReader reader = SnapshotReader.open(new Session(server, "reader", "secret"), new Session(server, "reader", "secret"))) {
            reader.session().execute("SELECT k FROM s.t LIMIT 0");
            assertThat(reader.session().value(scan(reader, COLUMNS))).isNotNull();
            reader.session().assertFails(scan(reader, "{\"columns\": [[\"w\", \"bytes\"]]}"), COLUMN_ACCESS_DENIED);
            reader.session().assertFails(scan(reader, "{\"columns\": [], \"filters\": [{\"column\": \"w\", \"intervals\": [], \"nulls\": true}]}"), COLUMN_ACCESS_DENIED);
            String unreadable = "[\"is_null\", [\"column\", \"%s\"]]";
            for (String column : List.of("w", "none")) {
                reader.session().assertFails(scan(reader, "{\"columns\": [], \"where\": [%s]}".formatted(unreadable.formatted(column))), COLUMN_ACCESS_DENIED);
                reader.session().assertFails(scan(reader, "{\"columns\": [], \"expressions\": [[%s, \"int8\"]]}".formatted(unreadable.formatted(column))), COLUMN_ACCESS_DENIED);
            }
            assertThat(reader.session().value(scan(reader, "{\"columns\": [], \"where\": [%s]}".formatted(unreadable.formatted("v"))))).isNotNull();
            server.execute("REVOKE SELECT (k) ON s.t FROM reader");
            reader.session().assertFails(scan(reader, "{\"columns\": [[\"v\", \"int32\"]]}"), COLUMN_ACCESS_DENIED);
            server.execute("REVOKE SELECT (v) ON s.t FROM reader");
            reader.session().assertFails(scan(reader, COLUMNS), TABLE_ACCESS_DENIED);
        }
        server.execute("DROP USER reader");
    }

    @Test
    void testArgumentsMustStayTheSame()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            String changing = "SELECT mysql_pq_scan('s', 't', 'PRIMARY', '%s', IF(i = 1, '%s', '{\"columns\": []}')) FROM JSON_TABLE('[0, 0]', '$[*]' COLUMNS (i FOR ORDINALITY)) batches"
                    .formatted(reader.token(), COLUMNS.replace("{", "{\"rows\": 10, "));
            reader.session().assertRefused(changing, "bad_argument", "the same in all rows");
        }
    }

    @Test
    void testStatements()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            Session session = reader.session();
            String scan = scan(reader, COLUMNS);
            String call = scan.substring("SELECT ".length(), scan.indexOf(" FROM JSON_TABLE"));
            session.assertRefused("SELECT %s FROM s.t".formatted(call), "bad_context");
            session.assertRefused("SELECT * FROM s.t WHERE %s IS NULL".formatted(call), "bad_context");
            long rows = StatusCounters.value(session, "scan_rows_read");
            session.values("EXPLAIN " + scan);
            session.values("EXPLAIN FORMAT = JSON " + scan);
            session.execute("PREPARE p FROM \"%s\"".formatted(scan.replace("\"", "\\\"")));
            assertThat(StatusCounters.value(session, "scan_rows_read")).isEqualTo(rows);
            session.values("EXECUTE p");
            session.values("EXECUTE p");
            assertThat(StatusCounters.value(session, "scan_rows_read")).isEqualTo(rows + 10_000);
            session.execute("DEALLOCATE PREPARE p");
            // Evaluated twice, the function gives further batches instead of the same: their numbers tell.
            session.values("SELECT NULLIF(%s, '')".formatted(call));
            session.values("SELECT %s AS one, %s AS other ORDER BY 1".formatted(call, call));
        }
    }

    @Test
    void testMemory()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            Session session = reader.session();
            String large = "{\"columns\": [[\"w\", \"bytes\"]], \"bytes\": 33554432}";
            session.assertRefused(scan(reader, large), "memory_limit", "mysql_pq_scan_memory = 67108864");
            server.execute("SET GLOBAL mysql_pq_memory_limit = 1000000");
            long refused = StatusCounters.value(session, "refused");
            session.assertRefused(scan(reader, COLUMNS), "memory_limit", "mysql_pq_memory_limit = 1000000");
            assertThat(StatusCounters.value(session, "refused")).isEqualTo(refused + 1);
            server.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT", "SET GLOBAL mysql_pq_scan_memory = DEFAULT");
            session.value(scan(reader, COLUMNS));
            assertThat(StatusCounters.value(session, "scan_memory_used")).isZero();
        }
        server.execute("SET GLOBAL max_allowed_packet = 1048576");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            reader.session().assertRefused(scan(reader, COLUMNS), "too_large", "max_allowed_packet = 1048576");
            reader.session().value(scan(reader, COLUMNS.replace("{", "{\"bytes\": 65536, ")));
        }
        server.execute("SET GLOBAL max_allowed_packet = DEFAULT");
    }

    // The server keeps the last batch of each scan until the statement ends.
    @Test
    void testMemoryOfEndedScans()
    {
        server.execute("CREATE TABLE s.wide (k INT PRIMARY KEY, w VARCHAR(4000) CHARACTER SET latin1)", "INSERT INTO s.wide WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 200) SELECT i, REPEAT('w', 4000) FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.wide")) {
            Session session = reader.session();
            String scan = NativeScan.sql("s.wide", reader.token(), "{\"columns\": [[\"w\", \"bytes\"]]}", 1);
            String length = "LENGTH(%s)".formatted(scan.substring("SELECT ".length(), scan.indexOf(" FROM JSON_TABLE")));
            String scans = "SELECT " + String.join(", ", nCopies(80, length));
            assertThat(Integer.parseInt(session.value(scans))).isGreaterThan(800_000);
            assertThat(StatusCounters.value(session, "scan_memory_used")).isZero();
            server.execute("SET GLOBAL mysql_pq_memory_limit = 50000000");
            session.assertRefused(scans, "memory_limit", "mysql_pq_memory_limit = 50000000");
            // If one scan follows the other, only the last has a batch.
            session.values(String.join(" UNION ALL ", nCopies(20, scan)));
            server.execute("SET GLOBAL mysql_pq_memory_limit = DEFAULT");
            assertThat(StatusCounters.value(session, "scan_memory_used")).isZero();
        }
    }

    // However many filters name a column, its members are in memory once.
    @Test
    void testMemoryOfMembers()
    {
        int members = 2000;
        String texts = IntStream.range(0, members).mapToObj("'%0100d'"::formatted).collect(joining(", "));
        server.execute("CREATE TABLE s.members (k INT PRIMARY KEY, e ENUM (%s))".formatted(texts), "SET GLOBAL mysql_pq_scan_memory = 1048576");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.members")) {
            long none = neededMemory(reader, "k");
            long one = neededMemory(reader, "e");
            assertThat(one - none).isBetween(100L * members, 300L * members);
            assertThat(neededMemory(reader, nCopies(60, "e").toArray(String[]::new)) - one).isLessThan(100L * members);
        }
        server.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
    }

    private static long neededMemory(SnapshotReader reader, String... filtered)
    {
        String filters = Arrays.stream(filtered).map("{\"column\": \"%s\", \"intervals\": [], \"nulls\": true}"::formatted).collect(joining(", "));
        String message = reader.session().failure(NativeScan.sql("s.members", reader.token(), "{\"columns\": [[\"k\", \"int32\"]], \"filters\": [%s]}".formatted(filters), 1)).getMessage();
        assertThat(message).contains("mysql_pq_scan_memory = 1048576");
        return Long.parseLong(message.replaceFirst(".*the scan needs ([0-9]+) bytes.*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRUNCATE PARTITION p1", "EXCHANGE PARTITION p1 WITH TABLE s.other", "REORGANIZE PARTITION p1 INTO (PARTITION p1 VALUES LESS THAN (90000))", "REBUILD PARTITION p1"})
    void testPartitionThatWasAlteredAfterTheSnapshot(String ddl)
    {
        server.execute(
                "CREATE TABLE s.other LIKE s.t",
                "CREATE TABLE s.parts LIKE s.t",
                "INSERT INTO s.parts SELECT * FROM s.t",
                "ALTER TABLE s.parts PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (2000), PARTITION p1 VALUES LESS THAN (90000))");
        try (Session donor = new Session(server); Session reader = new Session(server)) {
            donor.execute("START TRANSACTION READ ONLY");
            String token = RangePlan.json(donor.value("SELECT mysql_pq_snapshot_export()")).required("token").textValue();
            server.execute("ALTER TABLE s.parts " + ddl);
            reader.execute("START TRANSACTION READ ONLY", "SELECT 1 FROM s.parts LIMIT 0");
            reader.value("SELECT mysql_pq_snapshot_adopt('%s')".formatted(token));
            reader.assertRefused(NativeScan.sql("s.parts", token, COLUMNS.replace("{", "{\"partition\": \"p1\", "), 1), "unusable_table", "altered");
        }
    }

    @Test
    void testSwitchedOff()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            server.execute("SET GLOBAL mysql_pq_enabled = OFF");
            // The snapshot ends too, and the session with it, a moment later.
            SQLException failure = reader.session().failure(scan(reader, COLUMNS));
            assertThat(failure.getErrorCode()).as(failure.getMessage()).isIn(Session.UDF_ERROR, QUERY_INTERRUPTED, CONNECTION_LOST);
            if (failure.getErrorCode() == Session.UDF_ERROR) {
                assertThat(failure.getMessage()).startsWith("mysql_pq: disabled: ");
            }
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_enabled = ON");
        }
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
            reader.session().value(scan(reader, COLUMNS));
        }
    }

    // Of a scan that finds no row, and of one that groups all rows into one batch.
    @ParameterizedTest
    @ValueSource(strings = {
            "{\"columns\": [], \"filters\": [{\"column\": \"v\", \"intervals\": [[\"1\", true, null, true]], \"nulls\": false}]}",
            "{\"columns\": [], \"expressions\": [[[\"modulo\", [\"column\", \"k\"], [\"integer\", \"9\"]], \"int8\"]], \"aggregate\": {\"groups\": [0], \"functions\": [[\"count\"]]}}"})
    void testKill(String options)
    {
        server.execute(
                "CREATE TABLE s.large (k INT PRIMARY KEY, v INT)",
                "INSERT INTO s.large WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 1000000) SELECT i, 0 FROM s");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.large"); Session killer = new Session(server)) {
            long pages = StatusCounters.value(killer, "scan_pages_read");
            String scans = String.join(" UNION ALL ", nCopies(500, NativeScan.sql("s.large", reader.token(), options, 1)));
            try (BackgroundCall call = new BackgroundCall(
                    server,
                    scans,
                    "START TRANSACTION READ ONLY",
                    "SELECT 1 FROM s.large LIMIT 0",
                    "SELECT mysql_pq_snapshot_adopt('%s')".formatted(reader.token()))) {
                Await.until("the scan runs", () -> StatusCounters.value(killer, "scan_pages_read") > pages);
                killer.execute("KILL QUERY " + call.connectionId());
                assertThat(call.failure().getErrorCode()).isEqualTo(QUERY_INTERRUPTED);
                // The session is good for more.
                call.session().value("SELECT mysql_pq_snapshot_verify('%s')".formatted(reader.token()));
            }
            assertThat(StatusCounters.value(killer, "scan_memory_used")).isZero();
        }
    }
}
