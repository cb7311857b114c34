package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Sets parallelism for one statement, as hints do it elsewhere. */
@TestInstance(PER_CLASS)
class TestSettingsOfAStatement
{
    private static final String SCAN = "SELECT v FROM t WHERE v % 2 = 0";

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").start();
        mysql.execute(
                "CREATE DATABASE test",
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, v INT)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n FROM s",
                "ANALYZE TABLE test.t");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "500"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void testMostRanges(int ranges)
    {
        assertThat(splits("WITH SESSION mysql_pq.max_ranges_per_scan = %s %s".formatted(ranges, SCAN))).isEqualTo(ranges);
    }

    @Test
    void testOtherSettings()
    {
        assertThat(splits("WITH SESSION mysql_pq.target_rows_per_split = 5000 " + SCAN)).isBetween(3L, 6L);
        assertThat(splits("WITH SESSION mysql_pq.parallel_reads_enabled = false " + SCAN)).isEqualTo(1);
        assertThat(splits("WITH SESSION mysql_pq.range_source = 'SQL', mysql_pq.snapshot_mode = 'NONE', mysql_pq.max_ranges_per_scan = 4 " + SCAN)).isBetween(2L, 4L);
        assertThatThrownBy(() -> trino.execute("WITH SESSION mysql_pq.max_ranges_per_scan = 0 " + SCAN)).hasMessageContaining("max_ranges_per_scan");
    }

    @Test
    void testNextStatementHasTheSessionsSettings()
    {
        long before = splits(SCAN);
        assertThat(splits("WITH SESSION mysql_pq.max_ranges_per_scan = 2 " + SCAN)).isEqualTo(2);
        assertThat(splits(SCAN)).isEqualTo(before).isGreaterThan(10);
    }

    private long splits(String sql)
    {
        var result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql);
        assertThat(result.result().getRowCount()).isEqualTo(10_000);
        return trino.count(result.queryId(), "splitsRead");
    }
}
