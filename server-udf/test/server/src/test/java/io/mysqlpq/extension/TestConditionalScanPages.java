package io.mysqlpq.extension;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.MysqlServerBuilder;
import org.junit.jupiter.api.Test;

import java.util.concurrent.locks.LockSupport;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what a range counts as after its pages were flushed, evicted and read again, and where changes of pages leave no trace. */
class TestConditionalScanPages
{
    private static final String RANGE = "{\"lower\": [\"3000\"], \"upper\": [\"7000\"], \"columns\": [[\"k\", \"int64\"], [\"v\", \"int64\"]]}";
    private static final String CHANGE = "UPDATE s.t SET v = v + 1 WHERE k = 5000";
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
                    server.execute("ALTER INSTANCE ENABLE INNODB REDO_LOG");
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
    @Test
    void testStatementsThatWaitToDisableTheLog()
    {
        BackgroundTasks tasks = new BackgroundTasks();
        try (MysqlServer server = start(MysqlServer.builder()); Session backup = new Session(server); Session writer = new Session(server)) {
            writer.execute("START TRANSACTION", "INSERT INTO s.t VALUES (-1, 1, 'new')");
            for (String lock : new String[] {"LOCK INSTANCE FOR BACKUP", "FLUSH TABLES WITH READ LOCK"}) {
                awaitValidators(server);
                KeptScan kept = scan(server);
                backup.execute(lock);
                assertThat(kept.isUnchanged()).isTrue();
                tasks.start(() -> writer.execute("ALTER INSTANCE DISABLE INNODB REDO_LOG"));
                Await.until("the statement waits", () -> server.values("SELECT COUNT(*) FROM performance_schema.processlist WHERE info LIKE 'ALTER INSTANCE%' AND state LIKE 'Waiting for%lock'").getFirst().equals("1"));
                for (int i = 0; i < 20; i++) {
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

    // The log's places are given again after a crash that lost its end.
    @Test
    void testCrash()
    {
        try (MysqlServer server = start(MysqlServer.builder().option("innodb-flush-log-at-trx-commit", "0").option("innodb-flush-log-at-timeout", "1000"))) {
            flush(server);
            KeptScan kept = scan(server);
            server.kill();
            server.restart();
            awaitValidators(server);
            assertThat(kept.isUnchanged()).isFalse();
            assertThat(scan(server).isUnchanged()).isTrue();
        }
    }

    @Test
    void testReinstalled()
    {
        try (MysqlServer server = start(MysqlServer.builder())) {
            KeptScan kept = scan(server);
            server.execute("UNINSTALL PLUGIN mysql_pq", "INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so'");
            awaitValidators(server);
            kept.isUnchanged();
            server.execute(CHANGE);
            assertThat(kept.isUnchanged()).isFalse();
        }
    }

    private static void flush(MysqlServer server)
    {
        try (Session session = new Session(server)) {
            session.execute("FLUSH TABLES s.t FOR EXPORT", "UNLOCK TABLES");
        }
    }
}
