package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static io.mysqlpq.trino.BaseNativeScanTest.texts;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.UNCHANGED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Asks the same in one snapshot after the other: what has not changed is not read again. */
@TestInstance(PER_CLASS)
class TestReadReuse
{
    private static final int ROWS = 40_000;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        RepeatedReads.createTables(mysql, ROWS);
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "5000", "read-reuse-enabled", "true"));
        awaitReuse("SELECT count(*), max(a) FROM t WHERE k > 3");
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    // Purge may be at work on pages of the table.
    private void awaitReuse(String sql)
    {
        awaitReuse(Map.of(), sql);
    }

    private void awaitReuse(Map<String, String> session, String sql)
    {
        Await.until("all ranges are unchanged", () -> {
            run(session, sql);
            MaterializedResultWithPlan again = run(session, sql);
            return trino.count(again.queryId(), UNCHANGED) > 0 && trino.count(again.queryId(), ROWS_READ) == 0;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT a, count(*), sum(d), min(s) FROM t GROUP BY a",
            "SELECT a, sum(x) FROM t GROUP BY a",
            "SELECT count(*), sum(a + 1) FROM t WHERE a * 2 > 4",
            "SELECT k, s FROM t WHERE a = 3",
            "SELECT a + k, s FROM t WHERE a * 2 = 6",
            "SELECT k FROM t WHERE s LIKE '%77%'",
            "SELECT k, d FROM t ORDER BY d DESC, k LIMIT 5",
            "SELECT DISTINCT a FROM t",
            "SELECT k, sum(d) FROM t GROUP BY k HAVING sum(d) > 390",
            "SELECT b, count(*) FROM t JOIN u ON t.k = u.k GROUP BY b"})
    void testWhatHasNotChangedIsNotRead(String sql)
    {
        Map<String, String> session = Map.of("dynamic_filtering_enabled", "false");
        run(session, sql);
        Await.until("all ranges are unchanged", () -> trino.count(run(session, sql).queryId(), ROWS_READ) == 0);
        MaterializedResultWithPlan again = run(session, sql);
        assertThat(trino.count(again.queryId(), UNCHANGED)).isPositive();
        assertThat(texts(again.result())).isEqualTo(texts(run(off(), sql).result()));
        // One range of several has changed.
        mysql.execute("UPDATE test.t SET a = a + 1, d = d + 1, x = x + 1, s = CONCAT('x', s) WHERE k = 20000");
        MaterializedResultWithPlan changed = run(session, sql);
        assertThat(texts(changed.result())).isEqualTo(texts(run(off(), sql).result()));
        assertThat(trino.count(changed.queryId(), UNCHANGED)).isPositive();
        mysql.execute("DELETE FROM test.t WHERE k = 20000", "INSERT INTO test.t SELECT 20000, 20000 MOD 7, 200, 20000 / 4, 's20000', NULL");
        assertThat(texts(run(session, sql).result())).isEqualTo(texts(run(off(), sql).result()));
    }

    @Test
    void testSeenInExplain()
    {
        String sql = "SELECT a, count(*), max(d) FROM t GROUP BY a";
        awaitReuse(sql);
        String plan = (String) trino.execute("EXPLAIN ANALYZE VERBOSE " + sql).getOnlyValue();
        assertThat(plan).containsPattern("'unchanged' = LongCount\\{total=[1-9]");
    }

    @Test
    void testRowsAtTheEnd()
    {
        String sql = "SELECT a, count(*), sum(d) FROM t WHERE k >= 0 GROUP BY a";
        awaitReuse(sql);
        for (int i = 0; i < 5; i++) {
            mysql.execute("INSERT INTO test.t SELECT k + %s, a, d, x, s, day FROM test.t WHERE k < 400".formatted(ROWS + i * 400));
            MaterializedResultWithPlan grown = run(Map.of(), sql);
            assertThat(texts(grown.result())).isEqualTo(texts(run(off(), sql).result()));
            // Only the last range has changed, and all others are cut as before.
            assertThat(trino.count(grown.queryId(), UNCHANGED)).isGreaterThanOrEqualTo(6);
        }
        mysql.execute("DELETE FROM test.t WHERE k >= " + ROWS);
    }

    // A range of groups is read in pieces once it has changed. Rows are in pieces from the beginning.
    @ParameterizedTest
    @ValueSource(strings = {"SELECT a, count(*), sum(d) FROM t WHERE k >= 1 GROUP BY a", "SELECT k, a + 1, s FROM t WHERE k >= 1"})
    void testPieces(String sql)
    {
        Map<String, String> session = Map.of("target_rows_per_split", "10000");
        awaitReuse(session, sql);
        mysql.execute("UPDATE test.t SET d = d + 1 WHERE k = 12345");
        run(session, sql);
        awaitReuse(session, sql);
        long all = pagesRead(off(), sql);
        mysql.execute("UPDATE test.t SET d = d + 1, a = a + 1 WHERE k IN (12345, 23456)");
        long changed = pagesRead(session, sql);
        assertThat(changed).isBetween(1L, all * 2 / 3);
        assertThat(texts(run(session, sql).result())).isEqualTo(texts(run(off(), sql).result()));
        mysql.execute("UPDATE test.t SET d = d - 2, a = a - 1 WHERE k = 12345", "UPDATE test.t SET d = d - 1, a = a - 1 WHERE k = 23456");
        assertThat(texts(run(session, sql).result())).isEqualTo(texts(run(off(), sql).result()));
    }

    // Each piece would begin a sum anew, and the sum would be another one.
    @Test
    void testSumsOfDoubles()
    {
        mysql.execute(
                "CREATE TABLE test.doubles (k BIGINT PRIMARY KEY, v INT NOT NULL, x DOUBLE NOT NULL)",
                "INSERT INTO test.doubles SELECT k, 0, k * 0.1e0 FROM test.t WHERE k < 39000");
        Map<String, String> session = Map.of("target_rows_per_split", "10000");
        String sql = "SELECT sum(x), avg(x) FROM doubles WHERE k >= 0";
        awaitReuse(session, sql);
        for (int i = 0; i < 3; i++) {
            mysql.execute("UPDATE test.doubles SET v = v + 1 WHERE k = 7777");
            assertThat(run(session, sql).result()).isEqualTo(run(Map.of("target_rows_per_split", "10000", "read_reuse_enabled", "false"), sql).result());
        }
    }

    // Where the greatest values go, the next ones come.
    @Test
    void testFirstRows()
    {
        mysql.execute(
                "CREATE TABLE test.best (k BIGINT PRIMARY KEY, v INT NOT NULL, d BIGINT NOT NULL)",
                "INSERT INTO test.best SELECT k, 0, IF(k < 5, 1000000, 0) + k FROM test.t WHERE k < 39000");
        Map<String, String> session = Map.of("target_rows_per_split", "10000", "read_reuse_piece_rows", "100");
        String sql = "SELECT k, d FROM best ORDER BY d DESC, k LIMIT 5";
        awaitReuse(session, sql);
        mysql.execute("UPDATE test.best SET v = v + 1 WHERE k = 7777");
        run(session, sql);
        awaitReuse(session, sql);
        mysql.execute("DELETE FROM test.best WHERE k < 5");
        MaterializedResultWithPlan changed = run(session, sql);
        assertThat(texts(changed.result())).isEqualTo(texts(run(off(), sql).result()));
        assertThat(changed.result().getMaterializedRows().getFirst().getField(0)).isEqualTo(38999L);
    }

    private long pagesRead(Map<String, String> session, String sql)
    {
        long before = mysql.status("mysql_pq_scan_pages_read");
        run(session, sql);
        return mysql.status("mysql_pq_scan_pages_read") - before;
    }

    @Test
    void testUsersAndSettings()
    {
        String sql = "SELECT a, max(d) FROM t WHERE k > 7 GROUP BY a";
        awaitReuse(sql);
        // MySQL's account is the same, and the extension asks for its privileges.
        MaterializedResultWithPlan other = trino.executeWithPlan(Session.builder(trino.session(Map.of())).setIdentity(Identity.ofUser("somebody")).build(), sql);
        assertThat(trino.count(other.queryId(), UNCHANGED)).isPositive();
        // The first one of a group reads in another snapshot, too.
        assertThat(trino.count(run(Map.of("snapshot_group", "reuse", "snapshot_group_age", "1m"), sql).queryId(), UNCHANGED)).isPositive();
        assertThat(trino.count(run(off(), sql).queryId(), UNCHANGED)).isZero();
        assertThat(trino.count(run(Map.of("invalid_date_handling", "NULL"), sql).queryId(), UNCHANGED)).isZero();
        mysql.execute("SET GLOBAL mysql_pq_validators = OFF");
        assertThat(trino.count(run(Map.of(), sql).queryId(), UNCHANGED)).isZero();
        mysql.execute("SET GLOBAL mysql_pq_validators = ON");
    }

    @Test
    void testLimitsAreNotKept()
    {
        String sql = "SELECT k, s FROM t WHERE x >= 0 LIMIT 3";
        for (int i = 0; i < 3; i++) {
            assertThat(run(Map.of(), sql).result().getRowCount()).isEqualTo(3);
        }
    }

    @Test
    void testInsertsInTransactions()
    {
        String sql = "SELECT count(*) FROM u WHERE b >= 0";
        long rows = (long) run(off(), sql).result().getOnlyValue();
        for (int i = 0; i < 20; i++) {
            mysql.execute("INSERT INTO test.u VALUES (%s, 1)".formatted(ROWS + i));
            assertThat(run(Map.of(), sql).result().getOnlyValue()).isEqualTo(rows + i + 1);
        }
        mysql.execute("DELETE FROM test.u WHERE k >= " + ROWS);
        assertThat(run(Map.of(), sql).result().getOnlyValue()).isEqualTo(rows);
    }

    private static Map<String, String> off()
    {
        return Map.of("read_reuse_enabled", "false");
    }

    private MaterializedResultWithPlan run(Map<String, String> session, String sql)
    {
        return trino.executeWithPlan(trino.session(session), sql);
    }
}
