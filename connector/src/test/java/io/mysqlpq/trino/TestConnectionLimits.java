package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs joins whose sides compete for one permit. */
class TestConnectionLimits
{
    @Test
    @Timeout(180)
    void testJoinsFinishWithOnePermit()
            throws Exception
    {
        try (MysqlServer mysql = MysqlServer.builder().extension(true).start()) {
            mysql.execute(
                    "CREATE DATABASE test",
                    "SET SESSION cte_max_recursion_depth = 1000000",
                    "CREATE TABLE test.numbers (n BIGINT PRIMARY KEY, filler VARCHAR(500) NOT NULL)",
                    "INSERT INTO test.numbers WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 30000) SELECT n, REPEAT('x', 500) FROM s");
            try (TestingTrino trino = new TestingTrino(mysql, ImmutableMap.of(
                    "range-source", "EXTENSION",
                    "target-rows-per-split", "1000",
                    "max-connections-per-node", "1"))) {
                assertThat(trino.execute("SELECT count(*), sum(length(a.filler)) FROM numbers a JOIN numbers b ON a.n = b.n JOIN numbers c ON b.n = c.n").getMaterializedRows().getFirst().getFields())
                        .containsExactly(30_000L, 15_000_000L);
                assertThat(trino.execute("SELECT count(*) FROM (SELECT n FROM numbers UNION SELECT n FROM numbers UNION ALL SELECT n FROM numbers)").getOnlyValue())
                        .isEqualTo(60_000L);
            }
        }
    }
}
