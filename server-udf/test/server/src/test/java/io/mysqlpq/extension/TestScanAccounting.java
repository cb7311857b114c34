package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** What a native scan costs, where an administrator looks for it, and where it has its limits. */
@TestInstance(PER_CLASS)
class TestScanAccounting
{
    private static final int ROWS = 5_000;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @BeforeAll
    void createTables()
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = " + ROWS,
                    "CREATE SCHEMA s",
                    "CREATE TABLE s.t (k INT PRIMARY KEY, v INT)",
                    "INSERT INTO s.t WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < %s) SELECT n, n FROM r".formatted(ROWS));
        }
    }

    @Test
    void testRowsExamined()
    {
        server.execute("SET GLOBAL log_output = 'TABLE', GLOBAL slow_query_log = ON");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t"); Session observer = new Session(server)) {
            reader.session().execute("SET long_query_time = 0");
            long examinedByInnodb = server.status("Innodb_rows_read");
            long fetched = fetched(observer, "t", "= 'PRIMARY'");
            assertThat(reader.scan("s.t", "").count()).isEqualTo(ROWS);
            String thread = "(SELECT THREAD_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = %s)".formatted(reader.session().id());
            assertThat(observer.number("""
                    SELECT MAX(ROWS_EXAMINED) FROM performance_schema.events_statements_history
                    WHERE SQL_TEXT LIKE 'SELECT mysql_pq_scan%%' AND THREAD_ID = %s""".formatted(thread))).isGreaterThanOrEqualTo(ROWS);
            assertThat(observer.number("SELECT MAX(rows_examined) FROM mysql.slow_log WHERE CONVERT(sql_text USING utf8mb4) LIKE 'SELECT mysql_pq_scan%'")).isGreaterThanOrEqualTo(ROWS);
            assertThat(observer.number("""
                    SELECT VARIABLE_VALUE FROM performance_schema.status_by_thread
                    WHERE VARIABLE_NAME = 'Handler_read_next' AND THREAD_ID = %s""".formatted(thread))).isGreaterThanOrEqualTo(ROWS);
            assertThat(server.status("Innodb_rows_read") - examinedByInnodb).isGreaterThanOrEqualTo(ROWS);
            assertThat(fetched(observer, "t", "= 'PRIMARY'") - fetched).isEqualTo(ROWS);
        }
        finally {
            server.execute("SET GLOBAL slow_query_log = OFF, GLOBAL log_output = DEFAULT");
        }
    }

    // Rows of a table without a key have no index that the server knows.
    @Test
    void testRowsFetchedWithoutKey()
    {
        server.execute("CREATE TABLE s.keyless (v INT)", "INSERT INTO s.keyless SELECT v FROM s.t");
        try (SnapshotReader reader = SnapshotReader.open(server, "s.keyless"); Session observer = new Session(server)) {
            long fetched = fetched(observer, "keyless", "IS NULL");
            reader.session().values("SELECT mysql_pq_scan('s', 'keyless', 'GEN_CLUST_INDEX', '%s', '{\"columns\": [[\"v\", \"int32\"]]}')".formatted(reader.token()));
            assertThat(fetched(observer, "keyless", "IS NULL") - fetched).isEqualTo(ROWS);
        }
    }

    private static long fetched(Session observer, String table, String index)
    {
        return observer.number("""
                SELECT COUNT_FETCH FROM performance_schema.table_io_waits_summary_by_index_usage
                WHERE OBJECT_SCHEMA = 's' AND OBJECT_NAME = '%s' AND INDEX_NAME %s""".formatted(table, index));
    }

    @Test
    void testMemoryAndThread()
    {
        try (SnapshotReader reader = SnapshotReader.open(server, "s.t"); Session observer = new Session(server)) {
            assertThat(reader.scan("s.t", "").count()).isEqualTo(ROWS);
            String memory = "FROM performance_schema.memory_summary_global_by_event_name WHERE EVENT_NAME = 'memory/mysql_pq/scan'";
            assertThat(observer.number("SELECT HIGH_NUMBER_OF_BYTES_USED " + memory)).isGreaterThan(100_000);
            assertThat(observer.number("SELECT CURRENT_NUMBER_OF_BYTES_USED " + memory)).isEqualTo(server.status("mysql_pq_scan_memory_used"));
            assertThat(observer.value("SELECT COUNT(*) FROM performance_schema.threads WHERE NAME = 'thread/mysql_pq/snapshot_watch'")).isEqualTo("1");
        }
    }

    // A row that was written more often since the snapshot than a scan follows.
    @Test
    void testTooLongHistory()
    {
        try (Session writer = new Session(server); SnapshotReader reader = SnapshotReader.open(server, "s.t"); Session observer = new Session(server)) {
            writer.execute("CREATE PROCEDURE s.write_often() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 1500 DO UPDATE s.t SET v = v + 1 WHERE k = 7; SET i = i + 1; END WHILE; END");
            // All in one transaction: versions are built all the same.
            writer.execute("BEGIN", "CALL s.write_often()", "COMMIT");
            server.execute("SET GLOBAL mysql_pq_max_row_versions = 1000");
            reader.session().assertRefused(
                    NativeScan.sql("s.t", reader.token(), reader.scan("s.t", "").options(null), 1),
                    "history_too_long", "'s/t'", "mysql_pq_max_row_versions = 1000", "newer snapshot");
            assertThat(StatusCounters.value(observer, "history_too_long")).isEqualTo(1);
            server.execute("SET GLOBAL mysql_pq_max_row_versions = DEFAULT");
            assertThat(reader.scan("s.t", "").count()).isEqualTo(ROWS);
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_max_row_versions = DEFAULT");
        }
    }

    // Writers of rows on a page wait while old versions of others on it are built: the page is let go after some steps.
    @Test
    void testPageIsLetGoBetweenHotRows()
    {
        try (Session writer = new Session(server); Session observer = new Session(server)) {
            long all = observer.number("SELECT COUNT(*) FROM s.t");
            writer.execute("CREATE PROCEDURE s.write_rows() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 4400 DO UPDATE s.t SET v = v + 1 WHERE k = 11 + i MOD 4; SET i = i + 1; END WHILE; END");
            try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
                long cold = pagesOfScan(reader, observer, all);
                writer.execute("BEGIN", "CALL s.write_rows()", "COMMIT");
                assertThat(pagesOfScan(reader, observer, all) - cold).isBetween(3L, 8L);
            }
        }
    }

    private static long pagesOfScan(SnapshotReader reader, Session observer, long rows)
    {
        long before = StatusCounters.value(observer, "scan_pages_read");
        assertThat(reader.scan("s.t", "").count()).isEqualTo(rows);
        return StatusCounters.value(observer, "scan_pages_read") - before;
    }

    // A long chain of versions is left at once, and not at its end. The best of some attempts counts, for the machine may be busy, and a scan may end before it is killed.
    @Test
    void testKillWithinALongHistory()
    {
        server.execute(
                "CREATE TABLE s.hot (k INT PRIMARY KEY, v INT)",
                "INSERT INTO s.hot VALUES (7, 0)",
                "CREATE PROCEDURE s.heat() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 150000 DO UPDATE s.hot SET v = v + 1 WHERE k = 7; SET i = i + 1; END WHILE; END",
                "SET GLOBAL mysql_pq_max_row_versions = 1000000");
        try (Session writer = new Session(server); SnapshotReader reader = SnapshotReader.open(server, "s.hot"); Session observer = new Session(server)) {
            writer.execute("BEGIN", "CALL s.heat()");
            String adopt = "SELECT mysql_pq_snapshot_adopt('%s', 's', 'hot')".formatted(reader.token());
            String scan = NativeScan.sql("s.hot", reader.token(), "{\"columns\": [[\"v\", \"int32\"]]}", 1);
            long start = System.nanoTime();
            assertThat(reader.session().values(scan)).hasSize(1);
            Duration whole = Duration.ofNanos(System.nanoTime() - start);
            Duration best = whole;
            for (int i = 0; i < 20 && best.toMillis() >= 10; i++) {
                try (BackgroundCall call = new BackgroundCall(server, scan, "START TRANSACTION READ ONLY", adopt)) {
                    Await.until("the scan runs", () -> call.isDone() || observer.number("SELECT COUNT(*) FROM performance_schema.processlist WHERE info LIKE 'SELECT mysql_pq_scan%%' AND id = %s".formatted(call.connectionId())) == 1);
                    start = System.nanoTime();
                    observer.execute("KILL QUERY " + call.connectionId());
                    Optional<SQLException> killed = call.failureIfAny();
                    if (killed.isPresent()) {
                        assertThat(killed.get().getErrorCode()).isEqualTo(1317);
                        best = min(best, Duration.ofNanos(System.nanoTime() - start));
                    }
                }
            }
            System.out.printf("A scan of %s ms ended %s ms after KILL%n", whole.toMillis(), best.toMillis());
            assertThat(best).isLessThan(Duration.ofMillis(100)).isLessThan(whole.dividedBy(4));
            writer.execute("ROLLBACK");
        }
        finally {
            server.execute("SET GLOBAL mysql_pq_max_row_versions = DEFAULT");
        }
    }

    private static Duration min(Duration one, Duration other)
    {
        return one.compareTo(other) < 0 ? one : other;
    }

    // A bound of safety, a hundred times what it takes: when the time grew as the square of the columns, these took 700 ms.
    @Test
    void testManyColumns()
    {
        server.execute("UPDATE performance_schema.setup_consumers SET ENABLED = 'YES' WHERE NAME IN ('events_statements_cpu', 'events_statements_history')");
        server.execute("CREATE TABLE s.wide (%s, PRIMARY KEY (c0))".formatted(columnNames(1000).map(name -> name + " TINYINT NOT NULL").collect(joining(", "))));
        try (SnapshotReader reader = SnapshotReader.open(server, "s.wide"); Session observer = new Session(server)) {
            double cpu = cpuOfOpening(reader, observer, 999);
            System.out.printf("A scan of 999 columns opens in %.2f ms%n", cpu);
            assertThat(cpu).isLessThan(40);
        }
    }

    // The least of some, in milliseconds.
    private static double cpuOfOpening(SnapshotReader reader, Session observer, int columns)
    {
        String options = "{\"columns\": [%s]}".formatted(columnNames(columns).map("[\"%s\", \"int8\"]"::formatted).collect(joining(", ")));
        String sql = NativeScan.sql("s.wide", reader.token(), options, 1);
        double least = Double.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            reader.session().values(sql);
            least = Math.min(least, Double.parseDouble(observer.value("""
                    SELECT CPU_TIME / 1e9 FROM performance_schema.events_statements_history
                    WHERE THREAD_ID = (SELECT THREAD_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = %s)
                    ORDER BY EVENT_ID DESC LIMIT 1""".formatted(reader.session().id()))));
        }
        assertThat(least).isPositive();
        return least;
    }

    private static Stream<String> columnNames(int count)
    {
        return IntStream.range(0, count).mapToObj("c%s"::formatted);
    }
}
