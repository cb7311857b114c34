package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what a range counts as after its pages were flushed, evicted and read again, and where changes of pages leave no trace. */
class TestConditionalScanPages
{
    private static final String RANGE = "{\"lower\": [\"3000\"], \"upper\": [\"7000\"], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}";
    private static final String RANGE_AT_END = "{\"lower\": [\"9990\"], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}";
    private static final String CHANGE = "UPDATE s.t SET v = v + 1 WHERE k = 5000";
    // The size of a new undo tablespace, beyond which MySQL truncates it here.
    private static final long LEAST_UNDO_BYTES = 16 << 20;
    private static final String SUM = "SELECT SUM(v) FROM s.t FORCE INDEX (PRIMARY) WHERE t <> ''";

    private static MysqlServer start(MysqlServerBuilder builder)
    {
        MysqlServer server = builder.extension(true).option("cte-max-recursion-depth", "100000").start();
        server.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k BIGINT PRIMARY KEY, v INT NOT NULL, t VARCHAR(200) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 10000) SELECT i, i % 100, REPEAT('t', 100) FROM s");
        awaitValidators(server);
        return server;
    }

    private static void awaitValidators(MysqlServer server)
    {
        Await.until("a scan gives a validator", () -> scan(server).validator() != null);
    }

    private static KeptScan scan(MysqlServer server)
    {
        return KeptScan.scan(server, "s.t", RANGE);
    }

    // A page that is not there may have changed. Once it is there again, the number on it tells.
    @Test
    void testFlushedAndEvicted()
    {
        try (MysqlServer server = start(MysqlServer.builder().option("innodb-buffer-pool-size", "5M").option("innodb-buffer-pool-chunk-size", "1M").option("innodb-old-blocks-time", "0"))) {
            server.execute("CREATE TABLE s.other (k BIGINT PRIMARY KEY, t VARCHAR(3000) NOT NULL)", "INSERT INTO s.other SELECT k, REPEAT('o', 3000) FROM s.t");
            server.execute(SUM);
            Await.until("nothing purges any more", () -> {
                KeptScan kept = scan(server);
                return kept.validator() != null && kept.isUnchanged();
            });
            for (boolean changes : new boolean[] {false, true}) {
                server.execute(SUM);
                KeptScan kept = scan(server);
                if (changes) {
                    server.execute(CHANGE);
                }
                server.execute("SELECT COUNT(*) FROM s.other WHERE t = ''", "SELECT COUNT(*) FROM s.other WHERE t = ''");
                assertThat(kept.isUnchanged()).as("evicted").isFalse();
                server.execute(SUM);
                assertThat(kept.isUnchanged()).as("read again").isEqualTo(!changes);
            }
            server.assertErrorLogClean();
        }
    }

    @Test
    void testFlushed()
    {
        try (MysqlServer server = start(MysqlServer.builder())) {
            for (boolean changes : new boolean[] {false, true}) {
                KeptScan kept = scan(server);
                if (changes) {
                    server.execute(CHANGE);
                }
                flush(server);
                // It may have removed pages from the pool.
                kept.isUnchanged();
                server.execute(SUM);
                assertThat(kept.isUnchanged()).isEqualTo(!changes);
            }
            server.assertErrorLogClean();
        }
    }

    @Test
    void testResizedPool()
    {
        try (MysqlServer server = start(MysqlServer.builder().option("innodb-buffer-pool-size", "64M").option("innodb-buffer-pool-chunk-size", "1M"))) {
            for (int megabytes : new int[] {32, 96, 16, 64}) {
                KeptScan kept = scan(server);
                server.execute("SET GLOBAL innodb_buffer_pool_size = %s".formatted(megabytes << 20));
                Await.until("the pool has its size", () -> server.values("SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'Innodb_buffer_pool_resize_status'").getFirst().contains("Completed"));
                // Pages that had to go may have changed.
                kept.isUnchanged();
                server.execute(SUM);
                assertThat(kept.isUnchanged()).isTrue();
                server.execute(CHANGE);
                assertThat(kept.isUnchanged()).isFalse();
            }
            server.assertErrorLogClean();
        }
    }

    // While the log is disabled, changes of pages do not raise their numbers.
    @Test
    void testDisabledRedoLog()
    {
        try (MysqlServer server = start(MysqlServer.builder())) {
            for (boolean dirty : new boolean[] {false, true}) {
                for (boolean changes : new boolean[] {false, true}) {
                    if (dirty) {
                        server.execute(CHANGE);
                    }
                    else {
                        flush(server);
                    }
                    awaitValidators(server);
                    KeptScan kept = scan(server);
                    server.execute("ALTER INSTANCE DISABLE INNODB REDO_LOG");
                    assertThat(kept.isUnchanged()).isFalse();
                    assertThat(scan(server).validator()).isNull();
                    if (changes) {
                        server.execute(CHANGE);
                    }
                    assertThat(kept.isUnchanged()).isFalse();
                    // The number of statements is not that of the status variables, which begins anew.
                    server.execute("ALTER INSTANCE ENABLE INNODB REDO_LOG", "FLUSH STATUS");
                    assertThat(kept.isUnchanged()).isFalse();
                    awaitValidators(server);
                    assertThat(kept.isUnchanged()).isFalse();
                    assertThat(scan(server).isUnchanged()).isTrue();
                }
            }
            server.assertErrorLogClean("MY-013600", "MY-013601", "MY-013602", "MY-013598", "MY-013599");
        }
    }

    // Such statements were counted, and have not disabled the log yet: they wait for a lock, or for their sessions' own commits.
    @ParameterizedTest
    @ValueSource(strings = {"ALTER INSTANCE DISABLE INNODB REDO_LOG", "EXECUTE prepared", "CALL s.disable()"})
    void testStatementsThatWaitToDisableTheLog(String statement)
    {
        BackgroundTasks tasks = new BackgroundTasks();
        try (MysqlServer server = start(MysqlServer.builder()); Session backup = new Session(server); Session writer = new Session(server)) {
            server.execute("CREATE PROCEDURE s.disable() ALTER INSTANCE DISABLE INNODB REDO_LOG");
            writer.execute("PREPARE prepared FROM 'ALTER INSTANCE DISABLE INNODB REDO_LOG'", "START TRANSACTION", "INSERT INTO s.t VALUES (-1, 1, 'new')");
            for (String lock : new String[] {"LOCK INSTANCE FOR BACKUP", "FLUSH TABLES WITH READ LOCK"}) {
                awaitValidators(server);
                KeptScan kept = scan(server);
                backup.execute(lock);
                assertThat(kept.isUnchanged()).isTrue();
                tasks.start(() -> writer.execute(statement));
                Await.until("the statement waits", () -> server.values("SELECT COUNT(*) FROM performance_schema.processlist WHERE id = %s AND state LIKE 'Waiting for%%lock'".formatted(writer.id())).getFirst().equals("1"));
                for (int i = 0; i < 10; i++) {
                    assertThat(kept.isUnchanged()).isFalse();
                    assertThat(scan(server).validator()).isNull();
                    LockSupport.parkNanos(100_000_000);
                }
                backup.execute("UNLOCK INSTANCE", "UNLOCK TABLES");
                tasks.await();
                assertThat(scan(server).validator()).isNull();
                writer.execute("ALTER INSTANCE ENABLE INNODB REDO_LOG", "START TRANSACTION", "UPDATE s.t SET v = v + 1 WHERE k = -1");
            }
        }
    }

    // What rows had been before goes with the tablespace. No row of the range needs it.
    @Test
    void testTruncatedUndoTablespaces()
    {
        try (MysqlServer server = start(MysqlServer.builder().option("innodb-max-undo-log-size", "%s".formatted(LEAST_UNDO_BYTES)).option("innodb-purge-rseg-truncate-frequency", "1"))) {
            server.execute("CREATE UNDO TABLESPACE third ADD DATAFILE 'third.ibu'", "CREATE TABLE s.other LIKE s.t", "INSERT INTO s.other SELECT * FROM s.t");
            for (boolean changes : new boolean[] {false, true}) {
                KeptScan kept;
                try (SnapshotReader older = SnapshotReader.open(server, "s.t")) {
                    server.execute("UPDATE s.t SET v = v + 1");
                    while (largestUndoTablespace(server) <= LEAST_UNDO_BYTES) {
                        server.execute("UPDATE s.other SET t = REPEAT('u', 200)", "UPDATE s.other SET t = REPEAT('t', 100)");
                    }
                    kept = scan(server);
                    assertThat(kept.isUnchangedFor(older)).isFalse();
                    if (changes) {
                        server.execute(CHANGE);
                    }
                }
                awaitTruncation(server, () -> largestUndoTablespace(server) <= LEAST_UNDO_BYTES);
                assertThat(kept.isUnchanged()).isEqualTo(!changes);
                KeptScan next = scan(server);
                for (String name : List.of("innodb_undo_001", "innodb_undo_002")) {
                    server.execute("ALTER UNDO TABLESPACE %s SET INACTIVE".formatted(name));
                    awaitTruncation(server, () -> server.values("SELECT state FROM information_schema.innodb_tablespaces WHERE name = '%s'".formatted(name)).equals(List.of("empty")));
                    assertThat(next.isUnchanged()).isTrue();
                    server.execute("ALTER UNDO TABLESPACE %s SET ACTIVE".formatted(name));
                }
                assertThat(next.isUnchanged()).isTrue();
                server.execute(CHANGE);
                assertThat(next.isUnchanged()).isFalse();
            }
            server.assertErrorLogClean();
        }
    }

    // Purge truncates only when there is something to purge.
    private static void awaitTruncation(MysqlServer server, BooleanSupplier isTruncated)
    {
        Await.until("MySQL truncates undo tablespaces", () -> {
            server.execute("UPDATE s.other SET v = v + 1 WHERE k = 1");
            return isTruncated.getAsBoolean();
        });
    }

    private static long largestUndoTablespace(MysqlServer server)
    {
        return Long.parseLong(server.values("SELECT MAX(file_size) FROM information_schema.innodb_tablespaces WHERE space_type = 'Undo'").getFirst());
    }

    // Changes of a secondary index may be buffered, and reach its pages when these are read. No scan reads them.
    @Test
    void testChangeBuffer()
    {
        try (MysqlServer server = start(MysqlServer.builder().option("innodb-buffer-pool-size", "5M").option("innodb-buffer-pool-chunk-size", "1M").option("innodb-old-blocks-time", "0").option("innodb-change-buffering", "all").option("innodb-fill-factor", "50"))) {
            server.execute("CREATE TABLE s.other (k BIGINT PRIMARY KEY, t VARCHAR(3000) NOT NULL)", "INSERT INTO s.other SELECT k, REPEAT('o', 3000) FROM s.t", "CREATE INDEX by_v ON s.t (v, t)");
            Await.until("no page of the secondary index is in memory", () -> {
                server.execute("SELECT COUNT(*) FROM s.other WHERE t = ''");
                return cachedPages(server, "by_v").equals("0");
            });
            server.execute(SUM);
            KeptScan kept = scan(server);
            KeptScan end = KeptScan.scan(server, "s.t", RANGE_AT_END);
            assertThat(kept.isUnchanged()).isTrue();
            assertThat(end.isUnchanged()).isTrue();
            long merged = mergedChanges(server);
            // The rows come at the end, and their entries to many leaves of the secondary index.
            server.execute("INSERT INTO s.t SELECT k + 20000, v, t FROM s.t FORCE INDEX (PRIMARY) WHERE k <= 100");
            server.execute(SUM);
            assertThat(kept.isUnchanged()).isTrue();
            assertThat(end.isUnchanged()).isFalse();
            KeptScan buffered = KeptScan.scan(server, "s.t", RANGE_AT_END);
            try (SnapshotReader reader = SnapshotReader.open(server, "s.t")) {
                String ofIndex = KeptScan.sql(reader, "s.t", RANGE, kept.validator()).replace("'PRIMARY'", "'by_v'");
                reader.session().assertRefused(ofIndex, "unsupported_scan", "the index is not the clustered index");
            }
            server.execute("SELECT COUNT(*) FROM s.t FORCE INDEX (by_v) WHERE v >= 0 AND t <> ''", SUM);
            assertThat(mergedChanges(server)).isGreaterThan(merged);
            assertThat(kept.isUnchanged()).isTrue();
            assertThat(buffered.isUnchanged()).isTrue();
            server.assertErrorLogClean();
        }
    }

    private static String cachedPages(MysqlServer server, String index)
    {
        return server.values("SELECT COALESCE(SUM(n_cached_pages), 0) FROM information_schema.innodb_cached_indexes JOIN information_schema.innodb_indexes USING (index_id) WHERE name = '%s'".formatted(index)).getFirst();
    }

    private static long mergedChanges(MysqlServer server)
    {
        return Long.parseLong(server.values("SELECT SUM(count) FROM information_schema.innodb_metrics WHERE name IN ('ibuf_merges_insert', 'ibuf_merges_delete_mark', 'ibuf_merges_delete')").getFirst());
    }

    // The log's places are given again after a crash that lost its end. Other servers, such as the donor of a clone, have such places too.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testRestart(boolean crash)
    {
        try (MysqlServer server = start(MysqlServer.builder().option("innodb-flush-log-at-trx-commit", "0").option("innodb-flush-log-at-timeout", "1000"))) {
            flush(server);
            KeptScan kept = scan(server);
            if (crash) {
                server.kill();
            }
            server.restart();
            awaitValidators(server);
            server.execute(SUM);
            assertThat(kept.isUnchanged()).isFalse();
            assertThat(scan(server).isUnchanged()).isTrue();
        }
    }

    // The C library may leave a library mapped that MySQL closes. Then the number of the process stays, and the pages tell what changed meanwhile.
    @Test
    void testReinstalled()
            throws IOException
    {
        try (MysqlServer server = start(MysqlServer.builder())) {
            for (List<String> meanwhile : List.of(
                    List.<String>of(),
                    List.of(CHANGE),
                    List.of("ALTER INSTANCE DISABLE INNODB REDO_LOG", CHANGE, "ALTER INSTANCE ENABLE INNODB REDO_LOG"))) {
                KeptScan kept = scan(server);
                server.execute("UNINSTALL PLUGIN mysql_pq");
                boolean isMapped = Files.readString(Path.of("/proc/%s/maps".formatted(server.pid()))).contains("mysql_pq.so");
                server.execute(meanwhile.toArray(String[]::new));
                server.execute("INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
                boolean holds = isMapped && meanwhile.isEmpty();
                assertThat(kept.isUnchanged()).as("mapped: %s", isMapped).isEqualTo(holds);
                awaitValidators(server);
                assertThat(kept.isUnchanged()).isEqualTo(holds);
                server.execute(CHANGE);
                assertThat(kept.isUnchanged()).isFalse();
            }
            server.assertErrorLogClean("MY-013600", "MY-013601", "MY-013602", "MY-013598", "MY-013599");
        }
    }

    private static void flush(MysqlServer server)
    {
        try (Session session = new Session(server)) {
            session.execute("FLUSH TABLES s.t FOR EXPORT", "UNLOCK TABLES");
        }
    }
}
