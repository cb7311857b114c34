package io.mysqlpq.extension;

import java.util.ArrayList;
import java.util.List;

/**
 * Describes a table of keys from 1 on, each with a payload, whose rows take unlike times to read.
 *
 * @param type the payload's type
 * @param value the payload of row n
 */
record PayloadTable(String title, int rows, String type, String value)
{
    static final String NAME = "balance.t";

    // Larger than a page, so that InnoDB keeps them on pages of their own, and leaf pages tell nothing of them.
    private static final String GIANT = "REPEAT('x', 262144)";
    private static final String LARGE = "REPEAT('x', 32768)";
    private static final String NARROW = "REPEAT('x', 50)";
    private static final int DRAWS = 5;

    static List<PayloadTable> all()
    {
        List<PayloadTable> tables = new ArrayList<>();
        tables.add(new PayloadTable("narrow rows", 1_000_000, "VARCHAR(50)", NARROW));
        // The newest tenth is thirty times as wide as the others.
        tables.add(new PayloadTable("wide and narrow rows mixed", 1_000_000, "VARCHAR(1000)", "REPEAT('x', IF(n > 900000, 900, 30))"));
        // How many giants a range has is chance, so one table says little.
        for (int draw = 1; draw <= DRAWS; draw++) {
            String title = "1 %% giant BLOBs at random keys, draw %s".formatted(draw);
            tables.add(new PayloadTable(title, 100_000, "MEDIUMBLOB", "IF(RAND(%s) < 0.01, %s, %s)".formatted(draw, GIANT, NARROW)));
        }
        tables.add(new PayloadTable("1 % BLOBs of 32 KB at random keys, ten times the rows", 1_000_000, "MEDIUMBLOB", "IF(RAND(1) < 0.01, %s, %s)".formatted(LARGE, NARROW)));
        tables.add(new PayloadTable("1 % giant BLOBs at the end", 100_000, "MEDIUMBLOB", "IF(n > 99000, %s, %s)".formatted(GIANT, NARROW)));
        return tables;
    }

    void create(Session session)
    {
        session.execute(
                "SET cte_max_recursion_depth = " + rows,
                "DROP SCHEMA IF EXISTS balance",
                "CREATE SCHEMA balance",
                "CREATE TABLE %s (k INT PRIMARY KEY, payload %s)".formatted(NAME, type),
                "INSERT INTO %s WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %s) SELECT n, %s FROM s".formatted(NAME, rows, value),
                "ANALYZE TABLE " + NAME);
    }
}
