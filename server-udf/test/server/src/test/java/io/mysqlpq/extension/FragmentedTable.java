package io.mysqlpq.extension;

import io.mysqlpq.testing.MysqlServer;

/**
 * Fills tables in an order in which a leaf that follows another by its keys lies anywhere in the file.
 */
final class FragmentedTable
{
    // Keys are spread evenly below it.
    static final long KEYS = 1L << 32;

    private FragmentedTable()
    {}

    /** Fills a table that begins with a key, which is an integer, and a text of 800 characters. */
    static void fill(MysqlServer server, String table, int rows)
    {
        server.execute(
                "INSERT INTO %s WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i * 2654435761 %% %s, RPAD(i, 800, 'x') FROM s".formatted(table, rows, KEYS),
                "ANALYZE TABLE " + table);
    }

    static long leaves(Session session, String table)
    {
        String[] names = table.split("\\.", 2);
        return session.number("SELECT stat_value FROM mysql.innodb_index_stats WHERE database_name = '%s' AND table_name = '%s' AND index_name = 'PRIMARY' AND stat_name = 'n_leaf_pages'".formatted(names[0], names[1]));
    }
}
