package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls every function in a server under valgrind's memcheck, and fails if one of its reports names the extension. Run by {@code ./pq valgrind}.
 */
class MemoryCheck
{
    private static final Pattern REPORT = Pattern.compile("(?m)^==\\d+== (?!ERROR SUMMARY|LEAK SUMMARY|HEAP SUMMARY)\\S.*(?:\\R==\\d+== {3,}\\S.*)+");
    // By its namespace, or the library where a place in it has no name.
    private static final Pattern OWN = Pattern.compile("\\bpq::|mysql_pq\\.so");
    private static final List<String> COLUMNS = List.of(
            "[\"k\", \"int64\"]", "[\"d\", \"int64\"]", "[\"at\", \"int64\"]", "[\"e\", \"bytes\"]", "[\"v\", \"bytes\"]", "[\"long_text\", \"bytes\"]");

    // Otherwise no report would be the extension's, whatever memcheck finds.
    @Test
    void testReportsAreTakenApart()
    {
        String own = """
                ==42== Invalid read of size 8
                ==42==    at 0x1B2C3D4: pq::Leaf_weights::find_rows() (leaf_weights.cc:90)
                ==42==    by 0x2B2C3D4: udf_handler::val_str(String*, String*) (sql_udf.h:110)""";
        String unnamed = """
                ==42== Conditional jump or move depends on uninitialised value(s)
                ==42==    at 0x1B2C3D4: ??? (in /usr/lib/mysql/plugin/mysql_pq.so)""";
        String other = """
                ==42== Syscall param write(buf) points to uninitialised byte(s)
                ==42==    at 0x2B2C3D4: os_file_write(unsigned char const*) (os0file.cc:5000)""";
        String log = String.join("\n==42== \n", "==42== Memcheck, a memory error detector", own, unnamed, other, "==42== ERROR SUMMARY: 3 errors from 3 contexts");
        assertThat(reports(log)).containsExactly(own, unnamed, other);
        assertThat(reports(log).stream().filter(MemoryCheck::isOwn)).containsExactly(own, unnamed);
    }

    @Test
    void testNoErrorsOfTheExtension()
            throws IOException
    {
        Path log = Path.of(System.getenv("PQ_VALGRIND_LOG"));
        List<String> command = List.of(System.getenv("PQ_VALGRIND_COMMAND").split(" "));
        try (MysqlServer server = MysqlServer.builder()
                .option("plugin-load-add", "mysql_pq.so")
                .under(command)
                .option("innodb-buffer-pool-size", "32M")
                // Memcheck knows no io_uring or kernel AIO.
                .option("innodb-use-native-aio", "0")
                .option("cte-max-recursion-depth", "100000")
                .start()) {
            createTables(server);
            useAll(server);
            server.execute("UNINSTALL PLUGIN mysql_pq");
            server.stop();
        }
        String text = Files.readString(log);
        assertThat(text).contains("ERROR SUMMARY");
        List<String> reports = reports(text);
        List<String> own = reports.stream().filter(MemoryCheck::isOwn).toList();
        System.out.printf("memcheck: %d reports, %d of them with the extension in the stack%n", reports.size(), own.size());
        assertThat(own).isEmpty();
    }

    private static List<String> reports(String log)
    {
        return REPORT.matcher(log).results().map(MatchResult::group).toList();
    }

    private static boolean isOwn(String report)
    {
        return OWN.matcher(report).find();
    }

    private static void createTables(MysqlServer server)
    {
        server.execute(
                "CREATE SCHEMA s",
                """
                CREATE TABLE s.t (k BIGINT, b VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, d DECIMAL(12, 3), at DATETIME(3), e ENUM('x', 'y'), v VARCHAR(200), long_text LONGTEXT,
                  PRIMARY KEY (k, b), KEY by_v (v(10) DESC), KEY by_at (at))""",
                "INSERT INTO s.t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) SELECT i, LEFT(SHA2(i, 256), 32), i / 7, FROM_UNIXTIME(i * 7000), 1 + i % 2, REPEAT(LEFT(SHA2(i, 256), 32), 5), IF(i % 50 = 0, REPEAT('z', 30000), NULL) FROM n",
                "CREATE TABLE s.p (k INT PRIMARY KEY) PARTITION BY HASH (k) PARTITIONS 2",
                "ANALYZE TABLE s.t",
                "INSERT INTO s.p SELECT k FROM s.t",
                "CREATE TABLE s.keyless (v INT)",
                "INSERT INTO s.keyless SELECT k FROM s.t");
    }

    private static void useAll(MysqlServer server)
    {
        try (Session session = new Session(server)) {
            session.value("SELECT mysql_pq_version()");
            for (String call : List.of(
                    RangePlan.call("s.t", "PRIMARY", 16, "{\"leaf\": true, \"lower\": [\"100\"], \"upper\": [\"4000\", \"61\"]}"),
                    RangePlan.call("s.t", "by_v", 64, null),
                    RangePlan.call("s.t", "by_at", 4, "{\"leaf\": true}"),
                    RangePlan.call("s.p", "PRIMARY", 4, "{\"partition\": \"p1\", \"leaf\": true}"),
                    RangePlan.call("s.keyless", "GEN_CLUST_INDEX", 4, "{\"columns\": [[\"v\", \"int32\"]]}"),
                    "SELECT mysql_pq_definition('s', 't', 'PRIMARY')",
                    "SELECT mysql_pq_read_ahead('s', 't', 'PRIMARY')")) {
                assertThat(session.value(call)).contains("protocol");
            }
            for (String call : List.of(
                    RangePlan.call("s.t", "PRIMARY", 64, "{\"off_page\": [\"long_text\"]}"),
                    RangePlan.call("s.t", "PRIMARY", 16, "{\"off_page\": [\"v\", \"long_text\"], \"leaf\": true, \"lower\": [\"100\"]}"))) {
                assertThat(session.value(call)).contains("off_page_bytes");
            }
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, "{\"off_page\": [\"none\"]}"), "bad_argument");
            session.assertRefused(RangePlan.call("s.t", "PRIMARY", 4, "{\"lower\": [\"x\"]}"), "bad_argument");
            session.assertFails(RangePlan.call("s.t", "none", 4, null), 1176);
            assertThat(session.values("SELECT lower_key FROM information_schema.mysql_pq_ranges WHERE table_schema = 's' AND table_name = 't'")).isNotEmpty();
        }
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t", "s.keyless"); Session writer = new Session(server)) {
            // These changes make the scan build versions, of deleted rows too.
            writer.execute("UPDATE s.t SET v = 'new', d = d + 1", "DELETE FROM s.t WHERE k % 3 = 0");
            assertThat(reader.session().value("SELECT mysql_pq_snapshot_covers('s', 't')")).contains("true");
            scan(reader, "s.t", "PRIMARY", "{\"columns\": [%s], \"rows\": 700}".formatted(String.join(", ", COLUMNS)));
            scan(reader, "s.t", "PRIMARY", "{\"columns\": [[\"k\", \"int64\"]], \"filters\": [{\"column\": \"d\", \"intervals\": [[\"1.000\", true, \"300.000\", false]], \"nulls\": false}, {\"any\": [[{\"column\": \"e\", \"intervals\": [[\"78\", true, \"78\", true]], \"nulls\": false}], [{\"left\": \"b\", \"comparison\": \"<\", \"right\": \"v\"}]]}]}");
            scan(reader, "s.keyless", "GEN_CLUST_INDEX", "{\"columns\": [[\"v\", \"int32\"]]}");
            assertThat(reader.session().value("SELECT mysql_pq_snapshot_verify('%s')".formatted(reader.token()))).contains("age_ms");
            assertThat(writer.values("SELECT state FROM information_schema.mysql_pq_snapshots")).isNotEmpty();
        }
    }

    private static void scan(SnapshotReader reader, String table, String index, String options)
    {
        List<String> batches = reader.session().values(NativeScan.sql(table, index, reader.token(), options, 60));
        assertThat(batches.getFirst()).isNotNull();
        assertThat(batches.getLast()).isNull();
    }
}
