package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.spi.security.Identity;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import static io.mysqlpq.trino.BaseNativeScanTest.texts;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_BY_OTHER_QUERY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads the same of a snapshot in several queries, of which one asks MySQL. */
@TestInstance(PER_CLASS)
class TestSharedReads
{
    private static final int ROWS = 20_000;
    private static final AtomicInteger GROUPS = new AtomicInteger();

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        RepeatedReads.createTables(mysql, ROWS);
        // Each group holds a connection.
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000", "max-connections-per-server", "400", "max-snapshot-groups", "200"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT a, count(*), sum(d) FROM t GROUP BY a",
            "SELECT a, sum(x) FROM t GROUP BY a",
            "SELECT k, s FROM t WHERE a = 3",
            "SELECT a + k, s FROM t WHERE a * 2 = 6",
            "SELECT k FROM t WHERE s LIKE '%77%'",
            "SELECT k, d FROM t ORDER BY d DESC LIMIT 5",
            "SELECT count(*) FROM t JOIN u ON t.k = u.k WHERE b = 1",
            "SELECT DISTINCT a FROM t",
            "SELECT k, sum(d) FROM t GROUP BY k HAVING sum(d) > 190",
            "SELECT sum(a) FROM (SELECT a FROM t ORDER BY d LIMIT 100)"})
    void testOneQueryReadsForAll(String sql)
    {
        for (Map<String, String> way : List.of(
                Map.<String, String>of(),
                Map.of("native_scan_enabled", "false"),
                Map.of("read_reuse_enabled", "true"),
                Map.of("aggregation_pushdown_enabled", "false"),
                Map.of("packet_decoding_enabled", "false"))) {
            // What a scan knows of dynamic filters when it begins is a matter of time.
            Map<String, String> group = inGroup(ImmutableMap.<String, String>builder().putAll(way).put("dynamic_filtering_enabled", "false").buildOrThrow());
            MaterializedResultWithPlan first = run(group, sql);
            assertThat(trino.count(first.queryId(), READ_BY_OTHER_QUERY)).as("%s", way).isZero();
            // Another snapshot has other values.
            mysql.execute("UPDATE test.t SET a = (a + 1) MOD 7, d = d + 1, x = x + 1");
            long adoptions = adoptions();
            MaterializedResultWithPlan second = run(group, sql);
            // Planning adopts the snapshot once for each scan, and so does each read.
            assertThat(adoptions() - adoptions).as("%s", way).isLessThanOrEqualTo(2);
            assertThat(trino.count(second.queryId(), READ_BY_OTHER_QUERY)).as("%s", way).isPositive();
            assertThat(trino.count(second.queryId(), ROWS_READ)).as("%s", way).isZero();
            assertThat(texts(second.result())).as("%s", way).isEqualTo(texts(first.result()));
            assertThat(texts(run(way, sql).result())).as("%s", way).isEqualTo(texts(run(inGroup(way), sql).result()));
        }
    }

    // Queries of a group that are planned after the table has grown find what is kept.
    @Test
    void testTableThatGrowsMeanwhile()
    {
        mysql.execute(
                "CREATE TABLE test.grows (k INT PRIMARY KEY, a INT NOT NULL)",
                "INSERT INTO test.grows SELECT k * 2, k FROM test.t",
                "ANALYZE TABLE test.grows");
        for (Map<String, String> way : List.of(Map.<String, String>of(), Map.of("native_scan_enabled", "false"))) {
            Map<String, String> group = inGroup(way);
            String sql = "SELECT k, a FROM grows WHERE a > 5";
            MaterializedResult first = run(group, sql).result();
            mysql.execute("INSERT INTO test.grows SELECT MAX(k) + 1, 0 FROM test.grows GROUP BY k DIV 20", "ANALYZE TABLE test.grows");
            MaterializedResultWithPlan second = run(group, sql);
            assertThat(trino.count(second.queryId(), ROWS_READ)).as("%s", way).isZero();
            assertThat(texts(second.result())).as("%s", way).isEqualTo(texts(first));
            mysql.execute("DELETE FROM test.grows WHERE k % 2 = 1");
        }
    }

    // Each pair differs in one thing that decides what is read.
    @Test
    void testWhatDiffersIsReadAnew()
    {
        Map<String, String> group = inGroup(Map.of());
        List<String> queries = List.of(
                "SELECT a, count(*), sum(d) FROM t GROUP BY a",
                "SELECT a, count(*), sum(k) FROM t GROUP BY a",
                "SELECT a, count(*), min(d) FROM t GROUP BY a",
                "SELECT a, count(*), max(d) FROM t GROUP BY a",
                "SELECT a, count(*), sum(d + 1) FROM t GROUP BY a",
                "SELECT a, count(*), sum(d + 2) FROM t GROUP BY a",
                "SELECT k % 2, count(*), sum(d) FROM t GROUP BY 1",
                "SELECT k % 3, count(*), sum(d) FROM t GROUP BY 1",
                "SELECT a, count(*), sum(d) FROM t WHERE a > 2 GROUP BY a",
                "SELECT a, count(*), sum(d) FROM t WHERE a > 3 GROUP BY a",
                "SELECT a, count(*), sum(d) FROM t WHERE a * 2 > 4 GROUP BY a",
                "SELECT a, count(*), sum(d) FROM t WHERE a * 2 > 6 GROUP BY a",
                "SELECT k, s FROM t WHERE a = 3",
                "SELECT k, s FROM t WHERE a = 4",
                "SELECT k, d FROM t WHERE a = 4",
                "SELECT k, k * 2 FROM t WHERE a = 4",
                "SELECT k, k * 3 FROM t WHERE a = 4",
                "SELECT k FROM t WHERE s LIKE '%77%'",
                "SELECT k FROM t WHERE s LIKE '%78%'",
                "SELECT k, d FROM t ORDER BY d DESC LIMIT 5",
                "SELECT k, d FROM t ORDER BY d DESC LIMIT 6",
                "SELECT k, d FROM t ORDER BY d LIMIT 6",
                "SELECT k, b FROM u WHERE b = 1");
        for (String sql : queries) {
            MaterializedResultWithPlan read = run(group, sql);
            assertThat(trino.count(read.queryId(), READ_BY_OTHER_QUERY)).as(sql).isZero();
            assertThat(texts(read.result())).as(sql).isEqualTo(texts(run(Map.of(), sql).result()));
        }
    }

    @Test
    void testSettingsThatDecideValues()
    {
        mysql.execute(
                "SET SESSION sql_mode = ''",
                "CREATE TABLE test.days (k INT PRIMARY KEY, day DATE)",
                "INSERT INTO test.days SELECT k, IF(k = 77, '0000-00-00', '2024-02-29') FROM test.u");
        Map<String, String> group = inGroup(Map.of("invalid_date_handling", "NULL"));
        String sql = "SELECT count(day) FROM days WHERE k > 50";
        assertThat(run(group, sql).result().getOnlyValue()).isEqualTo(ROWS - 52L);
        Map<String, String> strict = ImmutableMap.<String, String>builder().putAll(group).put("invalid_date_handling", "ERROR").buildKeepingLast();
        assertThatThrownBy(() -> run(strict, "SELECT k, day FROM days WHERE k > 50")).hasMessageContaining("day");
        assertThat(run(group, "SELECT k, day FROM days WHERE k > 50").result().getRowCount()).isEqualTo(ROWS - 51);
        assertThatThrownBy(() -> run(strict, "SELECT k, day FROM days WHERE k > 50")).hasMessageContaining("day");
    }

    @Test
    void testUsersShareNothing()
    {
        Map<String, String> group = inGroup(Map.of());
        String sql = "SELECT a, sum(d) FROM t WHERE k > 7 GROUP BY a";
        run(group, sql);
        Session other = Session.builder(trino.session(group)).setIdentity(Identity.ofUser("somebody")).build();
        assertThat(trino.count(trino.executeWithPlan(other, sql).queryId(), READ_BY_OTHER_QUERY)).isZero();
        assertThat(trino.count(trino.executeWithPlan(other, sql).queryId(), READ_BY_OTHER_QUERY)).isPositive();
    }

    // What was read stays on the workers, and the snapshot open. No query gets of it what its account may no longer read.
    @ParameterizedTest
    @ValueSource(strings = {"SELECT a, count(*), sum(d) FROM t GROUP BY a", "SELECT k, s FROM t WHERE a = 3", "SELECT count(*) FROM t JOIN u ON t.k = u.k WHERE b = 1"})
    void testRightsThatEnd(String sql)
            throws Exception
    {
        mysql.execute("CREATE USER reader", "GRANT SELECT ON test.* TO reader");
        try (TestingTrino reader = TestingTrino.oneNode(mysql, "reader", ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000"))) {
            Map<String, String> group = inGroup(Map.of("dynamic_filtering_enabled", "false"));
            assertThat(reader.count(reader.executeWithPlan(reader.session(group), sql).queryId(), READ_BY_OTHER_QUERY)).isZero();
            assertThat(reader.count(reader.executeWithPlan(reader.session(group), sql).queryId(), READ_BY_OTHER_QUERY)).isPositive();
            mysql.execute("REVOKE SELECT ON test.* FROM reader", "GRANT SELECT ON test.u TO reader");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> reader.executeWithPlan(reader.session(group), sql)).hasMessageContaining("does not exist");
            }
        }
        finally {
            mysql.execute("DROP USER reader");
        }
    }

    // Each of two workers gets what it has read before.
    @Test
    void testWorkersGetTheSameRangesAgain()
            throws Exception
    {
        try (TestingTrino workers = new TestingTrino(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000"))) {
            Session group = workers.session(inGroup(Map.of()));
            for (String sql : List.of("SELECT k, s FROM t WHERE a = 3", "SELECT a, sum(d) FROM t GROUP BY a", "SELECT a, min(d) FROM t GROUP BY a")) {
                assertThat(workers.count(workers.executeWithPlan(group, sql).queryId(), ROWS_READ)).as(sql).isPositive();
                MaterializedResultWithPlan again = workers.executeWithPlan(group, sql);
                assertThat(workers.count(again.queryId(), ROWS_READ)).as(sql).isZero();
                assertThat(workers.count(again.queryId(), READ_BY_OTHER_QUERY)).as(sql).isPositive();
            }
        }
    }

    @Test
    void testQueriesWithoutAGroupShareNothing()
    {
        String sql = "SELECT a, sum(d) FROM t WHERE k > 8 GROUP BY a";
        for (int i = 0; i < 2; i++) {
            assertThat(trino.count(run(Map.of(), sql).queryId(), READ_BY_OTHER_QUERY)).isZero();
        }
    }

    // Queries that name no group share a snapshot, and what they read, if they begin within the window.
    @Test
    void testSharingWindow()
    {
        Map<String, String> window = Map.of("snapshot_sharing_window", "1m");
        String sql = "SELECT a, sum(d) FROM t WHERE k > 6 GROUP BY a";
        MaterializedResultWithPlan first = run(window, sql);
        mysql.execute("UPDATE test.t SET d = d + 1");
        MaterializedResultWithPlan second = run(window, sql);
        assertThat(trino.count(second.queryId(), READ_BY_OTHER_QUERY)).isPositive();
        assertThat(texts(second.result())).isEqualTo(texts(first.result()));
        assertThat(texts(run(Map.of(), sql).result())).isNotEqualTo(texts(first.result()));
    }

    private MaterializedResultWithPlan run(Map<String, String> properties, String sql)
    {
        return trino.executeWithPlan(trino.session(properties), sql);
    }

    private static Map<String, String> inGroup(Map<String, String> properties)
    {
        return ImmutableMap.<String, String>builder().putAll(properties).put("snapshot_group", "g" + GROUPS.incrementAndGet()).put("snapshot_group_age", "5m").buildOrThrow();
    }

    private long adoptions()
    {
        mysql.awaitStatementsRecorded();
        return Long.parseLong(mysql.values("SELECT COALESCE(SUM(count_star), 0) FROM performance_schema.events_statements_summary_by_digest WHERE digest_text LIKE '%mysql_pq_snapshot_adopt%'").getFirst());
    }
}
