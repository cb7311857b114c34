package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.List;

import static java.util.Collections.max;
import static java.util.Collections.min;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

@TestInstance(PER_CLASS)
class TestBalance
{
    private static final int ROWS = 1_000_000;
    private static final int RANGES = 64;

    @AutoClose
    private final MysqlServer server = MysqlServer.builder().extension(true).option("innodb-buffer-pool-size", "512M").start();

    @AfterAll
    void assertErrorLogClean()
    {
        server.assertErrorLogClean();
    }

    @Test
    void testSkewedBigint()
    {
        // Nine tenths lie dense at zero, the others anywhere in 63 bits.
        assertBalanced("k BIGINT PRIMARY KEY", "IF(n <= 900000, n, (n - 900000) * 90000000000000)");
    }

    @Test
    void testRandomVarchar()
    {
        assertBalanced("k VARCHAR(40) PRIMARY KEY", "LEFT(SHA2(n, 256), 8 + n % 24)");
    }

    @Test
    void testCompositeWithOneLargeTenant()
    {
        assertBalanced(
                "tenant INT, ts BIGINT, seq INT, PRIMARY KEY (tenant, ts DESC, seq)",
                "IF(n % 5 < 4, 7, n % 100), FLOOR(RAND(2) * 100000000), n");
    }

    private void assertBalanced(String columns, String values)
    {
        try (Session session = new Session(server)) {
            session.execute(
                    "SET cte_max_recursion_depth = " + ROWS,
                    "DROP SCHEMA IF EXISTS balance",
                    "CREATE SCHEMA balance",
                    "CREATE TABLE balance.t (%s)".formatted(columns),
                    "INSERT INTO balance.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT %s FROM s".formatted(ROWS, values));
            RangePlan plan = RangePlan.ask(session, "balance.t", "PRIMARY", RANGES);
            RangeLaw law = new RangeLaw(session, "balance.t", plan);
            List<Long> rows = law.rowsPerRange();
            System.out.printf("%s: rows per range min %s max %s of mean %s, pages read %s%n",
                    columns, min(rows), max(rows), ROWS / RANGES, plan.reply().required("pages_read"));
            assertThat(rows).hasSize(RANGES);
            assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
            assertThat(max(rows)).isLessThanOrEqualTo(ROWS * 3 / 2 / RANGES);
            assertEstimates(plan, rows);
        }
    }

    // Estimates come from few pages and from statistics; a factor of three is enough to size splits.
    private static void assertEstimates(RangePlan plan, List<Long> rows)
    {
        assertThat(plan.rows().stream().mapToLong(Long::longValue).sum()).isBetween(ROWS / 2L, ROWS * 2L);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(plan.rows().get(i)).isBetween(rows.get(i) / 3, rows.get(i) * 3 + 1);
        }
        assertThat(plan.reply().required("pages_read").intValue()).isLessThan(1_000);
    }
}
