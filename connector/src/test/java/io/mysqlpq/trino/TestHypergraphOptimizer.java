package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import static io.mysqlpq.trino.metrics.PlanningMetrics.RANGES_PLANNED;
import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads ranges whose conditions MySQL no longer evaluates for each row. Which rows they give, {@code TestKeyCaseLaws} tests too. */
@TestInstance(PER_CLASS)
class TestHypergraphOptimizer
{
    private static final String HINT = "SELECT /*+ SET_VAR(optimizer_switch = 'hypergraph_optimizer=on') */";

    private static final String[] STALE_STATISTICS = {
            "UPDATE mysql.innodb_table_stats SET n_rows = 40, clustered_index_size = 1 WHERE table_name = 'stale'",
            "UPDATE mysql.innodb_index_stats SET stat_value = 1 WHERE table_name = 'stale'",
            "FLUSH TABLES test.stale"};

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
                "CREATE TABLE test.one (k BIGINT PRIMARY KEY, v INT, t VARCHAR(20))",
                "INSERT INTO test.one WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n % 1000, n % 7 FROM s",
                "CREATE TABLE test.two (a INT, b SMALLINT UNSIGNED, v INT, t VARCHAR(20), PRIMARY KEY (a, b))",
                "INSERT INTO test.two SELECT k DIV 5000, k % 5000, v, t FROM test.one",
                "CREATE TABLE test.secondary (k BIGINT PRIMARY KEY, v INT, t VARCHAR(20), KEY by_v (v))",
                "INSERT INTO test.secondary SELECT * FROM test.one",
                "CREATE TABLE test.text (k VARCHAR(20) PRIMARY KEY, v INT, t VARCHAR(20))",
                "INSERT INTO test.text SELECT k, v, t FROM test.one",
                "CREATE TABLE test.stale (k BIGINT PRIMARY KEY, v INT, t VARCHAR(20)) STATS_AUTO_RECALC = 0",
                "INSERT INTO test.stale SELECT * FROM test.one",
                STALE_STATISTICS[0],
                STALE_STATISTICS[1],
                STALE_STATISTICS[2],
                "ANALYZE TABLE test.one, test.two, test.secondary, test.text");
        trino = new TestingTrino(mysql, ImmutableMap.of("range-source", "EXTENSION", "target-rows-per-split", "1000"));
        trino.addMemory();
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "SELECT t, v FROM %s",
            "SELECT t, v FROM %s WHERE v < 300 AND t <> '3'",
            "SELECT v FROM %s WHERE t LIKE '1%%' OR v IS NULL",
            "SELECT count(*) FROM %s WHERE v + rand() > -1"})
    void testSameRows(String sql)
            throws SQLException
    {
        for (String table : List.of("one", "two", "text")) {
            trino.execute("CREATE TABLE IF NOT EXISTS memory.default.%1$s AS SELECT * FROM %1$s".formatted(table));
            MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql.formatted(table));
            assertThat(result.result().getMaterializedRows()).containsExactlyInAnyOrderElementsOf(trino.execute(sql.formatted("memory.default." + table)).getMaterializedRows());
            long splits = trino.count(result.queryId(), SPLITS_READ);
            assertThat(splits).isGreaterThan(5);
            List<String> hinted = hintedStatements(result.queryId().toString());
            assertThat(hinted).as(table).hasSize(table.equals("text") ? 0 : (int) splits);
            for (String statement : hinted) {
                String plan = query("EXPLAIN FORMAT = TREE " + statement).getFirst();
                assertThat(plan).as(statement).contains("Index range scan on " + table);
                assertThat(plan).as(statement).doesNotContain(".a ", ".k ");
                assertThat(plan.contains("Filter")).as(statement).isEqualTo(statement.contains("COLLATE"));
            }
        }
    }

    // It chooses by cost alone, and FORCE INDEX leaves it a scan of the whole index: N ranges would read the table N times.
    @Test
    void testNotWhereItWouldReadTheWholeIndex()
            throws SQLException
    {
        String range = HINT + " v FROM test.stale FORCE INDEX (`PRIMARY`) WHERE k BETWEEN 5000 AND 6000";
        assertThat(query("EXPLAIN FORMAT = TREE " + range).getFirst()).contains("Index scan on stale");
        assertThat(hintedRanges()).isEmpty();
        mysql.execute("ANALYZE TABLE test.stale");
        try {
            assertThat(query("EXPLAIN FORMAT = TREE " + range).getFirst()).contains("Index range scan on stale");
            assertThat(hintedRanges()).hasSizeGreaterThan(5);
        }
        finally {
            mysql.execute(STALE_STATISTICS);
        }
    }

    private List<String> hintedRanges()
            throws SQLException
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of("target_rows_per_split", "1", "max_ranges_per_scan", "16")), "SELECT k, v, t FROM stale");
        assertThat(trino.count(result.queryId(), RANGES_PLANNED)).isGreaterThan(5);
        return hintedStatements(result.queryId().toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT count(*), max(v) FROM one", "SELECT v, count(*) FROM one GROUP BY v"})
    void testNotOfAggregations(String sql)
            throws SQLException
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql);
        assertThat(statements("SELECT %%_partial_%%/*mysql_pq %s*/".formatted(result.queryId()))).hasSizeGreaterThan(5).noneMatch(statement -> statement.startsWith(HINT));
    }

    @Test
    void testNotOfASecondaryIndex()
            throws SQLException
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), "SELECT sum(v + k) FROM secondary");
        assertThat(trino.count(result.queryId(), SPLITS_READ)).isGreaterThan(5);
        assertThat(hintedStatements(result.queryId().toString())).isEmpty();
    }

    private List<String> hintedStatements(String query)
            throws SQLException
    {
        return statements("SELECT /*+%%/*mysql_pq %s*/".formatted(query)).stream().filter(sql -> sql.startsWith(HINT)).toList();
    }

    private List<String> statements(String pattern)
            throws SQLException
    {
        return query("SELECT sql_text FROM performance_schema.events_statements_history_long WHERE sql_text LIKE '%s'".formatted(pattern));
    }

    private List<String> query(String sql)
            throws SQLException
    {
        try (Connection connection = mysql.connect(); Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }
}
