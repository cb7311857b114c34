package io.mysqlpq.trino;

import com.google.common.collect.ImmutableMap;
import io.mysqlpq.testing.Await;
import io.mysqlpq.testing.MysqlServer;
import io.trino.testing.MaterializedRow;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/** Compares estimates from a sample with counts of all rows. */
@TestInstance(PER_CLASS)
class TestSampledStatistics
{
    private static final int ROWS = 40_000;
    private static final int DISTINCT_VALUES = 2;
    private static final int NULL_FRACTION = 3;
    private static final List<String> COLUMNS = List.of("three", "hundred", "half null", "%s`d", "flag", "amount", "day", "kind", "member");

    private MysqlServer mysql;
    private TestingTrino trino;

    @BeforeAll
    void start()
            throws Exception
    {
        mysql = MysqlServer.builder().extension(true).option("cte-max-recursion-depth", "100000").start();
        mysql.execute("CREATE DATABASE test");
        create("plain", "PRIMARY KEY (k, l DESC)");
        trino = TestingTrino.oneNode(mysql, ImmutableMap.of());
    }

    private void create(String table, String key)
    {
        create(table, key, "");
    }

    private void create(String table, String key, String options)
    {
        mysql.execute(
                """
                CREATE TABLE test.%s (k VARCHAR(20) NOT NULL, l INT NOT NULL, three INT, hundred BIGINT, `half null` VARCHAR(300), `%%s``d` VARCHAR(10), flag BIT(1), amount DECIMAL(12, 2), day DATE,
                    kind CHAR(3), member ENUM ('a', 'b', 'c'), x TEXT, j JSON, y BLOB, %s) %s""".formatted(table, key, options),
                """
                INSERT INTO test.%s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s)
                    SELECT LEFT(SHA2(i, 224), 20), i, i %% 3, i %% 100, IF(i %% 2 = 0, NULL, i %% 20), i %% 4, i %% 2, i %% 50 / 4, DATE'2024-01-01' + INTERVAL i %% 30 DAY, i %% 5, 1 + i %% 3, i, '{}', i FROM s""".formatted(table, ROWS),
                "ANALYZE TABLE test." + table);
    }

    @AfterAll
    void stop()
    {
        trino.close();
        mysql.close();
    }

    private void assertEstimated(String table)
    {
        for (String column : COLUMNS) {
            String quoted = "\"" + column + "\"";
            MaterializedRow counts = trino.execute("SELECT CAST(count(DISTINCT %s) AS double), 1 - CAST(count(%1$s) AS double) / count(*) FROM %s".formatted(quoted, table)).getMaterializedRows().getFirst();
            assertThat(statistic(table, column, DISTINCT_VALUES)).as(column).isCloseTo((Double) counts.getField(0), withinPercentage(5));
            assertThat(statistic(table, column, NULL_FRACTION)).as(column).isCloseTo((Double) counts.getField(1), within(0.1));
        }
        // Almost as many as rows.
        assertThat(statistic(table, "l", DISTINCT_VALUES)).isBetween(ROWS / 3.0, ROWS * 1.5);
        for (String column : List.of("x", "j", "y")) {
            assertThat(statistic(table, column, DISTINCT_VALUES)).as(column).isNull();
        }
    }

    @Test
    void testColumns()
    {
        assertEstimated("plain");
    }

    @Test
    void testUniqueKeyInsteadOfPrimary()
    {
        create("alternative", "UNIQUE KEY (k, l)");
        assertEstimated("alternative");
    }

    @Test
    void testPartitions()
    {
        create("parts", "PRIMARY KEY (k, l)", "PARTITION BY KEY (k) PARTITIONS 7");
        assertEstimated("parts");
    }

    @Test
    void testKeylessTable()
    {
        create("keyless", "KEY (three)");
        assertThat(statistic("keyless", "hundred", DISTINCT_VALUES)).isNull();
        assertThat(statistic("keyless", "three", DISTINCT_VALUES)).isBetween(1.0, 5.0);
    }

    @Test
    void testEmptyTable()
    {
        mysql.execute("CREATE TABLE test.empty (k INT PRIMARY KEY, v INT)");
        assertThat(statistic("empty", "v", DISTINCT_VALUES)).isIn(null, 0.0);
    }

    // Who may not read the key gets no ranges of it.
    @Test
    void testRights()
            throws Exception
    {
        create("secret", "PRIMARY KEY (k, l)");
        mysql.execute("CREATE USER reader IDENTIFIED BY 'reader'", "GRANT SELECT (three, hundred) ON test.secret TO reader", "GRANT SELECT ON test.plain TO reader");
        try (TestingTrino restricted = TestingTrino.oneNode(mysql, "reader", ImmutableMap.of("connection-password", "reader"))) {
            assertThat(statistic(restricted, "secret", "hundred", DISTINCT_VALUES)).isNull();
            assertThat(statistic(restricted, "plain", "hundred", DISTINCT_VALUES)).isCloseTo(100.0, withinPercentage(5));
        }
    }

    // Statistics are worth no wait for a lock: only one query waits, and not for long.
    @Test
    void testLockedTable()
            throws Exception
    {
        create("locked", "PRIMARY KEY (k, l)");
        try (TestingTrino other = TestingTrino.oneNode(mysql, ImmutableMap.of("statistics.sample-ttl", "1s"));
                Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLES test.locked WRITE");
            assertThat(statistic("locked", "hundred", DISTINCT_VALUES)).isNull();
            assertThat(statistic(other, "locked", "hundred", DISTINCT_VALUES)).isNull();
            statement.execute("UNLOCK TABLES");
            assertThat(statistic("locked", "hundred", DISTINCT_VALUES)).as("for some time").isNull();
            Await.until("the table is sampled again", () -> statistic(other, "locked", "hundred", DISTINCT_VALUES) != null);
            assertThat(statistic(other, "locked", "hundred", DISTINCT_VALUES)).isCloseTo(100.0, withinPercentage(5));
        }
    }

    /** The first rows of an index that holds the columns are alike. */
    @Test
    void testPartitionsWithCoveringIndex()
    {
        mysql.execute(
                "CREATE TABLE test.orders (n INT PRIMARY KEY, status INT NOT NULL, note INT, KEY (status, note)) PARTITION BY KEY (n) PARTITIONS 3",
                "INSERT INTO test.orders WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i, i %% 10, IF(i %% 10 = 0, NULL, i %% 7) FROM s".formatted(ROWS),
                "ANALYZE TABLE test.orders");
        assertThat(statistic("orders", "note", NULL_FRACTION)).isCloseTo(0.1, within(0.05));
        assertThat(statistic("orders", "note", DISTINCT_VALUES)).isEqualTo(7);
    }

    @Test
    void testFewSampledRows()
            throws Exception
    {
        try (TestingTrino few = TestingTrino.oneNode(mysql, ImmutableMap.of("statistics.sampled-rows", "3"))) {
            assertThat(statistic(few, "plain", "flag", DISTINCT_VALUES)).isNotNull();
        }
    }

    @Test
    void testTurnedOff()
            throws Exception
    {
        try (TestingTrino without = TestingTrino.oneNode(mysql, ImmutableMap.of("statistics.sampled-rows", "0"))) {
            assertThat(statistic(without, "plain", "hundred", DISTINCT_VALUES)).isNull();
        }
    }

    private Double statistic(String table, String column, int statistic)
    {
        return statistic(trino, table, column, statistic);
    }

    private static Double statistic(TestingTrino trino, String table, String column, int statistic)
    {
        return (Double) trino.execute("SHOW STATS FOR " + table).getMaterializedRows().stream()
                .filter(row -> Objects.equals(row.getField(0), column))
                .collect(onlyElement())
                .getField(statistic);
    }
}
