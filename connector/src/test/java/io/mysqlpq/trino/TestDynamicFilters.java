package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static io.mysqlpq.trino.metrics.ReadMetrics.ROWS_READ;
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
                "CREATE DATABASE test",
                "SET SESSION cte_max_recursion_depth = 1000000",
                "CREATE TABLE test.big (k BIGINT PRIMARY KEY, j INT NOT NULL, v INT NOT NULL)",
                "INSERT INTO test.big WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n, 1 FROM s",
                "CREATE TABLE test.few (x BIGINT PRIMARY KEY)",
                "INSERT INTO test.few VALUES (7), (8), (15000)",
                "ANALYZE TABLE test.big, test.few");
        trino = new TestingTrino(mysql, ImmutableMap.of(
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

    private void assertRowsRead(String column, ImmutableMap<String, String> properties, long rows)
    {
        Session session = Session.builder(trino.session(properties))
                .setSystemProperty("join_reordering_strategy", "NONE")
                .setSystemProperty("join_distribution_type", "BROADCAST")
                .build();
        MaterializedResultWithPlan result = trino.executeWithPlan(session, "SELECT sum(big.v) FROM big JOIN few ON big.%s = few.x".formatted(column));
        assertThat(result.result().getOnlyValue()).isEqualTo(3L);
        assertThat(trino.count(result.queryId(), ROWS_READ)).isEqualTo(rows);
    }
}
