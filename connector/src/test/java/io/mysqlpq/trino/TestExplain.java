package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads what users see of a plan. */
@TestInstance(PER_CLASS)
class TestExplain
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
                "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY, m INT)",
                "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 20000) SELECT n, n FROM s",
                "CREATE TABLE test.keyless (n BIGINT)");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of(
                "extension-probe-ttl", "0ms",
                "target-rows-per-split", "1000"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    @Test
    void testSourceAndIndex()
    {
        String ranges = "read=[ranges of index PRIMARY from EXTENSION, natively]";
        assertThat(explain("SELECT * FROM numbers")).contains(ranges);
        assertThat(explain("SELECT m FROM numbers WHERE n > 5 AND m = 3")).contains(ranges);
        assertThat(explain("SELECT n FROM numbers WHERE n = 5")).contains("read=[one split: point lookup]");
        assertThat(explain("SELECT n FROM numbers LIMIT 5")).contains("read=[one split: limit]");
        assertThat(explain("SELECT n FROM numbers ORDER BY n LIMIT 5")).contains("read=[one split: limit]");
        assertThat(explain("SELECT * FROM keyless")).contains("read=[ranges of row ids from EXTENSION, natively]");
        assertThat(explain("SELECT n FROM keyless WHERE n > 5")).contains("read=[ranges of row ids from EXTENSION, natively]");
    }

    @Test
    void testSession()
    {
        assertThat(trino.execute(trino.session(ImmutableMap.of("parallel_reads_enabled", "false")), "EXPLAIN SELECT * FROM numbers").getOnlyValue().toString())
                .contains("read=[one split: parallel reads off]");
        assertThat(trino.execute(trino.session(ImmutableMap.of("range_source", "NONE")), "EXPLAIN SELECT * FROM numbers").getOnlyValue().toString())
                .contains("read=[one split: range source none]");
        assertThat(trino.execute(trino.session(ImmutableMap.of("native_scan_enabled", "false")), "EXPLAIN SELECT * FROM keyless").getOnlyValue().toString())
                .contains("read=[one split: no primary key]");
    }

    @Test
    void testExplainAnalyzeVerbose()
    {
        assertThat(trino.execute(trino.session(ImmutableMap.of("native_aggregation_enabled", "false")), "EXPLAIN ANALYZE VERBOSE SELECT sum(m + 1) FROM numbers").getOnlyValue().toString())
                .contains("read=[ranges of index PRIMARY from EXTENSION, natively]")
                .contains("rowsRead", "{total=20000}")
                .contains("splitsRead", "bytesRead", "permitWaitTime", "openTime", "readTime", "rowsPerRange")
                .contains("rangesPlanned", "rangePlanningTime", "rangePlanningPagesRead", "scansByRangesOfIndex.PRIMARY");
    }

    private String explain(String sql)
    {
        return trino.execute("EXPLAIN " + sql).getOnlyValue().toString();
    }
}
