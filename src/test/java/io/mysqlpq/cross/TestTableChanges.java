package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.Session;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import static java.lang.Math.max;
import static java.lang.Math.min;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/**
 * Tests that a table altered between planning and reading gives one table's rows or a clear error.
 */
@TestInstance(PER_CLASS)
class TestTableChanges
{
    private static final long ROWS = 20_000;
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE_ON_A_SLOW_MACHINE = Duration.ofSeconds(15);
    private static final String QUERY = "SELECT count(*), count(DISTINCT k), min(generation), max(generation) FROM mysql_pq.s.t WHERE v LIKE '%x%'";

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(
            MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start(),
            Map.of("table-lock-timeout", "1s"));
    private final Random random = Seed.random();
    private volatile long queryNanos;
    private int answers;
    private int errors;

    @ParameterizedTest
    @ValueSource(strings = {"EXACT", "NONE"})
    void testRenameSwap(String snapshotMode)
    {
        createTables();
        run(snapshotMode, "RENAME TABLE s.t TO s.x, s.u TO s.t, s.x TO s.u");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXACT", "NONE"})
    void testInstantColumns(String snapshotMode)
    {
        createTables();
        run(snapshotMode, "ALTER TABLE s.t ADD COLUMN a INT DEFAULT 1 FIRST, ALGORITHM = INSTANT", "ALTER TABLE s.t DROP COLUMN a, ALGORITHM = INSTANT", "ALTER TABLE s.t FORCE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXACT", "NONE"})
    void testRebuild(String snapshotMode)
    {
        createTables();
        run(snapshotMode, "ALTER TABLE s.t FORCE");
    }

    // The same rows under other keys: ranges planned on the old table would lose or double rows.
    @ParameterizedTest
    @ValueSource(strings = {"EXACT", "NONE"})
    void testPrimaryKeyChange(String snapshotMode)
    {
        createTables();
        run(snapshotMode, "ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (v, k)", "ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (k)");
    }

    // Ranges one after another, and Trino takes long over each, so that most are not yet open when the table changes.
    @Test
    void testTruncateBetweenRanges()
    {
        createTables();
        cluster.createCatalog("narrow", Map.of("max-connections-per-node", "1"));
        long callsBefore = extensionCalls();
        CompletableFuture<Object> query = Background.supply(() -> cluster.query(
                "SELECT count(*) FROM narrow.s.t CROSS JOIN UNNEST(sequence(1, 5000)) AS u (x) WHERE k * x % 7 >= 0"));
        // Planning takes three calls at most, and each range that is opened another.
        Await.until("ranges are read", () -> extensionCalls() > callsBefore + 3);
        cluster.mysql().execute("TRUNCATE TABLE s.t");
        assertThatThrownBy(query::join).hasMessageContaining("s.t").hasMessageContaining("Run the query again");
        assertThat(cluster.query("SELECT count(*) FROM mysql_pq.s.t").getOnlyValue()).isEqualTo(0L);
    }

    private void run(String snapshotMode, String... ddl)
    {
        // A query that takes long on a busy machine must not give way to a change: the change waits for it.
        cluster.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = 60000");
        AtomicInteger changes = new AtomicInteger();
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread changer = Thread.ofVirtual().start(() -> {
            try {
                while (!stopped.get()) {
                    cluster.mysql().execute(ddl);
                    changes.incrementAndGet();
                    // Now and then a query must come through between two changes, however long it takes.
                    LockSupport.parkNanos(random.nextLong(max(LONGEST_PAUSE.toNanos(), min(3 * queryNanos, LONGEST_PAUSE_ON_A_SLOW_MACHINE.toNanos()))));
                }
            }
            catch (RuntimeException e) {
                failure.set(e);
            }
        });
        // A query that holds its tables may never be refused: then the change waits for it.
        int refusals = snapshotMode.equals("NONE") ? 3 : 0;
        answers = 0;
        errors = 0;
        try {
            Await.until("answers, changes and refusals", Duration.ofMinutes(3), () -> {
                queryOnce(snapshotMode);
                return (answers >= 3 && changes.get() >= 3 && errors >= refusals) || failure.get() != null;
            });
        }
        finally {
            stopped.set(true);
            Await.until("DDL ends", () -> !changer.isAlive());
            cluster.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = DEFAULT");
        }
        System.out.printf("%s, %s: %s answers, %s refusals, %s changes%n", ddl[0], snapshotMode, answers, errors, changes);
        assertThat(failure.get()).isNull();
    }

    // Now by rows, now by MySQL's groups of ranges.
    private void queryOnce(String snapshotMode)
    {
        Session session = cluster.session(Map.of("snapshot_mode", snapshotMode, "aggregation_pushdown_enabled", String.valueOf(random.nextBoolean())));
        long start = System.nanoTime();
        try {
            MaterializedRow row = cluster.trino().execute(session, QUERY).getMaterializedRows().getFirst();
            assertThat(row.getField(0)).isEqualTo(ROWS);
            assertThat(row.getField(1)).isEqualTo(ROWS);
            assertThat(row.getField(2)).isEqualTo(row.getField(3));
            answers++;
            // A query that is refused ends early, and tells nothing of how long the next one takes.
            queryNanos = System.nanoTime() - start;
        }
        catch (RuntimeException e) {
            assertThat(e.getMessage().toLowerCase(Locale.ROOT)).containsAnyOf("was altered", "s.t", "changed");
            errors++;
        }
    }

    private long extensionCalls()
    {
        return MysqlRows.read(cluster.mysql(), "SELECT variable_value FROM performance_schema.global_status WHERE variable_name = 'mysql_pq_calls'").stream()
                .mapToLong(Long::parseLong)
                .sum();
    }

    private void createTables()
    {
        cluster.mysql().execute(
                "DROP SCHEMA IF EXISTS s",
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT NOT NULL, v VARCHAR(100), generation INT, PRIMARY KEY (k))",
                "CREATE TABLE s.u LIKE s.t",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, CONCAT('x', REPEAT(LEFT(SHA2(i, 256), 32), 3)), 1 FROM s".formatted(ROWS),
                "INSERT INTO s.u SELECT -k * 7, v, 2 FROM s.t");
    }
}
