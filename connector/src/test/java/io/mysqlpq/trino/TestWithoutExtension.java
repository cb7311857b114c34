package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.MaterializedResult;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.Map;

import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads a server that has no extension, as managed ones are: one split, or ranges by SQL for those who ask for them. */
@TestInstance(PER_CLASS)
class TestWithoutExtension
{
    private static final Map<String, String> NO_SNAPSHOT = ImmutableMap.of("snapshot_mode", "NONE");
    private static final String SCAN = "SELECT tenant, name, amount FROM orders";
    private static final String SUMS = "SELECT count(*), sum(amount), count(DISTINCT name) FROM orders";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.orders (tenant INT, name VARCHAR(40), amount DECIMAL(10,2), PRIMARY KEY (tenant, name DESC))",
                "INSERT INTO test.orders WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT IF(n % 5 < 4, 7, n % 100), LEFT(SHA2(n, 256), 40), n / 4 FROM s",
                "ANALYZE TABLE test.orders",
                "CREATE VIEW test.view_of_orders AS SELECT * FROM test.orders",
                "CREATE TABLE test.keyless AS SELECT * FROM test.orders",
                "CREATE TABLE test.by_hash (k INT PRIMARY KEY) PARTITION BY HASH (k) PARTITIONS 5",
                "INSERT INTO test.by_hash WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n FROM s",
                "ANALYZE TABLE test.keyless, test.by_hash",
                """
                CREATE TABLE test.events (id INT PRIMARY KEY, day DATE NOT NULL, until DATE, kind VARCHAR(20) COLLATE utf8mb4_0900_ai_ci NOT NULL, body VARCHAR(400) NOT NULL,
                    KEY by_day (day), KEY by_end (until), KEY by_kind (kind DESC, until))""",
                "INSERT INTO test.events WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, DATE'2026-01-01' + INTERVAL n % 100 DAY, IF(n % 3 = 0, NULL, DATE'2026-01-01' + INTERVAL n % 100 DAY), CONCAT(CHAR(65 + n % 60), n % 1000), REPEAT('x', 400) FROM s",
                "CREATE TABLE test.loose (day DATE NOT NULL, body INT, KEY by_day (day))",
                "INSERT INTO test.loose SELECT day, id FROM test.events",
                "ANALYZE TABLE test.events, test.loose",
                "CREATE USER part IDENTIFIED BY ''",
                "GRANT SELECT (name, amount) ON test.orders TO part");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "1000", "sql-planning-time-limit", "1m"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testOneSplitUnlessAskedForMore()
    {
        MaterializedResult whole = assertSplits(SCAN, ImmutableMap.of(), 1, 1);
        assertSplits(SCAN, ImmutableMap.of("range_source", "SQL"), 1, 1);
        assertSplits(SCAN, ImmutableMap.of("snapshot_mode", "PER_SCAN", "range_source", "SQL"), 1, 1);
        assertSplits(SCAN, ImmutableMap.of("snapshot_mode", "NONE", "range_source", "NONE"), 1, 1);
        MaterializedResult ranges = assertSplits(SCAN, NO_SNAPSHOT, 10, 30);
        assertEqualsIgnoreOrder(ranges, whole);
        assertThat(whole.getRowCount()).isEqualTo(20_000);
        assertThat(trino.execute(trino.session(NO_SNAPSHOT), SUMS).getMaterializedRows()).isEqualTo(trino.execute(SUMS).getMaterializedRows());
    }

    @Test
    void testFilterOnTheKeyNarrowsRanges()
    {
        String sql = "SELECT name FROM orders WHERE tenant BETWEEN 20 AND 40";
        MaterializedResult ranges = assertSplits(sql, ImmutableMap.of("snapshot_mode", "NONE", "target_rows_per_split", "100"), 3, 20);
        assertEqualsIgnoreOrder(ranges, trino.execute(sql));
        assertThat(ranges.getRowCount()).isGreaterThan(500);
    }

    @Test
    void testWhatCannotBeCut()
    {
        assertSplits("SELECT name FROM view_of_orders", NO_SNAPSHOT, 1, 1);
        assertSplits("SELECT name FROM keyless", NO_SNAPSHOT, 1, 1);
        assertSplits("SELECT name FROM orders LIMIT 10", NO_SNAPSHOT, 1, 1);
    }

    @Test
    void testPartitionedTable()
    {
        MaterializedResult ranges = assertSplits("SELECT k FROM by_hash", NO_SNAPSHOT, 10, 30);
        assertThat(ranges.getOnlyColumnAsSet()).hasSize(20_000);
        assertThat(ranges.getRowCount()).isEqualTo(20_000);
    }

    @Test
    void testSecondaryIndexes()
    {
        String filter = "SELECT * FROM events WHERE day BETWEEN DATE '2026-02-01' AND DATE '2026-02-20'";
        assertThat(explain(NO_SNAPSHOT, filter)).contains("read=[ranges of index by_day from SQL (extension: NOT_INSTALLED)]");
        assertSameRows(filter, 2, 10);
        assertSameRows("SELECT id, day FROM events", 10, 30);
        assertThat(explain(NO_SNAPSHOT, "SELECT kind, until FROM events")).contains("read=[ranges of index by_kind from SQL (extension: NOT_INSTALLED)]");
        assertSameRows("SELECT kind, until, id FROM events", 10, 30);
        assertSameRows("SELECT * FROM loose", 10, 30);
    }

    // No boundaries are looked for among NULLs: MySQL's own plan, or ranges of the rows, cost no more.
    @Test
    void testNullableIndex()
    {
        assertSameRows("SELECT * FROM events WHERE until BETWEEN DATE '2026-02-01' AND DATE '2026-02-25'", 1, 1);
        assertSameRows("SELECT until FROM events", 10, 30);
    }

    private void assertSameRows(String sql, long leastSplits, long mostSplits)
    {
        MaterializedResult ranges = assertSplits(sql, NO_SNAPSHOT, leastSplits, mostSplits);
        assertThat(ranges.getRowCount()).isGreaterThan(1_000);
        assertEqualsIgnoreOrder(ranges, assertSplits(sql, ImmutableMap.of(), 1, 1));
    }

    @Test
    void testExplain()
    {
        assertThat(explain(ImmutableMap.of())).contains("read=[one split: no ranges from extension (NOT_INSTALLED)]");
        assertThat(explain(NO_SNAPSHOT)).contains("read=[ranges of index PRIMARY from SQL (extension: NOT_INSTALLED)]");
        assertThat(explain(ImmutableMap.of("snapshot_mode", "NONE", "range_source", "SQL"))).contains("read=[ranges of index PRIMARY from SQL]");
        assertThat(explain(ImmutableMap.of("range_source", "SQL"))).contains("read=[one split: no shared snapshot (NOT_INSTALLED)]");
    }

    @Test
    void testExtensionDemanded()
    {
        assertThatThrownBy(() -> trino.execute(trino.session(ImmutableMap.of("snapshot_mode", "NONE", "range_source", "EXTENSION")), SCAN))
                .hasMessageContaining("INSTALL PLUGIN mysql_pq")
                .hasMessageContaining("set range_source to AUTO");
    }

    @Test
    void testKeyThatMayNotBeRead()
            throws Exception
    {
        try (TestingTrino other = TestingTrino.oneNode(mysql, "part", ImmutableMap.of("target-rows-per-split", "1000", "snapshot-mode", "NONE"))) {
            MaterializedResultWithPlan result = other.executeWithPlan(other.session(ImmutableMap.of()), "SELECT amount FROM orders");
            assertThat(result.result().getRowCount()).isEqualTo(20_000);
            assertThat(other.count(result.queryId(), "splitsRead")).isEqualTo(1);
        }
    }

    private MaterializedResult assertSplits(String sql, Map<String, String> session, long least, long most)
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(session), sql);
        assertThat(trino.count(result.queryId(), "splitsRead")).as("splits of %s with %s", sql, session).isBetween(least, most);
        return result.result();
    }

    private String explain(Map<String, String> session)
    {
        return explain(session, SCAN);
    }

    private String explain(Map<String, String> session, String sql)
    {
        return trino.execute(trino.session(session), "EXPLAIN " + sql).getOnlyValue().toString();
    }
}
