package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.testing.random.Seed;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

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
    private static final String QUERY = "SELECT count(*), count(DISTINCT k), min(generation), max(generation) FROM mysql_pq.s.t WHERE v LIKE '%x%'";

    @AutoClose
    private final CrossCluster cluster = CrossCluster.parallel(
            MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start(),
            Map.of("table-lock-timeout", "1s"));
    private final Random random = Seed.random();
    private int answers;
    private int errors;

    @Test
    void testRenameSwap()
    {
        createTables();
        run("RENAME TABLE s.t TO s.x, s.u TO s.t, s.x TO s.u");
    }

    @Test
    void testInstantColumns()
    {
        createTables();
        run("ALTER TABLE s.t ADD COLUMN a INT DEFAULT 1 FIRST, ALGORITHM = INSTANT", "ALTER TABLE s.t DROP COLUMN a, ALGORITHM = INSTANT", "ALTER TABLE s.t FORCE");
    }

    @Test
    void testRebuild()
    {
        createTables();
        run("ALTER TABLE s.t FORCE");
    }

    // The same rows under other keys: ranges planned on the old table would lose or double rows.
    @Test
    void testPrimaryKeyChange()
    {
        createTables();
        run("ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (v, k)", "ALTER TABLE s.t DROP PRIMARY KEY, ADD PRIMARY KEY (k)");
    }

    // Ranges one after another, and Trino takes long over each, so that most are not yet open when the table changes.
    @Test
    void testTruncateBetweenRanges()
    {
        createTables();
        cluster.createCatalog("narrow", Map.of("max-connections-per-node", "1"));
        long callsBefore = extensionCalls();
        CompletableFuture<Object> query = CompletableFuture.supplyAsync(() -> cluster.query(
                "SELECT count(*) FROM narrow.s.t CROSS JOIN UNNEST(sequence(1, 5000)) AS u (x) WHERE k * x % 7 >= 0"));
        // Planning takes three calls at most, and each range that is opened another.
        Await.until("ranges are read", () -> extensionCalls() > callsBefore + 3);
        cluster.mysql().execute("TRUNCATE TABLE s.t");
        assertThatThrownBy(query::join).hasMessageContaining("s.t").hasMessageContaining("Run the query again");
        assertThat(cluster.query("SELECT count(*) FROM mysql_pq.s.t").getOnlyValue()).isEqualTo(0L);
    }

    private void run(String... ddl)
    {
        AtomicBoolean stopped = new AtomicBoolean();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread changer = Thread.ofVirtual().start(() -> {
            try {
                while (!stopped.get()) {
                    cluster.mysql().execute(ddl);
                    // Now and then a query must come through between two changes.
                    LockSupport.parkNanos(random.nextInt(1_000_000_000));
                }
            }
            catch (RuntimeException e) {
                failure.set(e);
            }
        });
        answers = 0;
        errors = 0;
        try {
            Await.until("answers and refusals", Duration.ofMinutes(3), () -> {
                queryOnce();
                return (answers >= 3 && errors >= 3) || failure.get() != null;
            });
        }
        finally {
            stopped.set(true);
            Await.until("DDL ends", () -> !changer.isAlive());
        }
        System.out.printf("%s: %s answers, %s refusals%n", ddl[0], answers, errors);
        assertThat(failure.get()).isNull();
        // Without refusals nothing changed in between, and without answers none could be wrong.
        assertThat(errors).isPositive();
        assertThat(answers).isPositive();
    }

    private void queryOnce()
    {
        try {
            MaterializedRow row = cluster.query(QUERY).getMaterializedRows().getFirst();
            assertThat(row.getField(0)).isEqualTo(ROWS);
            assertThat(row.getField(1)).isEqualTo(ROWS);
            assertThat(row.getField(2)).isEqualTo(row.getField(3));
            answers++;
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
