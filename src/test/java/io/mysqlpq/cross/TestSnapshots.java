package io.mysqlpq.cross;

import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.TrinoPage;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests which moment the scans of queries, transactions and groups see.
 */
class TestSnapshots
        extends BaseSnapshotTest
{
    @Test
    void testLevelAgeAndTransactionsAreShown()
    {
        String executed = MysqlRows.read(cluster.mysql(), "SELECT REPLACE(@@GLOBAL.gtid_executed, '\n', '')").getFirst();
        String plan = cluster.query("EXPLAIN ANALYZE VERBOSE " + SUMS).getOnlyValue().toString();
        assertThat(plan).contains("scansBySnapshotLevel.EXACT", "snapshotAge", "snapshotContainsAtLeastGtids." + executed);
        assertThat(plan).doesNotContain("PER_SCAN");
        assertThat(explainAnalyze(Map.of("snapshot_mode", "PER_SCAN"))).contains("scansBySnapshotLevel.PER_SCAN").doesNotContain("snapshotAge");
        assertThat(explainAnalyze(Map.of("snapshot_mode", "NONE"))).contains("scansBySnapshotLevel.NONE");
    }

    private String explainAnalyze(Map<String, String> session)
    {
        return cluster.trino().execute(cluster.session(session), "EXPLAIN ANALYZE VERBOSE " + SUMS).getOnlyValue().toString();
    }

    @Test
    void testSplitsOfEachMode()
    {
        assertThat(splits(Map.of())).isGreaterThan(20);
        assertThat(splits(Map.of("snapshot_mode", "EXACT"))).isGreaterThan(20);
        assertThat(splits(Map.of("snapshot_mode", "NONE"))).isGreaterThan(20);
        assertThat(splits(Map.of("snapshot_mode", "PER_SCAN"))).isEqualTo(2);
    }

    @Test
    void testServerThatLendsNone()
    {
        cluster.mysql().execute("SET GLOBAL mysql_pq_enabled = OFF");
        try {
            assertThat(splits(Map.of("range_source", "AUTO"))).isEqualTo(2);
            assertThatThrownBy(() -> splits(Map.of("snapshot_mode", "EXACT"))).hasMessageContaining("snapshot_mode is EXACT").hasMessageContaining("mysql_pq_enabled");
        }
        finally {
            cluster.mysql().execute("SET GLOBAL mysql_pq_enabled = ON");
        }
    }

    // A query learns why its snapshot ended, also if a heartbeat finds that before the next statement does.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void testSnapshotThatIsDisabled(boolean heartbeatComesFirst)
            throws SQLException
    {
        long lost = snapshotStat("Lost");
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("SET GLOBAL mysql_pq_enabled = OFF");
            if (heartbeatComesFirst) {
                Await.until("a heartbeat has found the snapshot lost", () -> snapshotStat("Lost") > lost);
            }
            assertThatThrownBy(() -> number(connection, "SELECT sum(v) FROM mysql_pq.s.u")).hasMessageContaining("mysql_pq_enabled");
            connection.rollback();
        }
        finally {
            cluster.mysql().execute("SET GLOBAL mysql_pq_enabled = ON");
        }
    }

    @Test
    void testTableWithoutSnapshots()
    {
        cluster.mysql().execute("ALTER TABLE s.u ENGINE = MyISAM");
        assertThat(cluster.query(SUMS).getMaterializedRows().getFirst().getFields()).containsExactly((long) ROWS, (long) ROWS);
        assertThatThrownBy(() -> splits(Map.of("snapshot_mode", "EXACT"))).hasMessageContaining("s.u").hasMessageContaining("MyISAM");
    }

    // To open it MySQL may read its rows, which would open the snapshot before other tables are locked.
    @Test
    void testViewSeesItsOwnMoment()
    {
        cluster.mysql().execute("CREATE VIEW s.view AS SELECT max(k) AS m, sum(v) AS v FROM s.u");
        String sql = "SELECT (SELECT v FROM mysql_pq.s.view), (SELECT sum(v) FROM mysql_pq.s.t)";
        MaterializedResultWithPlan result = cluster.queryWithId(sql);
        assertThat(result.result().getMaterializedRows().getFirst().getField(1)).isEqualTo((long) ROWS);
        assertThat(cluster.query("EXPLAIN ANALYZE VERBOSE " + sql).getOnlyValue().toString()).contains("scansBySnapshotLevel.EXACT", "scansBySnapshotLevel.PER_SCAN");
        assertThatThrownBy(() -> cluster.trino().execute(cluster.session(Map.of("snapshot_mode", "EXACT")), sql)).hasMessageContaining("s.view").hasMessageContaining("VIEW");
    }

    @Test
    void testPushedQueriesSeeTheSnapshot()
            throws SQLException
    {
        List<String> queries = List.of(
                "SELECT count(*) FROM (SELECT k, v FROM mysql_pq.s.t ORDER BY k LIMIT 100) WHERE v = 1",
                "SELECT sum(v) FROM (SELECT v FROM (SELECT k, v FROM mysql_pq.s.t LIMIT 100) ORDER BY v LIMIT 100)",
                "SELECT sum(v) FROM (SELECT v FROM (SELECT k, v FROM mysql_pq.s.t ORDER BY k DESC LIMIT 200) ORDER BY v, k LIMIT 100)",
                "SELECT count(*) FROM (SELECT k, v FROM mysql_pq.s.t LIMIT 100) WHERE v = 1",
                "SELECT count(DISTINCT v) * 100 FROM mysql_pq.s.t",
                "SELECT max(v) * 100 FROM mysql_pq.s.t",
                "SELECT sum(a.v) / 200 FROM mysql_pq.s.t a JOIN mysql_pq.s.t b ON a.k = b.k",
                // Not read before, in the transaction.
                "SELECT count(*) / 200 FROM mysql_pq.s.t a JOIN mysql_pq.s.u b ON a.v = b.v AND a.k = b.k");
        try (Connection connection = cluster.connect(Map.of("join_pushdown_strategy", "EAGER"))) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("UPDATE s.t SET v = 2", "UPDATE s.u SET v = 3");
            for (String sql : queries) {
                assertThat(number(connection, sql)).as(sql).isEqualTo(100);
            }
            connection.commit();
        }
    }

    // A view sees its own moment, and would take the table with it.
    @Test
    void testJoinWithViewStaysInTrino()
    {
        cluster.mysql().execute("CREATE VIEW s.view AS SELECT k, v FROM s.u");
        Session eager = cluster.session(Map.of("join_pushdown_strategy", "EAGER"));
        String tables = "SELECT count(*) FROM mysql_pq.s.t JOIN mysql_pq.s.u ON t.k = u.k";
        String view = "SELECT count(*) FROM mysql_pq.s.t JOIN mysql_pq.s.view ON t.k = view.k";
        String passthrough = "SELECT count(*) FROM mysql_pq.s.t JOIN TABLE(mysql_pq.system.query('SELECT k FROM s.u')) AS q ON t.k = q.k";
        assertThat((String) cluster.trino().execute(eager, "EXPLAIN " + tables).getOnlyValue()).doesNotContain("Join").contains("pushed query");
        for (String sql : List.of(tables, view, passthrough)) {
            assertThat(cluster.trino().execute(eager, sql).getOnlyValue()).isEqualTo((long) ROWS);
        }
        for (String sql : List.of(view, passthrough)) {
            assertThat((String) cluster.trino().execute(eager, "EXPLAIN " + sql).getOnlyValue()).contains("InnerJoin");
        }
    }

    @Test
    void testStatementsOfAReadOnlyTransactionSeeOneMoment()
            throws SQLException
    {
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("UPDATE s.t SET v = 2", "UPDATE s.u SET v = 2", "DELETE FROM s.u WHERE k % 2 = 0");
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            // Not read before, in the transaction.
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.u")).isEqualTo(ROWS);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t WHERE k = 7")).isEqualTo(1);
            connection.commit();
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(2 * ROWS);
            connection.rollback();
        }
    }

    /** A look-up that is all of a query is not all of its transaction. */
    @Test
    void testLookupsOfATransaction()
            throws SQLException
    {
        String lookup = "SELECT v FROM mysql_pq.s.t WHERE k = 7";
        try (Connection connection = cluster.connect(Map.of())) {
            // After this the statement is known to be a look-up.
            assertThat(number(connection, lookup)).isEqualTo(number(connection, lookup)).isEqualTo(1);
            connection.setAutoCommit(false);
            connection.setReadOnly(true);
            assertThat(number(connection, lookup)).isEqualTo(1);
            cluster.mysql().execute("UPDATE s.t SET v = 2");
            assertThat(number(connection, lookup)).isEqualTo(1);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            connection.commit();
            connection.setReadOnly(false);
            assertThat(number(connection, lookup)).isEqualTo(2);
            cluster.mysql().execute("UPDATE s.t SET v = 3");
            assertThat(number(connection, lookup)).isEqualTo(3);
            connection.rollback();
        }
    }

    @Test
    void testStatementsOfAWritingTransactionSeeWhatIsWritten()
            throws SQLException
    {
        try (Connection connection = cluster.connect(Map.of())) {
            connection.setAutoCommit(false);
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("UPDATE s.t SET v = 2");
            assertThat(number(connection, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(2 * ROWS);
            connection.commit();
        }
    }

    @Test
    void testWritesSeeTheSnapshotAndFollowIt()
    {
        cluster.query("INSERT INTO mysql_pq.s.t SELECT k + %s, v FROM mysql_pq.s.t".formatted(ROWS));
        assertThat(cluster.query("SELECT count(*) FROM mysql_pq.s.t").getOnlyValue()).isEqualTo(2L * ROWS);
        cluster.query("CREATE TABLE mysql_pq.s.copy AS SELECT * FROM mysql_pq.s.t");
        assertThat(cluster.query("SELECT count(*) FROM mysql_pq.s.copy").getOnlyValue()).isEqualTo(2L * ROWS);
        // At once after a query that had it locked.
        cluster.query("DROP TABLE mysql_pq.s.copy");
    }

    @Test
    void testGroupSharesOneMomentUntilItIsTooOld()
            throws SQLException
    {
        try (Connection first = cluster.connect(Map.of("snapshot_group", "dashboard", "snapshot_group_age", "20s"));
                Connection second = cluster.connect(Map.of("snapshot_group", "dashboard", "snapshot_group_age", "20s"));
                Connection other = cluster.connect(Map.of("snapshot_group", "other", "snapshot_group_age", "10s"));
                Connection young = cluster.connect(Map.of("snapshot_group", "dashboard", "snapshot_group_age", "1s"))) {
            assertThat(number(first, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            cluster.mysql().execute("UPDATE s.t SET v = 2", "UPDATE s.u SET v = 2");
            assertThat(number(second, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(ROWS);
            assertThat(number(second, "SELECT sum(v) FROM mysql_pq.s.u")).isEqualTo(ROWS);
            assertThat(number(other, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(2 * ROWS);
            Await.until("the snapshot is too old for the query", () -> number(young, "SELECT sum(v) FROM mysql_pq.s.t") == 2 * ROWS);
            // A group has one snapshot at a time.
            assertThat(number(first, "SELECT sum(v) FROM mysql_pq.s.t")).isEqualTo(2 * ROWS);
        }
    }

    @Test
    void testGroupsAreLimited()
            throws SQLException
    {
        cluster.createCatalog("few", Map.of("max-snapshot-groups", "2"));
        for (String group : List.of("a", "b")) {
            cluster.trino().execute(session("few", Map.of("snapshot_group", group, "snapshot_group_age", "5s")), "SELECT count(*) FROM few.s.t");
        }
        assertThatThrownBy(() -> cluster.trino().execute(session("few", Map.of("snapshot_group", "c", "snapshot_group_age", "5s")), "SELECT count(*) FROM few.s.t"))
                .hasMessageContaining("2 snapshot groups").hasMessageContaining("max-snapshot-groups");
    }

    private Session session(String catalog, Map<String, String> properties)
    {
        Session.SessionBuilder session = Session.builder(cluster.trino().getDefaultSession());
        properties.forEach((name, value) -> session.setCatalogSessionProperty(catalog, name, value));
        return session.build();
    }

    @Test
    void testTokensAreShownNowhere()
    {
        cluster.mysql().execute("SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = ON");
        MaterializedResultWithPlan result = cluster.queryWithId("EXPLAIN ANALYZE VERBOSE " + SUMS);
        cluster.mysql().execute("SET GLOBAL general_log = OFF");
        List<String> tokens = MysqlRows.read(cluster.mysql(), "SELECT DISTINCT REGEXP_SUBSTR(CONVERT(argument USING utf8mb4), '[0-9a-f]{32}') FROM mysql.general_log WHERE argument LIKE '%SELECT mysql_pq_snapshot_adopt%' AND argument NOT LIKE '%general_log%'");
        assertThat(tokens).hasSize(1);
        assertThat(result.result().getOnlyValue().toString()).doesNotContain(tokens.getFirst());
        assertThat(queryInformation(result.queryId())).contains("scansBySnapshotLevel.EXACT").doesNotContain(tokens.getFirst());
        cluster.mysql().execute("TRUNCATE TABLE mysql.general_log");
    }

    private String queryInformation(QueryId query)
    {
        try {
            return TrinoPage.read(cluster.trino().getCoordinator().getBaseUrl().resolve("/v1/query/" + query));
        }
        catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void testReturnedConnectionsAreClean()
    {
        cluster.query(SUMS);
        assertThatThrownBy(() -> cluster.query("SELECT sum(v / (k - 5000)) FROM mysql_pq.s.t")).hasMessageContaining("Division by zero");
        assertThat(cluster.query("SELECT k FROM mysql_pq.s.t WHERE v + rand() > 0 LIMIT 5").getRowCount()).isEqualTo(5);
        Leftovers.assertNone(cluster.mysql());
        String sessions = "SELECT thread_id FROM performance_schema.threads WHERE processlist_command = 'Sleep' AND connection_type IS NOT NULL AND processlist_id <> CONNECTION_ID()";
        assertThat(MysqlRows.read(cluster.mysql(), sessions)).hasSizeGreaterThan(2);
        assertThat(MysqlRows.read(cluster.mysql(), "SELECT object_name FROM performance_schema.metadata_locks WHERE object_type = 'TABLE' AND owner_thread_id IN (%s)".formatted(sessions))).isEmpty();
        assertThat(MysqlRows.read(cluster.mysql(), "SELECT id FROM information_schema.innodb_session_temp_tablespaces WHERE state = 'ACTIVE' AND purpose = 'USER'")).isEmpty();
        // Those of donors wait as long as MySQL's default again, readers as long as they may be left unread.
        assertThat(MysqlRows.read(cluster.mysql(), """
                SELECT DISTINCT CONCAT(variable_name, '=', variable_value)
                FROM performance_schema.variables_by_thread
                WHERE thread_id IN (SELECT thread_id FROM performance_schema.variables_by_thread WHERE variable_name = 'lock_wait_timeout' AND variable_value = '2')
                    AND variable_name IN ('autocommit', 'transaction_isolation', 'time_zone', 'sql_mode', 'wait_timeout', 'net_write_timeout')"""))
                .containsExactlyInAnyOrder("autocommit=ON", "transaction_isolation=REPEATABLE-READ", "time_zone=+00:00", "sql_mode=", "wait_timeout=28800", "wait_timeout=3600", "net_write_timeout=3600");
    }
}
