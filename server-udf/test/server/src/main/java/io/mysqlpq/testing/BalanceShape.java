package io.mysqlpq.testing;

import java.util.List;

/**
 * Describes a table of a million rows that is hard to cut evenly.
 *
 * @param columns columns and key of the table
 * @param options what follows them in CREATE TABLE
 * @param values the values of row n, in order
 * @param position the key's first column as a number, by which a client without the extension would cut
 * @param bytes the size of a row
 * @param index what the extension cuts
 */
public record BalanceShape(String title, String columns, String options, String values, String position, String bytes, String index)
{
    public static final int ROWS = 1_000_000;

    public static List<BalanceShape> all()
    {
        return List.of(
                // Nine tenths lie dense at zero, the others anywhere in 63 bits.
                new BalanceShape("skewed BIGINT", "k BIGINT PRIMARY KEY", "", "IF(n <= 900000, n, (n - 900000) * 90000000000000)", "k", "8", "PRIMARY"),
                new BalanceShape(
                        "random VARCHAR",
                        "k VARCHAR(40) PRIMARY KEY",
                        "",
                        "LEFT(SHA2(n, 256), 8 + n % 24)",
                        "CAST(CONV(HEX(LEFT(k, 6)), 16, 10) AS DOUBLE)",
                        "LENGTH(k)",
                        "PRIMARY"),
                // One of a hundred tenants has four fifths of the rows.
                new BalanceShape(
                        "composite tenant key",
                        "tenant INT, ts BIGINT, seq INT, PRIMARY KEY (tenant, ts DESC, seq)",
                        "",
                        "IF(n % 5 < 4, 7, n % 100), FLOOR(RAND(2) * 100000000), n",
                        "tenant",
                        "16",
                        "PRIMARY"),
                // Ten years in which the load grew with the square of the time.
                new BalanceShape(
                        "time-ordered DATETIME",
                        "ts DATETIME, id INT, PRIMARY KEY (ts, id)",
                        "",
                        "TIMESTAMP'2016-01-01 00:00:00' + INTERVAL FLOOR(315360000 * POW(n / 1000000, 1/3)) SECOND, n",
                        "TO_SECONDS(ts)",
                        "9",
                        "PRIMARY"),
                // The newest tenth is thirty times as wide as the others.
                new BalanceShape(
                        "wide and narrow rows mixed",
                        "k INT PRIMARY KEY, payload VARCHAR(1000)",
                        "",
                        "n, REPEAT('x', IF(n > 900000, 900, 30))",
                        "k",
                        "4 + LENGTH(payload)",
                        "PRIMARY"),
                new BalanceShape(
                        "partitioned",
                        "k INT PRIMARY KEY",
                        """
                        PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (1000), PARTITION p1 VALUES LESS THAN (20000), PARTITION p2 VALUES LESS THAN (600000),
                        PARTITION p3 VALUES LESS THAN (2000000), PARTITION p4 VALUES LESS THAN MAXVALUE)""",
                        "IF(n <= 900000, n, 900000 + (n - 900000) * 20000)",
                        "k",
                        "4",
                        "PRIMARY"));
    }

    /** Statements that make the table balance.t and fill it. */
    public List<String> creation()
    {
        return List.of(
                "SET cte_max_recursion_depth = " + ROWS,
                "DROP SCHEMA IF EXISTS balance",
                "CREATE SCHEMA balance",
                "CREATE TABLE balance.t (%s) %s".formatted(columns, options),
                "INSERT INTO balance.t WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT %s FROM s".formatted(ROWS, values),
                "ANALYZE TABLE balance.t");
    }
}
