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

import java.util.List;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that native scans read leaves ahead that are absent from the buffer pool, no others and no more than allowed.
 */
@TestInstance(PER_CLASS)
class TestReadahead
{
    private static final String TABLE = "s.t";
    private static final int ROWS = 8_000;
    private static final String SMALL_POOL = "--innodb-buffer-pool-size=6M";
    private static final long SMALL_POOL_PAGES = 6 * 1024 / 16;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder()
            .extension(true)
            .keyring()
            .option("cte-max-recursion-depth", "1000000")
            .option("innodb-buffer-pool-load-at-startup", "OFF")
            .option("innodb-buffer-pool-dump-at-shutdown", "OFF")
            .start();

    @BeforeEach
    void createSchema()
    {
        server.restart();
        server.execute("DROP SCHEMA IF EXISTS s", "CREATE SCHEMA s");
    }

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    private void createTable(String options)
    {
        server.execute("CREATE TABLE %s (k BIGINT PRIMARY KEY, v VARCHAR(1000) CHARACTER SET latin1) %s".formatted(TABLE, options));
        FragmentedTable.fill(server, TABLE, ROWS);
    }

    private static ReadaheadCounters scan(SnapshotReader reader, String options)
    {
        ReadaheadCounters before = ReadaheadCounters.read(reader.donor());
        reader.scan(TABLE, options).read();
        assertThat(StatusCounters.value(reader.donor(), "readahead_pages_reserved")).isZero();
        return ReadaheadCounters.read(reader.donor()).since(before);
    }

    private static void assertReadRight(SnapshotReader reader)
    {
        NativeScan scan = reader.scan(TABLE, "");
        List<List<String>> rows = scan.read().rows();
        assertThat(rows).isEqualTo(NativeScan.bySql(reader.donor(), TABLE, scan.columns(), "ORDER BY k"));
        assertThat(rows).hasSize(ROWS);
    }

    @Test
    void testOnlyOfColdTables()
    {
        createTable("");
        server.restart();
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            long leaves = FragmentedTable.leaves(reader.donor(), TABLE);
            assertThat(scan(reader, "").asked()).isBetween(leaves * 8 / 10, leaves);
            ReadaheadCounters warm = scan(reader, "");
            assertThat(warm.asked()).isZero();
            assertThat(warm.looks()).isEqualTo(1);
            assertThat(warm.resident()).isEqualTo(32);
        }
    }

    // The scan begins in a part of the table that is resident, and notices the end of it.
    @Test
    void testHalfWarm()
    {
        createTable("");
        server.restart();
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            long leaves = FragmentedTable.leaves(reader.donor(), TABLE);
            reader.session().values("SELECT COUNT(v) FROM %s WHERE k < %s".formatted(TABLE, FragmentedTable.KEYS / 2));
            assertThat(scan(reader, "").asked()).isBetween(leaves * 3 / 10, leaves * 6 / 10);
        }
    }

    @Test
    void testInsideTheRange()
    {
        createTable("");
        server.restart();
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            long leaves = FragmentedTable.leaves(reader.donor(), TABLE);
            String tenth = "\"lower\": [\"%s\"], \"upper\": [\"%s\"], ".formatted(FragmentedTable.KEYS / 10, FragmentedTable.KEYS / 5);
            assertThat(scan(reader, tenth).asked()).isBetween(leaves * 5 / 100, leaves * 12 / 100);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"window", "pool_share", "in_flight"})
    void testSwitchedOff(String variable)
    {
        createTable("");
        server.restart();
        server.execute("SET GLOBAL mysql_pq_readahead_%s = 0".formatted(variable));
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            assertThat(scan(reader, "").asked()).isZero();
            server.execute("SET GLOBAL mysql_pq_readahead_%s = DEFAULT".formatted(variable));
        }
    }

    @Test
    void testPauseBetweenWindows()
    {
        createTable("");
        server.restart();
        server.execute("SET GLOBAL mysql_pq_readahead_pause = 60000");
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            ReadaheadCounters once = scan(reader, "");
            assertThat(once.looks()).isEqualTo(1);
            assertThat(once.asked()).isBetween(1L, 32L);
        }
    }

    // Purge stops writers for readers of an index once it is far behind.
    @Test
    void testOffBehindALongHistory()
    {
        createTable("");
        server.execute(
                "CREATE TABLE s.counter (k INT PRIMARY KEY, n INT)",
                "INSERT INTO s.counter VALUES (1, 0)",
                "CREATE PROCEDURE s.age() BEGIN DECLARE i INT DEFAULT 0; WHILE i < 50500 DO UPDATE s.counter SET n = n + 1; SET i = i + 1; END WHILE; END");
        server.restart("--innodb-flush-log-at-trx-commit=0");
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            server.execute("CALL s.age()");
            assertThat(scan(reader, "").asked()).isZero();
        }
        try (Session session = new Session(server)) {
            Await.until("purge has caught up", () -> session.number("SELECT count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'") < 50_000);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 256, 4096})
    void testAnswersInASmallPool(int window)
    {
        createTable("");
        server.restart(SMALL_POOL, "--loose-mysql-pq-readahead-window=" + window);
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            assertReadRight(reader);
            assertThat(scan(reader, "\"rows\": 100, ").asked()).matches(asked -> asked > 0 == window > 0, "asked if there is a window");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ROW_FORMAT = COMPRESSED KEY_BLOCK_SIZE = 8", "ROW_FORMAT = REDUNDANT", "COMPRESSION = 'zlib'", "ENCRYPTION = 'Y'", "TABLESPACE = innodb_system"})
    void testTableFormats(String options)
    {
        createTable(options);
        server.restart(SMALL_POOL);
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            ReadaheadCounters before = ReadaheadCounters.read(reader.donor());
            assertReadRight(reader);
            assertThat(ReadaheadCounters.read(reader.donor()).since(before).asked()).isPositive();
        }
    }

    // Few node pointers fit a page, so that a window spans many pages of level 1.
    @Test
    void testLongKeys()
    {
        server.execute("CREATE TABLE %s (k BIGINT, v VARCHAR(760) CHARACTER SET latin1, PRIMARY KEY (v, k DESC))".formatted(TABLE));
        server.execute("INSERT INTO %s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, LPAD(i * 2654435761 %% 4294967296, 750, '0') FROM s".formatted(TABLE, ROWS), "ANALYZE TABLE " + TABLE);
        server.restart("--loose-mysql-pq-readahead-window=4096");
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            long leaves = FragmentedTable.leaves(reader.donor(), TABLE);
            ReadaheadCounters before = ReadaheadCounters.read(reader.donor());
            NativeScan scan = reader.scan(TABLE, "");
            List<List<String>> rows = scan.read().rows();
            assertThat(ReadaheadCounters.read(reader.donor()).since(before).asked()).isBetween(leaves * 8 / 10, leaves);
            assertThat(rows).isEqualTo(NativeScan.bySql(reader.donor(), TABLE, scan.columns(), "ORDER BY v, k DESC"));
        }
    }

    @Test
    void testShareOfThePool()
    {
        createTable("");
        server.restart(SMALL_POOL);
        server.execute("SET GLOBAL mysql_pq_readahead_window = 4096", "SET GLOBAL mysql_pq_readahead_pool_share = 20");
        try (SnapshotReader reader = SnapshotReader.open(server, TABLE)) {
            String scan = NativeScan.sql(TABLE, reader.token(), "{\"columns\": [[\"k\", \"int64\"]]}", 1000);
            String scans = String.join(" UNION ALL ", nCopies(20, scan));
            String adopt = "SELECT mysql_pq_snapshot_adopt('%s')".formatted(reader.token());
            String[] setUp = {"START TRANSACTION READ ONLY", "SELECT 1 FROM %s LIMIT 0".formatted(TABLE), adopt};
            try (BackgroundCall one = new BackgroundCall(server, "SELECT COUNT(*) FROM (%s) b".formatted(scans), setUp); BackgroundCall other = new BackgroundCall(server, "SELECT COUNT(*) FROM (%s) b".formatted(scans), setUp)) {
                Await.until("pages are reserved", () -> StatusCounters.value(reader.donor(), "readahead_pages_reserved") > 0);
                for (int i = 0; i < 100; i++) {
                    assertThat(StatusCounters.value(reader.donor(), "readahead_pages_reserved")).isBetween(0L, SMALL_POOL_PAGES / 5);
                }
                one.value();
                other.value();
            }
            assertThat(StatusCounters.value(reader.donor(), "readahead_pages_reserved")).isZero();
        }
    }
}
