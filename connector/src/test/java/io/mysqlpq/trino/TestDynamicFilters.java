package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.spi.QueryId;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static com.google.common.collect.Iterables.getOnlyElement;
import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Joins a large table with a few rows, which must reach MySQL as a filter. */
@TestInstance(PER_CLASS)
class TestDynamicFilters
{
    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).start();
        mysql.execute(
                "UPDATE performance_schema.setup_consumers SET enabled = 'YES' WHERE name = 'events_statements_history_long'",
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.big (k BIGINT PRIMARY KEY, j INT NOT NULL, v INT NOT NULL)",
                "INSERT INTO test.big WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n, 1 FROM s",
                "CREATE TABLE test.few (x BIGINT PRIMARY KEY)",
                "INSERT INTO test.few VALUES (7), (8), (15000)",
                "CREATE TABLE test.probed (id INT PRIMARY KEY, i INT, d DECIMAL(10, 2), t VARCHAR(20))",
                "INSERT INTO test.probed VALUES (1, 5, 5, 't100'), (2, 7, 7, 't300'), (3, 5000, 5000, 't9999')",
                "CREATE TABLE test.probing (i DECIMAL(12, 0), d DECIMAL(12, 2), t VARCHAR(30))",
                "INSERT INTO test.probing SELECT k, k, concat('t', k) FROM test.big WHERE k < 400",
                "ANALYZE TABLE test.big, test.few, test.probed, test.probing");
        trino = new TestingTrino(mysql, ImmutableMap.of(
                "native-aggregation-enabled", "false",
                "range-source", "EXTENSION",
                // What MySQL does as a whole is one split.
                "join-pushdown.enabled", "false",
                "target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testFilterOnKey()
    {
        assertRowsRead("k", ImmutableMap.of(), 3 + 3);
    }

    @Test
    void testFilterOnOtherColumn()
    {
        assertRowsRead("j", ImmutableMap.of(), 3 + 3);
    }

    /** Who does not wait plans ranges of the whole table; those that are opened when the filter is known are read by it. */
    @Test
    void testLateFilter()
    {
        String sql = "SELECT sum(big.v) FROM big JOIN TABLE(system.query('SELECT x FROM test.few WHERE SLEEP(0.6) = 0')) f ON big.k = f.x";
        // Without this Trino plans no range before the other side is there.
        Session impatient = Session.builder(session(ImmutableMap.of("dynamic_filtering_wait_timeout", "0s"))).setSystemProperty("execution_policy", "all-at-once").build();
        MaterializedResultWithPlan late = trino.executeWithPlan(impatient, sql);
        assertThat(late.result().getOnlyValue()).isEqualTo(3L);
        assertThat(trino.count(late.queryId(), SPLITS_READ)).isGreaterThan(10);
        assertThat(trino.count(late.queryId(), ROWS_READ)).isLessThanOrEqualTo(3 + 3);
        Session patient = session(ImmutableMap.of("dynamic_filtering_wait_timeout", "1m"));
        MaterializedResultWithPlan early = trino.executeWithPlan(patient, sql);
        assertThat(early.result().getOnlyValue()).isEqualTo(3L);
        assertThat(trino.count(early.queryId(), SPLITS_READ)).isLessThan(trino.count(late.queryId(), SPLITS_READ));
        assertThat(trino.count(early.queryId(), ROWS_READ)).isLessThanOrEqualTo(3 + 3);
        assertThat(trino.execute(patient, "EXPLAIN ANALYZE VERBOSE " + sql).getOnlyValue().toString()).containsPattern("dynamicFilterWaitTime. = \\{duration=([1-9]|\\d\\d+)\\.\\d+s");
        assertThat(trino.execute(impatient, "EXPLAIN ANALYZE VERBOSE " + sql).getOnlyValue().toString()).containsPattern("dynamicFilterWaitTime. = \\{duration=\\d*\\.\\d*(ms|us)");
    }

    /** What planning reads of tables while they are locked it reads once, of all three scans' tables at a time, unless two scans ask at the same time. */
    @Test
    void testKeysAreReadOnce()
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(session(ImmutableMap.of()), "SELECT sum(b.v) FROM big b JOIN big c ON b.k = c.j JOIN few ON b.k = few.x");
        assertThat(result.result().getOnlyValue()).isEqualTo(3L);
        long locked = (long) getOnlyElement(statements(result.queryId(), "timer_end", "%snapshot_export%"));
        List<Object> readKeys = statements(result.queryId(), "timer_end", "%SELECT 0, t.table_type%");
        assertThat(readKeys).map(Long.class::cast).filteredOn(end -> end > locked).hasSizeBetween(1, 2);
    }

    /** A second time only where the first ranges are too coarse to make even ones of. */
    @ParameterizedTest
    @CsvSource({"6000, 4, 1", "1050, 20, 2"})
    void testRangesAreAskedForOnce(long rowsOfRange, long ranges, int statements)
    {
        Session session = session(ImmutableMap.of("target_rows_per_split", Long.toString(rowsOfRange)));
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT max(v + j) FROM big");
        assertThat(result.result().getOnlyValue()).isEqualTo(20_001);
        // As many as MySQL estimates rows.
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isBetween(ranges - 2, ranges + 2);
        assertThat(statements(result.queryId(), "timer_end", "%mysql_pq_ranges(%")).hasSize(statements);
    }

    private List<Object> statements(QueryId query, String column, String pattern)
    {
        return query("SELECT CAST(%s AS SIGNED) FROM performance_schema.events_statements_history_long WHERE sql_text LIKE ''%s'' AND sql_text LIKE ''/*mysql_pq %s %%''".formatted(column, pattern, query));
    }

    private List<Object> query(String sql)
    {
        return trino.execute("SELECT * FROM TABLE(system.query('%s'))".formatted(sql)).getOnlyColumn().toList();
    }

    @Test
    void testDisabled()
    {
        assertRowsRead("k", ImmutableMap.of("dynamic_filtering_enabled", "false"), 20_000 + 3);
    }

    @Test
    void testLimitIsNotFiltered()
    {
        // The filter belongs after the limit, so the limited rows must be the same with and without it.
        assertThat(trino.execute("SELECT count(*) FROM (SELECT k FROM big LIMIT 20000) b JOIN few ON b.k = few.x").getOnlyValue()).isEqualTo(3L);
        assertThat(trino.execute("SELECT count(*) FROM (SELECT k FROM big ORDER BY k LIMIT 10) b JOIN few ON b.k = few.x").getOnlyValue()).isEqualTo(2L);
    }

    /**
     * The values of a long dynamic filter are widened to the range they span, numbers, or left to Trino, text. A filter that Trino has
     * handed over must stay as it is. Both sides of the join have types of their own, so that Trino cannot apply that one to the joined table too.
     */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            i;  DECIMAL(12, 0);  p.i <> 5;         1
            d;  DECIMAL(12, 2);  p.d <> 5;         1
            t;  VARCHAR(30);     p.t > 't2';       2
            """)
    void testLongFilterBesideAnotherOne(String column, String widerType, String filter, long readOfProbed)
    {
        Session session = session(ImmutableMap.of("dynamic_filtering_wait_timeout", "1m", "domain_compaction_threshold", "256"));
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT id FROM probed p JOIN probing q ON CAST(p.%1$s AS %2$s) = q.%1$s WHERE %3$s".formatted(column, widerType, filter));
        assertThat(result.result().getOnlyColumn().toList()).containsExactly(2);
        assertThat(trino.count(result.queryId(), ROWS_READ)).isEqualTo(399 + readOfProbed);
    }

    private Session session(ImmutableMap<String, String> properties)
    {
        return Session.builder(trino.session(properties))
                .setSystemProperty("join_reordering_strategy", "NONE")
                .setSystemProperty("join_distribution_type", "BROADCAST")
                .build();
    }

    private void assertRowsRead(String column, ImmutableMap<String, String> properties, long rows)
    {
        Session session = session(properties);
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT sum(big.v) FROM big JOIN few ON big.%s = few.x".formatted(column));
        assertThat(result.result().getOnlyValue()).isEqualTo(3L);
        assertThat(trino.count(result.queryId(), ROWS_READ)).isEqualTo(rows);
    }
}
