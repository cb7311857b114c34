package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.QueryRunner.MaterializedResultWithPlan;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import static io.trino.testing.QueryAssertions.assertEqualsIgnoreOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Reads a table of some 50 MB with a buffer pool of 16 MB. Each row of another place is then a page from disk. */
@TestInstance(PER_CLASS)
class TestTablesLargerThanMemory
{
    private static final int ROWS = 120_000;

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "1000000").option("innodb-buffer-pool-size", "16M").start();
        mysql.execute(
                "CREATE DATABASE test",
                // Rows of one hash are spread over the whole table, and those of one moment are neighbours.
                """
                CREATE TABLE test.events (
                    id BIGINT PRIMARY KEY, hash INT NOT NULL, moment INT NOT NULL, earlier INT NOT NULL, body VARCHAR(400) NOT NULL,
                    KEY by_hash (hash), KEY by_moment (moment), KEY by_earlier (earlier))""",
                """
                INSERT INTO test.events
                WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s)
                SELECT n, CONV(LEFT(SHA2(n, 256), 6), 16, 10) %% 100000, n DIV 4, -n, REPEAT('x', 400) FROM s""".formatted(ROWS),
                "ANALYZE TABLE test.events");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of("target-rows-per-split", "1000", "aggregation-pushdown.enabled", "false"));
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.assertErrorLogClean();
        mysql.close();
    }

    // By the index, some 6,000 pages would be read for as many rows. The table has some 3,500.
    @Test
    void testRowsAnywhereAreReadWithTheTable()
    {
        String sql = "SELECT id, body FROM events WHERE hash < 5000";
        assertThat(indexOfMysql(sql)).isEqualTo("by_hash");
        assertThat(readBy(sql)).contains("ranges of index PRIMARY from EXTENSION, natively");
        assertSame(sql);
    }

    @Test
    void testFewRowsAreLookedUp()
    {
        String sql = "SELECT id, body FROM events WHERE hash < 2000";
        assertThat(readBy(sql)).contains("ranges of index by_hash");
        assertSame(sql);
    }

    // As many rows as above, on a twentieth of the pages.
    @Test
    void testNeighboursAreLookedUp()
    {
        for (String filter : new String[] {"moment BETWEEN 3000 AND 4500", "earlier BETWEEN -18000 AND -12000"}) {
            String sql = "SELECT id, body FROM events WHERE " + filter;
            assertThat(readBy(sql)).contains("ranges of index by_");
            assertSame(sql);
        }
    }

    private String indexOfMysql(String sql)
    {
        return mysql.values("EXPLAIN FORMAT = TREE " + sql.replace("events", "test.events")).getFirst().replaceAll("(?s).* using (\\w+) .*", "$1");
    }

    private String readBy(String sql)
    {
        return trino.execute("EXPLAIN " + sql).getOnlyValue().toString();
    }

    private void assertSame(String sql)
    {
        MaterializedResultWithPlan result = trino.executeWithPlan(trino.session(ImmutableMap.of()), sql);
        assertThat(result.result().getRowCount()).isPositive();
        assertEqualsIgnoreOrder(result.result().getMaterializedRows(), trino.execute(trino.session(ImmutableMap.of("parallel_reads_enabled", "false")), sql).getMaterializedRows());
    }
}
