package io.mysqlpq.extension.stress;

import java.util.List;
import java.util.stream.Stream;

/**
 * Names the tables under stress and writes their DDL.
 */
final class StressTables
{
    // InnoDB numbers its rows itself.
    static final String KEYLESS = "keyless";

    static final List<String> WRITTEN = List.of("t0", "t1", "t2", KEYLESS);

    // Rows are inserted, but never updated or deleted: IMPORT TABLESPACE gives all rows the roll pointer 0, as of an
    // update, and MySQL 9.7.4 crashes when an UPDATE rolls back and follows it before purge has passed the import.
    static final String IMPORTED = "imported";

    static final List<String> CHANGING = Stream.concat(WRITTEN.stream(), Stream.of(IMPORTED)).toList();
    static final String ROWS = "WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) ";

    // Writers change its rows, but no DDL its definition, so that calls run against page splits without waiting.
    static final String CHURNED = "churned";

    private StressTables()
    {}

    static String createChanging(String name)
    {
        return "CREATE TABLE IF NOT EXISTS s.%s (k INT, n INT, v VARCHAR(50), x MEDIUMTEXT, %s (k), KEY i (n DESC, v))".formatted(name, name.equals(KEYLESS) ? "KEY" : "PRIMARY KEY");
    }

    static String clusteredIndex(String table)
    {
        return table.equals(KEYLESS) ? "GEN_CLUST_INDEX" : "PRIMARY";
    }

    static String fill(String name, int rows)
    {
        return "INSERT IGNORE INTO s.%s (k, n, v, x) %s SELECT FLOOR(RAND() * 100000), i %% 100, REPEAT('x', i %% 50), REPEAT(CHAR(97 + i %% 26), IF(i %% 20 = 0, 9000 + i, 3)) FROM s".formatted(name, ROWS.formatted(rows));
    }

    // Rows with stable = 1 are never touched, so that each plan can be checked against them.
    static String[] createStable()
    {
        return new String[] {
                "CREATE TABLE s.stable (k BIGINT, v VARCHAR(100), stable TINYINT, PRIMARY KEY (k), KEY i (v DESC))",
                "INSERT INTO s.stable %s SELECT i * 1000, LEFT(SHA2(i, 256), 32), 1 FROM s".formatted(ROWS.formatted(5_000))};
    }

    static String[] createPartitioned()
    {
        return new String[] {
                """
                CREATE TABLE s.parts (k INT, n INT, v VARCHAR(50), x MEDIUMTEXT, PRIMARY KEY (k), KEY i (n DESC, v))
                PARTITION BY RANGE (k) (PARTITION p0 VALUES LESS THAN (50000), PARTITION p1 VALUES LESS THAN MAXVALUE)""",
                "CREATE TABLE s.single (k INT, n INT, v VARCHAR(50), x MEDIUMTEXT, PRIMARY KEY (k), KEY i (n DESC, v))",
                fill("parts", 5_000),
                "INSERT INTO s.single SELECT * FROM s.parts WHERE k < 50000"};
    }
}
