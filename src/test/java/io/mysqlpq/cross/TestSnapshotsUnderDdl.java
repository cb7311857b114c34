package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.trino.Session;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that a table that changes is read as it was at the snapshot, or is named in an error.
 */
class TestSnapshotsUnderDdl
        extends BaseSnapshotTest
{
    // The limit of one second, and slack for a machine that others keep busy. What would end such a wait otherwise takes longer.
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @ValueSource(strings = {
            "TRUNCATE TABLE s.u",
            "ALTER TABLE s.u FORCE",
            "ALTER TABLE s.u ADD COLUMN w INT NOT NULL DEFAULT 7, ALGORITHM = INSTANT",
            "RENAME TABLE s.u TO s.x, s.t TO s.u, s.x TO s.t",
            "DROP TABLE s.u; CREATE TABLE s.u LIKE s.t",
            "ALTER TABLE s.parts EXCHANGE PARTITION p0 WITH TABLE s.u",
    })
    void testTableThatChangedSinceTheTransactionsSnapshot(String ddl)
            throws SQLException
    {
        cluster.mysql().execute(
                "CREATE TABLE s.other LIKE s.t",
                "CREATE TABLE s.parts (k INT PRIMARY KEY, v INT NOT NULL) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (1000000))");
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT count(*) FROM mysql_pq.s.other")).isZero();
            cluster.mysql().execute(ddl.split(";"));
            assertThatThrownBy(() -> number(connection, "SELECT sum(v) FROM mysql_pq.s.u")).hasMessageContaining("s.u").hasMessageContaining("snapshot");
            connection.rollback();
        }
    }

    // A query that ends in time ends well, however many of its ranges open behind the DDL.
    @ParameterizedTest
    @ValueSource(strings = {
            "TRUNCATE TABLE s.t",
            "ALTER TABLE s.t FORCE",
            "ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT",
            "RENAME TABLE s.t TO s.x, s.u TO s.t, s.x TO s.u",
            "DROP TABLE s.t",
            "ALTER TABLE s.parts EXCHANGE PARTITION p0 WITH TABLE s.t",
    })
    void testQueryThatEndsInTimeEndsWell(String ddl)
    {
        cluster.mysql().execute(
                "CREATE TABLE s.parts (k INT PRIMARY KEY, v INT NOT NULL) PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (1000000))",
                "SET GLOBAL mysql_pq_ddl_wait_limit = 60000");
        CompletableFuture<MaterializedResult> query = heldQuery("narrow.s.t", Map.of());
        long adopted = adoptions();
        CompletableFuture<Void> waiting = Background.run(() -> cluster.mysql().execute(ddl));
        awaitWaitForTable();
        HeldRows.release();
        assertThat(query.join().getOnlyValue()).isEqualTo((long) ROWS);
        waiting.join();
        assertThat(adoptions()).isGreaterThan(adopted);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testLongQueryGivesWay(boolean natively)
    {
        long gaveWay = counter("mysql_pq_snapshots_gave_way");
        long counted = queriesThatGaveWay();
        CompletableFuture<MaterializedResult> query = slowQuery(Map.of("native_scan_enabled", String.valueOf(natively)));
        long start = System.nanoTime();
        CompletableFuture<Void> ddl = Background.run(() -> cluster.mysql().execute("ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT"));
        // Another client's look-up, behind the DDL.
        cluster.mysql().execute("DO SLEEP(0.1)", "DO (SELECT COUNT(*) FROM s.t WHERE k = 1)");
        ddl.join();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_WAIT);
        assertThatThrownBy(query::join).hasMessageContaining("s.t").hasMessageContaining("gave").hasMessageContaining("mysql_pq_ddl_wait_limit");
        assertThat(counter("mysql_pq_snapshots_gave_way")).isEqualTo(gaveWay + 1);
        Await.until("the coordinator has counted it", () -> queriesThatGaveWay() > counted);
    }

    // Planning asks MySQL in sessions of its own, which borrow the table's lock. What fails when the snapshot is gone says why.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testDdlBeforeAScanIsPlanned(boolean heartbeatComesFirst)
            throws SQLException
    {
        long lost = snapshotStat("Lost");
        cluster.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = 60000");
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            CompletableFuture<Void> ddl = Background.run(() -> cluster.mysql().execute("ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT"));
            awaitWaitForTable();
            assertThat(number(connection, "SELECT count(*) FROM mysql_pq.s.t WHERE v < 5 AND k > 3")).isEqualTo(ROWS - 3);
            assertThat(ddl).isNotDone();
            cluster.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = DEFAULT");
            ddl.join();
            if (heartbeatComesFirst) {
                Await.until("a heartbeat has found the snapshot lost", () -> snapshotStat("Lost") > lost);
            }
            assertThatThrownBy(() -> number(connection, "SELECT count(*) FROM mysql_pq.s.t WHERE v < 5 AND k > 7"))
                    .hasMessageContaining("s.t").hasMessageContaining("gave").hasMessageContaining("mysql_pq_ddl_wait_limit");
            connection.rollback();
        }
    }

    private static long queriesThatGaveWay()
    {
        return snapshotStat("GaveWay");
    }

    // A table that was read to its end is free, though its query goes on.
    @Test
    void testTableThatWasReadIsFree()
    {
        long gaveWay = counter("mysql_pq_snapshots_gave_way");
        // A query on a busy machine must not give way before it has read the table.
        cluster.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = 60000");
        CompletableFuture<MaterializedResult> query = heldQuery("narrow.s.t JOIN narrow.s.u AS small USING (k)", Map.of("join_pushdown_enabled", "false"));
        cluster.mysql().execute("ALTER TABLE s.u ADD COLUMN w INT, ALGORITHM = INSTANT");
        assertThat(query).isNotDone();
        HeldRows.release();
        assertThat(query.join().getOnlyValue()).isEqualTo((long) ROWS);
        assertThat(counter("mysql_pq_snapshots_gave_way")).isEqualTo(gaveWay);
    }

    // Which holds its tables between queries too.
    @Test
    void testGroupGivesWay()
    {
        Session group = cluster.session(Map.of("snapshot_group", "ddl", "snapshot_group_age", "60s"));
        String count = "SELECT count(*) FROM mysql_pq.s.t WHERE v = 1";
        assertThat(cluster.trino().execute(group, count).getOnlyValue()).isEqualTo((long) ROWS);
        long start = System.nanoTime();
        cluster.mysql().execute("DELETE FROM s.t WHERE k = 1", "ALTER TABLE s.t ADD COLUMN w INT, ALGORITHM = INSTANT");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LONGEST_WAIT);
        Session next = cluster.session(Map.of("snapshot_group", "ddl", "snapshot_group_age", "5s"));
        assertThat(cluster.trino().execute(next, count).getOnlyValue()).isEqualTo(ROWS - 1L);
    }

    // The group goes on without the table, and must not keep it from others.
    @Test
    void testTableThatTheGroupDoesNotCoverIsFree()
    {
        cluster.mysql().execute("CREATE TABLE s.other LIKE s.t");
        Session group = cluster.session(Map.of("snapshot_group", "covers", "snapshot_group_age", "10s"));
        assertThat(cluster.trino().execute(group, "SELECT count(*) FROM mysql_pq.s.other").getOnlyValue()).isEqualTo(0L);
        cluster.mysql().execute("ALTER TABLE s.u FORCE");
        assertThatThrownBy(() -> cluster.trino().execute(group, "SELECT sum(v) FROM mysql_pq.s.u")).hasMessageContaining("s.u").hasMessageContaining("snapshot");
        cluster.mysql().execute("SET lock_wait_timeout = 5", "ALTER TABLE s.u FORCE");
        assertThat(cluster.trino().execute(group, "SELECT count(*) FROM mysql_pq.s.other").getOnlyValue()).isEqualTo(0L);
    }

    // And other tables of the query are kept from nobody meanwhile, whichever is locked first.
    @Test
    void testLockedTableIsWaitedForOnce()
            throws SQLException
    {
        cluster.createCatalog("patient", Map.of("table-lock-timeout", "4s"));
        try (Connection locker = cluster.mysql().connect(); Statement lock = locker.createStatement()) {
            lock.execute("LOCK TABLES s.u WRITE");
            long before = lockWaitTimeouts();
            long start = System.nanoTime();
            CompletableFuture<MaterializedResult> query = Background.supply(() -> cluster.query("SELECT (SELECT sum(v) FROM patient.s.t), (SELECT sum(v) FROM patient.s.u)"));
            awaitWaitForTable();
            cluster.mysql().execute("TRUNCATE TABLE s.t");
            assertThat(query).isNotDone();
            assertThatThrownBy(query::join).hasMessageContaining("s.u").hasMessageContaining("locked").hasMessageContaining("table-lock-timeout");
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofSeconds(4));
            // Metadata, statistics and the first of the donor's tries wait for a second each, and the second try for the time-out.
            assertThat(lockWaitTimeouts() - before).isBetween(1L, 4L);
        }
        // A later query waits anew.
        assertThat(cluster.query("SELECT count(*) FROM patient.s.u").getOnlyValue()).isEqualTo((long) ROWS);
    }

    private void awaitWaitForTable()
    {
        Await.until("somebody waits for a table", () -> !MysqlRows.read(cluster.mysql(), "SELECT id FROM performance_schema.processlist WHERE state = 'Waiting for table metadata lock'").isEmpty());
    }

    private long lockWaitTimeouts()
    {
        return Long.parseLong(MysqlRows.read(cluster.mysql(), "SELECT sum_error_raised FROM performance_schema.events_errors_summary_global_by_error WHERE error_name = 'ER_LOCK_WAIT_TIMEOUT'").getFirst());
    }

    private long counter(String name)
    {
        return Long.parseLong(MysqlRows.read(cluster.mysql(), "SELECT variable_value FROM performance_schema.global_status WHERE variable_name = '%s'".formatted(name)).getFirst());
    }

    @Test
    void testQueryOutlivesDdlThatGivesUp()
    {
        cluster.mysql().execute("SET GLOBAL mysql_pq_ddl_wait_limit = 60000");
        CompletableFuture<MaterializedResult> query = heldQuery("narrow.s.t", Map.of());
        long adopted = adoptions();
        assertThatThrownBy(() -> cluster.mysql().execute("SET lock_wait_timeout = 1", "TRUNCATE TABLE s.t")).hasMessageContaining("Lock wait timeout");
        HeldRows.release();
        assertThat(query.join().getOnlyValue()).isEqualTo((long) ROWS);
        assertThat(adoptions()).isGreaterThan(adopted);
    }
}
