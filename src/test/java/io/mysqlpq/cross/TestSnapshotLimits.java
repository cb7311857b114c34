package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.Background;
import io.trino.testing.MaterializedResult;
import org.junit.jupiter.api.Test;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests what queries do when MySQL lends no snapshot or no more of it.
 */
class TestSnapshotLimits
        extends BaseSnapshotTest
{
    @Test
    void testSnapshotThatMysqlEnds()
            throws SQLException
    {
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("UPDATE s.t SET v = 2");
            List<String> donors = MysqlRows.read(cluster.mysql(), "SELECT connection_id FROM information_schema.mysql_pq_snapshots");
            assertThat(donors).hasSize(1);
            cluster.mysql().execute("KILL " + donors.getFirst());
            assertThatThrownBy(() -> number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).hasMessageContaining("snapshot ended");
            connection.rollback();
        }
    }

    @Test
    void testSnapshotThatGrowsTooOld()
    {
        cluster.mysql().execute("SET GLOBAL mysql_pq_snapshot_max_age = 1");
        try {
            assertThatThrownBy(slowQuery(Map.of())::join).hasMessageContaining("s.t").hasMessageContaining("mysql_pq_snapshot_max_age");
        }
        finally {
            cluster.mysql().execute("SET GLOBAL mysql_pq_snapshot_max_age = DEFAULT");
        }
    }

    @Test
    void testSnapshotOutlivesTheSessionTimeout()
            throws Exception
    {
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("UPDATE s.t SET v = 2");
            Await.until("the snapshot is older than snapshot-session-timeout", Duration.ofMinutes(1), () -> !MysqlRows.read(cluster.mysql(), "SELECT 1 FROM information_schema.innodb_trx JOIN information_schema.mysql_pq_snapshots ON connection_id = trx_mysql_thread_id WHERE trx_started < NOW() - INTERVAL 15 SECOND").isEmpty());
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            connection.commit();
        }
    }

    // A reader waits for its turn rather than fail.
    @Test
    void testFewScansAtOnce()
    {
        cluster.mysql().execute("SET GLOBAL mysql_pq_max_scans = 1");
        try {
            assertThat(cluster.query(SUMS).getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, (long) ROWS);
        }
        finally {
            cluster.mysql().execute("SET GLOBAL mysql_pq_max_scans = DEFAULT");
        }
        cluster.mysql().execute("SET GLOBAL mysql_pq_max_scans = 0");
        cluster.createCatalog("impatient", Map.of("connection-wait-timeout", "1s"));
        try {
            assertThatThrownBy(() -> cluster.query("SELECT sum(v) FROM impatient.s.t")).hasMessageContaining("mysql_pq_max_scans").hasMessageContaining("connection-wait-timeout");
        }
        finally {
            cluster.mysql().execute("SET GLOBAL mysql_pq_max_scans = DEFAULT");
        }
    }

    @Test
    void testManySnapshots()
            throws SQLException
    {
        cluster.mysql().execute("SET GLOBAL mysql_pq_max_snapshots = 1");
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            assertThat(splits(Map.of("range_source", "AUTO"))).isEqualTo(2);
            assertThatThrownBy(() -> splits(Map.of("snapshot_mode", "EXACT"))).hasMessageContaining("mysql_pq_max_snapshots");
            connection.commit();
        }
        finally {
            cluster.mysql().execute("SET GLOBAL mysql_pq_max_snapshots = DEFAULT");
        }
    }

    @Test
    void testManyQueriesAtOnce()
    {
        List<CompletableFuture<MaterializedResult>> queries = IntStream.range(0, 20).mapToObj(_ -> Background.supply(() -> cluster.query(SUMS))).toList();
        queries.forEach(query -> assertThat(query.join().getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, (long) ROWS));
    }

    @Test
    void testServersLimitOfSelect()
    {
        cluster.createCatalog("cut", Map.of());
        cluster.mysql().execute("SET GLOBAL sql_select_limit = 10");
        try {
            assertThat(cluster.query("SELECT count(*) FROM cut.s.t").getOnlyValue()).isEqualTo((long) ROWS);
        }
        finally {
            cluster.mysql().execute("SET GLOBAL sql_select_limit = DEFAULT");
        }
    }
}
