package io.mysqlpq.trino.planning.sql;

import com.google.common.base.Ticker;
import io.airlift.units.Duration;
import io.mysqlpq.testing.MysqlServer;
import io.mysqlpq.trino.key.IntegerKeyValue;
import io.mysqlpq.trino.key.KeyBound;
import io.mysqlpq.trino.key.KeyRange;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

import static java.util.Collections.max;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Holds planning by SQL to its limits, and to ranges that are even. */
@TestInstance(PER_CLASS)
class TestSqlRanges
{
    private static final int ROWS = 200_000;
    private static final int RANGES = 32;
    // A plan reads keys, a few hundred a statement, and never a part of the table.
    private static final int MOST_ROWS_READ = 10_000;

    @AutoClose
    private final MysqlServer mysql = MysqlServer.builder().option("cte-max-recursion-depth", "1000000").start();

    @BeforeEach
    void createSchema()
    {
        mysql.execute("DROP SCHEMA IF EXISTS laws", "CREATE SCHEMA laws");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            // Nine tenths lie dense at zero, the others anywhere in 63 bits.
            "k BIGINT PRIMARY KEY | IF(n <= 180000, n, (n - 180000) * 450000000000000)",
            "k BIGINT UNSIGNED, PRIMARY KEY (k DESC) | 18446744073709551615 - n * n",
            "k VARCHAR(40) PRIMARY KEY | LEFT(SHA2(n, 256), 8 + n % 24)",
            "k VARCHAR(200) PRIMARY KEY | CONCAT('https://www.example.com/', IF(n % 10 = 0, SHA2(n, 256), CONCAT('accounts/2026/Order-', n)))",
            "k VARBINARY(40) PRIMARY KEY | UNHEX(LEFT(SHA2(n, 256), 16 + n % 24))",
            // One of a hundred tenants has four fifths of the rows.
            "tenant INT, ts BIGINT, seq INT, PRIMARY KEY (tenant, ts, seq) | IF(n % 5 < 4, 7, n % 100), FLOOR(RAND(2) * 100000000), n",
            "tenant INT, ts BIGINT, seq INT, PRIMARY KEY (tenant, ts DESC, seq) | IF(n % 5 < 4, 7, n % 100), FLOOR(RAND(2) * 100000000), n",
            "ts DATETIME, id INT, PRIMARY KEY (ts, id) | TIMESTAMP'2016-01-01 00:00:00' + INTERVAL FLOOR(315360000 * POW(n / 200000, 1/3)) SECOND, n",
            "one CHAR(3), n INT, PRIMARY KEY (one, n) | 'all', n",
    })
    void testEvenRangesAtBoundedCost(String columns, String values)
            throws Exception
    {
        fill(columns, values, ROWS);
        try (PlannedTable table = new PlannedTable(mysql)) {
            long statements = table.statements();
            long rowsRead = table.rowsRead();
            SqlPlan plan = table.plan(1, RANGES).orElseThrow();
            // The dictionary is read beside.
            long taken = table.statements() - statements;
            assertThat(taken).isBetween(5L, PlannedTable.CONFIG.getSqlPlanningMaxStatements() + 1L);
            assertThat(table.rowsRead() - rowsRead).isBetween((long) RANGES, (long) MOST_ROWS_READ);
            List<Long> rows = table.rowsPerRange(plan);
            System.out.printf("%s: %s ranges, largest %s of mean %s, %s statements%n", columns, rows.size(), max(rows), ROWS / RANGES, taken);
            assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
            assertThat(max(rows)).isLessThan(ROWS * 2 / RANGES);
        }
    }

    /** MySQL sorts what probes find: of whole weights, however long, and of prefixes only what the index holds. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "k VARCHAR(768) COLLATE utf8mb4_general_ci PRIMARY KEY | CONCAT(REPEAT('x', 700), LPAD(n, 10, '0'))",
            "k VARCHAR(768) COLLATE utf8mb4_unicode_ci PRIMARY KEY | CONCAT(REPEAT('ß', 700), LPAD(n, 10, '0'))",
            "k VARCHAR(768) COLLATE utf8mb4_0900_as_cs PRIMARY KEY | CONCAT(REPEAT('ﷺ', 750), LPAD(n, 10, '0'))",
            "b BLOB, n INT, PRIMARY KEY (b (3), n) | CONCAT(UNHEX(LPAD(HEX(n), 6, '0')), REPEAT(X'00FF', 12000)), n",
    })
    void testLongKeys(String columns, String values)
            throws Exception
    {
        fill(columns, values, 2_000);
        try (PlannedTable table = new PlannedTable(mysql)) {
            List<Long> rows = table.rowsPerRange(table.plan(1, RANGES).orElseThrow());
            assertThat(rows).hasSize(RANGES);
            assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(2_000);
        }
    }

    @Test
    void testSmallTables()
            throws Exception
    {
        mysql.execute("CREATE TABLE laws.t (k INT PRIMARY KEY)", "ANALYZE TABLE laws.t");
        try (PlannedTable table = new PlannedTable(mysql)) {
            assertThat(table.plan(1, RANGES).orElseThrow().ranges()).hasSize(1);
            mysql.execute("INSERT INTO laws.t VALUES (5)", "ANALYZE TABLE laws.t");
            assertThat(table.plan(1, RANGES).orElseThrow().ranges()).hasSize(1);
            mysql.execute("INSERT INTO laws.t VALUES (6), (7)", "ANALYZE TABLE laws.t");
            assertThat(table.rowsPerRange(table.plan(1, RANGES).orElseThrow())).containsExactly(1L, 1L, 1L);
            assertThat(table.rowsPerRange(table.plan(3, RANGES).orElseThrow())).containsExactly(3L);
        }
    }

    @Test
    void testFewStatements()
            throws Exception
    {
        fill("k VARCHAR(40) PRIMARY KEY", "LEFT(SHA2(n, 256), 8 + n % 24)", ROWS);
        for (int most : new int[] {10, 13}) {
            try (PlannedTable table = new PlannedTable(mysql, new SqlRangesConfig().setSqlPlanningMaxStatements(most).setSqlPlanningTimeLimit(new Duration(1, MINUTES)).setSqlRangesTtl(new Duration(0, SECONDS)), Ticker.systemTicker())) {
                long before = table.statements();
                SqlPlan plan = table.plan(1, RANGES).orElseThrow();
                assertThat(table.statements() - before).isLessThanOrEqualTo(most + 1L);
                assertThat(plan.ranges()).hasSizeGreaterThan(1);
                assertThat(table.rowsPerRange(plan).stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
            }
        }
    }

    @Test
    void testTimeLimit()
            throws Exception
    {
        fill("k INT PRIMARY KEY", "n", ROWS);
        AtomicLong seconds = new AtomicLong();
        // Each look at the clock takes a second.
        Ticker slow = new Ticker() {
            @Override
            public long read()
            {
                return SECONDS.toNanos(seconds.incrementAndGet());
            }
        };
        try (PlannedTable table = new PlannedTable(mysql, new SqlRangesConfig().setSqlPlanningMaxStatements(64).setSqlPlanningTimeLimit(new Duration(8, SECONDS)).setSqlRangesTtl(new Duration(0, SECONDS)), slow)) {
            long before = table.statements();
            SqlPlan plan = table.plan(1, 4096).orElseThrow();
            assertThat(table.statements() - before).isLessThan(20);
            assertThat(table.rowsPerRange(plan).stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
        }
    }

    @Test
    void testKeptPlans()
            throws Exception
    {
        fill("k INT PRIMARY KEY", "n", ROWS);
        AtomicLong minutes = new AtomicLong();
        Ticker clock = new Ticker() {
            @Override
            public long read()
            {
                return MINUTES.toNanos(minutes.get());
            }
        };
        try (PlannedTable table = new PlannedTable(mysql, new SqlRangesConfig().setSqlPlanningMaxStatements(64).setSqlPlanningTimeLimit(new Duration(1, MINUTES)).setSqlRangesTtl(new Duration(10, MINUTES)), clock)) {
            SqlPlan first = table.plan(1, RANGES).orElseThrow();
            long before = table.statements();
            minutes.set(9);
            assertThat(table.plan(1, RANGES).orElseThrow()).isSameAs(first);
            // The dictionary says whether the table is still the same.
            assertThat(table.statements() - before).isEqualTo(1);
            assertThat(table.plan(1, RANGES / 2).orElseThrow()).as("another question").isNotEqualTo(first);
            minutes.set(10);
            assertThat(table.plan(1, RANGES).orElseThrow()).as("too old").isNotSameAs(first);
            mysql.execute("ALTER TABLE laws.t MODIFY k BIGINT");
            assertThat(table.plan(1, RANGES).orElseThrow().definition()).isNotEqualTo(first.definition());
        }
    }

    @Test
    void testEndsOfMixedDirections()
            throws Exception
    {
        // A descending part behind an ascending one, with few values of each before the last.
        fill("a TINYINT, b TINYINT, c INT, PRIMARY KEY (a, b DESC, c DESC)", "n % 2, n % 3, n", ROWS);
        try (PlannedTable table = new PlannedTable(mysql)) {
            long rowsRead = table.rowsRead();
            SqlPlan plan = table.plan(1, RANGES).orElseThrow();
            assertThat(table.rowsRead() - rowsRead).isLessThan(MOST_ROWS_READ);
            List<Long> rows = table.rowsPerRange(plan);
            assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
            assertThat(max(rows)).isLessThan(ROWS * 2 / RANGES);
        }
    }

    @ParameterizedTest
    @CsvSource({"ASC, ASC", "DESC, DESC", "ASC, DESC", "DESC, ASC"})
    void testPartOfTheKey(String first, String second)
            throws Exception
    {
        fill("a INT, b INT, PRIMARY KEY (a %s, b %s)".formatted(first, second), "FLOOR(n / 1000), n", ROWS);
        KeyBound low = KeyBound.of(new IntegerKeyValue("50"));
        KeyBound high = KeyBound.of(new IntegerKeyValue("100"));
        KeyRange part = first.equals("ASC") ? new KeyRange(Optional.of(low), Optional.of(high)) : new KeyRange(Optional.of(high), Optional.of(low));
        try (PlannedTable table = new PlannedTable(mysql)) {
            long rowsRead = table.rowsRead();
            SqlPlan plan = table.plan(part, 1, RANGES).orElseThrow();
            assertThat(table.rowsRead() - rowsRead).isLessThan(MOST_ROWS_READ);
            List<Long> rows = table.rowsPerRange(plan);
            assertThat(rows).hasSizeGreaterThan(RANGES / 2);
            assertThat(rows.stream().mapToLong(Long::longValue).sum()).isEqualTo(ROWS);
            // The rows outside belong to the first and the last range.
            assertThat(max(rows.subList(1, rows.size() - 1))).isLessThan(50_000 * 2 / RANGES);
        }
    }

    private void fill(String columns, String values, int rows)
    {
        mysql.execute(
                "CREATE TABLE laws.t (%s)".formatted(columns),
                "INSERT INTO laws.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT %s FROM s".formatted(rows, values),
                "ANALYZE TABLE laws.t");
    }
}
