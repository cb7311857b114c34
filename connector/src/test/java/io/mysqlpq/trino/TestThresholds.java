package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.Session;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static io.mysqlpq.trino.metrics.ReadMetrics.SPLITS_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Says from which size on, and how far, a query is read in parallel. */
@TestInstance(PER_CLASS)
class TestThresholds
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
                "CREATE TABLE test.t (k BIGINT PRIMARY KEY, filler VARCHAR(500) NOT NULL)",
                "INSERT INTO test.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 60000) SELECT n, REPEAT('x', 500) FROM s",
                "CREATE TABLE test.parts LIKE test.t",
                "ALTER TABLE test.parts PARTITION BY HASH (k) PARTITIONS 3",
                "INSERT INTO test.parts SELECT * FROM test.t",
                "ANALYZE TABLE test.t, test.parts");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "2000", "native-aggregation-enabled", "false"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"EXTENSION", "SQL"})
    void testLeastRows(String source)
    {
        Map<String, String> properties = ImmutableMap.of("range_source", source, "snapshot_mode", source.equals("SQL") ? "NONE" : "AUTO");
        for (String table : source.equals("SQL") ? new String[] {"t"} : new String[] {"t", "parts"}) {
            String all = "SELECT count(*) FROM %s WHERE length(filler) > 3".formatted(table);
            assertThat(splits(properties, 0, all, 60_000)).isGreaterThan(10);
            assertThat(splits(properties, 30_000, all, 60_000)).isGreaterThan(10);
            assertThat(splits(properties, 1_000_000, all, 60_000)).isEqualTo(1);
        }
        // What a filter on the index leaves.
        String some = "SELECT count(*) FROM t WHERE k <= 20000 AND length(filler) > 3";
        assertThat(splits(properties, 5_000, some, 20_000)).isGreaterThan(5);
        assertThat(splits(properties, 40_000, some, 20_000)).isEqualTo(1);
    }

    private long splits(Map<String, String> properties, long minRows, String sql, long count)
    {
        Session session = trino.session(ImmutableMap.<String, String>builder().putAll(properties).put("parallel_min_rows", String.valueOf(minRows)).buildOrThrow());
        MaterializedResultWithPlan result = trino.executeWithPlan(session, sql);
        assertThat(result.result().getOnlyValue()).isEqualTo(count);
        return trino.count(result.queryId(), SPLITS_READ);
    }
}
