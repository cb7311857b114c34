package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;
import java.util.Map;

import static io.mysqlpq.trino.metrics.ReadMetrics.NATIVE_REFUSED;
import static io.mysqlpq.trino.metrics.ReadMetrics.READ_NATIVELY;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Tests who finds the first rows of a scan: MySQL by one statement where that ends early, or ranges. */
@TestInstance(PER_CLASS)
class TestFirstRows
{
    private static final int ROWS = 30_000;
    private static final Map<String, String> IN_TRINO = ImmutableMap.of("topn_pushdown_enabled", "false");
    private static final Map<String, String> BY_SQL = ImmutableMap.of("native_scan_enabled", "false");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.t (k INT PRIMARY KEY, v INT, i INT, name VARCHAR(20), a INT, b INT, c INT, d DATE, fixed CHAR(3), x DOUBLE, zero DOUBLE, KEY (i))",
                """
                INSERT INTO test.t WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < %s - 1)
                SELECT /*+ SET_VAR(cte_max_recursion_depth=100000) */ n, NULLIF(7919 * n %% 30011, 5), n DIV 3, ELT(1 + n %% 4, 'a', 'A', 'ä', NULL), n, n, n, NULLIF(DATE '2020-01-01' + INTERVAL n %% 997 DAY, DATE '2020-02-03'), n %% 7, n / 3, IF(n %% 3 = 0, NULL, IF(n %% 2 = 0, -0e0, 0e0)) FROM n""".formatted(ROWS),
                "CREATE TABLE test.halves (k INT PRIMARY KEY, v INT, name VARCHAR(20)) PARTITION BY HASH (k) PARTITIONS 3",
                "INSERT INTO test.halves SELECT k, v, name FROM test.t",
                "CREATE VIEW test.seen AS SELECT * FROM test.t",
                "CREATE TABLE test.groups_ (a INT, b INT, v INT, PRIMARY KEY (a, b))",
                "INSERT INTO test.groups_ SELECT k DIV 4, k % 4, 7919 * k % 30011 FROM test.t",
                "ANALYZE TABLE test.t, test.halves, test.groups_");
        // Planning decides who finds the first rows. Trino takes them from ranges in the same way on any number of nodes.
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testWhoFindsThem()
    {
        String one = "read=[one split: limit]";
        String natively = "read=[ranges of index PRIMARY from EXTENSION, natively]";
        assertThat(explain("SELECT * FROM t LIMIT 1000")).contains(one);
        assertThat(explain("SELECT * FROM t WHERE v <> 5 LIMIT 1000")).contains(one);
        assertThat(explain("SELECT * FROM t WHERE v = 77 LIMIT 1000")).contains(natively).contains("Limit");
        assertThat(explain("SELECT * FROM t WHERE v = 77 AND name = 'a' LIMIT 1000")).contains(natively).contains("Limit");
        assertThat(explain("SELECT * FROM t WHERE i = 77 LIMIT 1000")).contains(one);
        assertThat(explain("SELECT * FROM t WHERE k = 77 LIMIT 1000")).contains(one);
        assertThat(explain("SELECT * FROM t ORDER BY k DESC LIMIT 10")).contains(one);
        assertThat(explain("SELECT i FROM t ORDER BY i NULLS FIRST LIMIT 10")).contains(one);
        // MySQL takes NULL for the least, so the index has another order.
        assertThat(explain("SELECT i FROM t ORDER BY i NULLS LAST LIMIT 10")).contains("read=[ranges of index ").contains("TopN");
        assertThat(explain("SELECT k, v FROM t ORDER BY v DESC LIMIT 10")).contains(natively).contains("TopN");
        assertThat(explain("SELECT * FROM t ORDER BY v DESC LIMIT 10")).contains(natively).contains("limit=10").contains("TopN");
        assertThat(explain("SELECT * FROM t ORDER BY name, v LIMIT 10")).contains(natively).contains("limit=10").contains("TopN");
        // The extension knows no order of these.
        assertThat(explain("SELECT * FROM t ORDER BY fixed LIMIT 10")).contains("read=[ranges of index PRIMARY from EXTENSION]").contains("TopN");
        assertThat(explain("SELECT k, x FROM t ORDER BY x LIMIT 10")).contains(natively).contains("limit=10").contains("TopN");
        // Ranges would send nearly as much as they read.
        assertThat(explain("SELECT * FROM t ORDER BY v DESC LIMIT 5000")).contains(one);
        assertThat(explain("SELECT * FROM seen ORDER BY v DESC LIMIT 10")).contains(one);
    }

    @Test
    void testFirstInOrder()
    {
        List<String> orders = List.of("v NULLS FIRST", "v DESC NULLS LAST", "v DESC NULLS FIRST, k", "name NULLS FIRST, v DESC, k", "name DESC, k DESC", "k");
        assertFirst("* FROM t ORDER BY d DESC NULLS LAST, v DESC, k");
        assertFirst("k, d FROM t ORDER BY d NULLS FIRST, k");
        assertFirst("k, fixed FROM t ORDER BY fixed DESC, k");
        assertFirst("k, x FROM t ORDER BY x DESC");
        assertFirst("k, zero FROM t WHERE k <> 1 ORDER BY zero NULLS LAST, k DESC");
        assertFirst("* FROM t ORDER BY zero DESC NULLS FIRST, x DESC, k");
        assertFirst("* FROM t ORDER BY zero DESC NULLS LAST, v");
        for (String order : orders) {
            assertFirst("k, v FROM t ORDER BY " + order);
            assertFirst("* FROM t WHERE v > 400 AND k < 15000 ORDER BY " + order);
            assertFirst("* FROM halves WHERE name = 'a' ORDER BY " + order);
        }
        assertFirst("* FROM seen ORDER BY " + orders.getFirst());
        assertFirst("* FROM t WHERE v = 3 ORDER BY " + orders.getLast());
        String sql = "SELECT * FROM t ORDER BY v DESC, k LIMIT 5";
        assertThat(rows(trino.session(BY_SQL), sql)).isEqualTo(rows(trino.session(IN_TRINO), sql));
    }

    /** Each range sends no more rows than are asked for, in the worst order too. */
    @Test
    void testRowsThatAreSent()
    {
        for (Map<String, String> properties : List.of(BY_SQL, Map.<String, String>of())) {
            for (String order : List.of("v DESC NULLS LAST", "a DESC", "a")) {
                MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(properties), "SELECT * FROM t ORDER BY %s LIMIT 10".formatted(order));
                assertThat(result.result().getRowCount()).isEqualTo(10);
                assertThat(trino.count(result.queryId(), SPLITS_READ)).isGreaterThan(5);
                assertThat(trino.count(result.queryId(), ROWS_READ)).as(order).isBetween(10L, 10 * trino.count(result.queryId(), SPLITS_READ));
                assertThat(trino.count(result.queryId(), READ_NATIVELY)).isEqualTo(properties.equals(BY_SQL) ? 0 : trino.count(result.queryId(), SPLITS_READ));
            }
        }
    }

    /** The first of the rows that pass filters which SQL does not know. */
    @Test
    void testFirstThatPass()
    {
        List<String> filters = List.of("month(d) = 7", "v % 7 = 3", "name LIKE '_' AND nullif(k, 7) > 100", "month(d) = 7 AND v > 100", "v % 100 = 55 AND name LIKE 'a%'");
        for (String filter : filters) {
            for (String order : Draw.some(3, "v DESC NULLS LAST, k", "k", "k DESC", "name DESC, v NULLS FIRST, k", "x DESC", "i, k", "fixed, k")) {
                assertFirst("k, v, name FROM t WHERE %s ORDER BY %s".formatted(filter, order));
            }
            MaterializedResultWithPlan sent = trino.executeWithPlan(trino.session(Map.of()), "SELECT * FROM t WHERE %s ORDER BY v DESC NULLS LAST LIMIT 3".formatted(filter));
            assertThat(trino.count(sent.queryId(), SPLITS_READ)).isGreaterThan(5);
            assertThat(trino.count(sent.queryId(), ROWS_READ)).as(filter).isBetween(3L, 3 * trino.count(sent.queryId(), SPLITS_READ));
            assertThat(trino.count(sent.queryId(), READ_NATIVELY)).isEqualTo(trino.count(sent.queryId(), SPLITS_READ));
        }
        assertFirst("* FROM halves WHERE v % 7 = 3 AND name LIKE 'a%' ORDER BY name DESC NULLS LAST, k");
        // The connector alone filters by what can fail.
        assertFirst("k FROM t WHERE name LIKE '_' AND k + a > 100 ORDER BY v DESC NULLS LAST, k");
        assertFirst("k FROM t WHERE k > 0 AND 30000 / k > 2 AND v % 7 = 3 ORDER BY v DESC NULLS LAST, k");
        assertFirst("k FROM t WHERE k > 0 AND 30000 / k > 2 ORDER BY v NULLS FIRST, k");
        // What the extension refuses, MySQL reads by SQL.
        mysql.execute("SET GLOBAL mysql_pq_scan_memory = 1048576");
        try {
            for (String filter : filters) {
                assertFirst("* FROM t WHERE %s ORDER BY name DESC NULLS LAST, k".formatted(filter));
            }
            MaterializedResultWithPlan refused = trino.executeWithPlan(trino.session(Map.of()), "SELECT * FROM t WHERE v % 7 = 3 ORDER BY v LIMIT 7");
            assertThat(trino.count(refused.queryId(), NATIVE_REFUSED + "memory_limit")).isPositive();
        }
        finally {
            mysql.execute("SET GLOBAL mysql_pq_scan_memory = DEFAULT");
        }
    }

    private void assertFirst(String query)
    {
        String sql = "SELECT %s LIMIT 7".formatted(query);
        List<String> expected = rows(trino.session(IN_TRINO), sql);
        assertThat(expected).as(sql).isNotEmpty();
        assertThat(rows(trino.session(Map.of()), sql)).as(sql).isEqualTo(expected);
    }

    @Test
    void testFirstOfAnyOrder()
    {
        for (String filter : List.of("name = 'a'", "v % 3 = 1", "v BETWEEN 100 AND 9000", "v = 3", "name LIKE 'b%'", "v > 100 AND name = 'A'")) {
            for (Map<String, String> properties : List.of(BY_SQL, Map.<String, String>of())) {
                List<String> all = rows(trino.session(properties), "SELECT k, v, name FROM t WHERE " + filter);
                for (int limit : List.of(1, 50, 3000)) {
                    String sql = "SELECT k, v, name FROM t WHERE %s LIMIT %s".formatted(filter, limit);
                    assertThat(rows(trino.session(properties), sql)).as(sql).hasSize(Math.min(limit, all.size())).doesNotHaveDuplicates().isSubsetOf(all);
                }
            }
        }
    }

    /** A limit below or above something else. */
    @Test
    void testLimitsBetweenOthers()
    {
        for (String sql : List.of(
                "SELECT count(*), min(v) FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST LIMIT 10)",
                "SELECT count(*) FROM (SELECT * FROM t WHERE name = 'a' LIMIT 700)",
                "SELECT count(*), count_if(v > 29000) FROM (SELECT * FROM t LIMIT 26000)",
                "SELECT any_value(v), bool_and(v > 29000) FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST LIMIT 1)",
                "SELECT any_value(v) FROM (SELECT * FROM t ORDER BY k DESC LIMIT 1)",
                "SELECT k FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST LIMIT 10) WHERE k > 5000 ORDER BY k LIMIT 3",
                "SELECT k FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST LIMIT 10) ORDER BY k LIMIT 3",
                "SELECT x.k, y.k FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST LIMIT 10) x JOIN (SELECT * FROM t ORDER BY v LIMIT 10) y ON x.k <> y.k ORDER BY 1, 2",
                "SELECT x.k FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST LIMIT 10) x JOIN t y ON x.k = y.v ORDER BY 1",
                "SELECT name, count(*) FROM (SELECT * FROM t ORDER BY v DESC NULLS LAST, k LIMIT 10) GROUP BY name ORDER BY name",
                "SELECT i, count(*) FROM t GROUP BY i ORDER BY 2 DESC, 1 LIMIT 5",
                "SELECT k, sum(v) FROM t GROUP BY k ORDER BY 2 DESC NULLS LAST, 1 LIMIT 5",
                "SELECT count(*) FROM (SELECT k, sum(v) FROM t GROUP BY k LIMIT 7)",
                "SELECT k + 1, v FROM t ORDER BY v DESC NULLS LAST LIMIT 4")) {
            assertThat(rows(trino.session(Map.of()), sql)).as(sql).isNotEmpty().isEqualTo(rows(trino.session(IN_TRINO), sql));
        }
    }

    /** MySQL would compute all groups in one thread for the first of them. */
    @Test
    void testFirstGroups()
    {
        String sql = "SELECT a, max(v) FROM groups_ GROUP BY a ORDER BY 2 DESC, 1 LIMIT 10";
        Session session = trino.session(ImmutableMap.of("aggregation_max_groups", "100"));
        assertThat(trino.execute(session, "EXPLAIN " + sql).getOnlyValue().toString()).contains("read=[whole groups of ranges of index PRIMARY from EXTENSION, natively]");
        assertThat(rows(session, sql)).hasSize(10).isEqualTo(rows(trino.session(ImmutableMap.of("aggregation_pushdown_enabled", "false")), sql));
    }

    private String explain(String sql)
    {
        return trino.execute("EXPLAIN " + sql).getOnlyValue().toString();
    }

    private List<String> rows(Session session, String sql)
    {
        return trino.execute(session, sql).getMaterializedRows().stream().map(Object::toString).toList();
    }
}
