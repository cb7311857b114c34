package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/** Tests that MySQL stops at the last of the distinct rows that a limit allows, where it need not read more to know them. */
@TestInstance(PER_CLASS)
@Execution(SAME_THREAD)
class TestFirstDistinctRows
{
    private static final int ROWS = 20_000;
    private static final Map<String, String> CATALOG_PROPERTIES = ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000");
    private static final Map<String, String> BY_SQL = ImmutableMap.of("native_scan_enabled", "false");
    private static final Map<String, String> IN_TRINO = ImmutableMap.of("aggregation_pushdown_enabled", "false");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.t (a INT, b INT, indexed INT, v INT NOT NULL, name VARCHAR(20), PRIMARY KEY (a, b), KEY (indexed))",
                """
                INSERT INTO test.t WITH RECURSIVE n(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM n WHERE n < %s - 1)
                SELECT /*+ SET_VAR(cte_max_recursion_depth=100000) */ n DIV 4, n %% 4, NULLIF(n DIV 40, 7), 7 * n %% 5003, ELT(1 + n %% 4, 'a', 'A', 'ä', NULL) FROM n""".formatted(ROWS),
                "CREATE TABLE test.u (PRIMARY KEY (a, b)) SELECT a, b, v FROM test.t",
                "ANALYZE TABLE test.t, test.u");
        trino = TestingTrino.oneNode(mysql, CATALOG_PROPERTIES);
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testFirstOfAnyOrder()
    {
        for (String from : List.of("a FROM t", "a FROM u", "b, a FROM t", "v FROM t", "v FROM u", "indexed FROM t", "v, name FROM t")) {
            for (Map<String, String> properties : List.of(BY_SQL, Map.<String, String>of())) {
                // Where Trino finds them, it is told to stop while ranges of a small table are read.
                if (from.contains("v")) {
                    continue;
                }
                String sql = "SELECT DISTINCT %s LIMIT 100".formatted(from);
                trino.execute(trino.session(properties), sql);
                long before = rowsRead();
                List<String> first = rows(trino.session(properties), sql);
                assertThat(rowsRead() - before).as("%s with %s", sql, properties).isLessThan(ROWS / 4);
                assertThat(first).as(sql).hasSize(100).doesNotHaveDuplicates().isSubsetOf(rows(trino.session(IN_TRINO), "SELECT DISTINCT " + from));
            }
        }
    }

    @Test
    void testFirstInOrder()
    {
        for (String sql : List.of(
                "SELECT DISTINCT a FROM t ORDER BY a LIMIT 50",
                "SELECT DISTINCT a FROM t ORDER BY a DESC LIMIT 50",
                "SELECT DISTINCT a FROM u ORDER BY a LIMIT 50",
                "SELECT DISTINCT b, a FROM u ORDER BY a, b LIMIT 50",
                "SELECT DISTINCT b, a FROM t ORDER BY a, b LIMIT 50")) {
            trino.execute(sql);
            long before = rowsRead();
            List<String> first = rows(trino.session(Map.of()), sql);
            assertThat(rowsRead() - before).as(sql).isLessThan(ROWS / 4);
            assertThat(first).as(sql).hasSize(50).isEqualTo(rows(trino.session(IN_TRINO), sql));
        }
    }

    /** NULL is the least for MySQL, and text has an order of its own. */
    @Test
    void testAnswersInOrder()
    {
        for (String column : List.of("indexed", "v", "name")) {
            for (String order : List.of("ASC NULLS FIRST", "ASC NULLS LAST", "DESC NULLS FIRST", "DESC NULLS LAST")) {
                String sql = "SELECT %1$s FROM t GROUP BY %1$s ORDER BY %1$s %2$s LIMIT 3".formatted(column, order);
                assertThat(rows(trino.session(Map.of()), sql)).as(sql).hasSize(3).isEqualTo(rows(trino.session(IN_TRINO), sql));
            }
        }
        String sql = "SELECT DISTINCT name, indexed FROM t ORDER BY indexed DESC NULLS FIRST, name LIMIT 7";
        assertThat(rows(trino.session(Map.of()), sql)).hasSize(7).isEqualTo(rows(trino.session(IN_TRINO), sql));
    }

    /** With a filter, or nearly as many as there are, ranges are faster, of which Trino takes the first. */
    @Test
    void testFirstOfMany()
    {
        for (String sql : List.of(
                "SELECT DISTINCT a FROM u LIMIT 4000",
                "SELECT DISTINCT a, b FROM u ORDER BY a, b LIMIT 19999",
                "SELECT a FROM u WHERE b < 3 GROUP BY a ORDER BY a LIMIT 50")) {
            assertThat((String) trino.execute("EXPLAIN " + sql).getOnlyValue()).as(sql).contains("read=[whole groups of ranges of index PRIMARY from EXTENSION, natively]");
            assertThat(trino.execute(sql).getRowCount()).as(sql).isEqualTo(trino.execute(trino.session(IN_TRINO), sql).getRowCount());
        }
        String sorted = "SELECT a FROM u WHERE b < 3 GROUP BY a ORDER BY a LIMIT 50";
        assertThat(rows(trino.session(Map.of()), sorted)).isEqualTo(rows(trino.session(IN_TRINO), sorted));
    }

    /** MySQL would first find all distinct keys, in one thread, to join them with a few rows. */
    @Test
    void testSemiJoin()
    {
        String sql = "SELECT count(*) FROM (VALUES 1, 2) few(x) WHERE x IN (SELECT a FROM u)";
        mysql.execute("CREATE TABLE test.few (x INT PRIMARY KEY)", "INSERT INTO test.few VALUES (1), (2), (-1)", "ANALYZE TABLE test.few");
        assertThat(trino.execute(sql).getOnlyValue()).isEqualTo(2L);
        String join = "SELECT count(*) FROM few WHERE x IN (SELECT a FROM u)";
        assertThat((String) trino.execute("EXPLAIN " + join).getOnlyValue()).contains("whole groups of ranges").doesNotContain("one split: pushed query");
        assertThat(trino.execute(join).getOnlyValue()).isEqualTo(2L);
    }

    /** A limit that is larger than all, of less than all, and on top of another. */
    @Test
    void testLimitsBetweenOthers()
    {
        for (String sql : List.of(
                "SELECT DISTINCT name FROM t LIMIT 100",
                "SELECT DISTINCT name FROM t WHERE name = 'a' OR name IS NULL LIMIT 100",
                "SELECT a FROM (SELECT DISTINCT a, name FROM t WHERE a < 9) WHERE name = 'A' LIMIT 100",
                "SELECT count(*), sum(v) FROM (SELECT DISTINCT v FROM t WHERE v < 60 LIMIT 60)",
                "SELECT count(*) FROM (SELECT a FROM (SELECT DISTINCT a FROM t LIMIT 20) LIMIT 10)",
                "SELECT count(*) FROM (SELECT * FROM (SELECT DISTINCT a FROM t ORDER BY a LIMIT 20) WHERE a > 9 LIMIT 30)",
                "SELECT a FROM (SELECT DISTINCT a FROM t ORDER BY a LIMIT 20) ORDER BY a DESC LIMIT 3",
                "SELECT DISTINCT a FROM (SELECT a FROM t ORDER BY a, b LIMIT 10) LIMIT 100",
                "SELECT max(a), count(*) FROM (SELECT DISTINCT a, b FROM t ORDER BY a, b LIMIT 10)",
                "SELECT a FROM (SELECT a, v, count(*) FROM t GROUP BY a, v ORDER BY a, v LIMIT 3)",
                "SELECT a, count(*) FROM (SELECT DISTINCT a, b FROM t) GROUP BY a ORDER BY a LIMIT 3")) {
            assertThat(rows(trino.session(Map.of()), sql)).as(sql).isNotEmpty().containsExactlyInAnyOrderElementsOf(rows(trino.session(IN_TRINO), sql));
        }
    }

    private List<String> rows(Session session, String sql)
    {
        return trino.execute(session, sql).getMaterializedRows().stream().map(Object::toString).toList();
    }

    private long rowsRead()
    {
        return mysql.status("Innodb_rows_read") + mysql.status("mysql_pq_scan_rows_read");
    }
}
