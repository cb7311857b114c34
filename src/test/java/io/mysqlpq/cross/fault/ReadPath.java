package io.mysqlpq.cross.fault;

import io.mysqlpq.testing.MysqlServer;

import java.util.Map;

/** Lists the ways by which rows come from MySQL: each meets a broken connection in code of its own. */
enum ReadPath
{
    DRIVER("SELECT k, v, length(filler) FROM %s.t", Map.of("packet_decoding_enabled", "false", "native_scan_enabled", "false")),
    PACKETS("SELECT k, v, length(filler) FROM %s.t", Map.of("native_scan_enabled", "false")),
    NATIVE("SELECT k, v, length(filler) FROM %s.t", Map.of()),
    AGGREGATION("SELECT g, count(*), sum(v) FROM %s.t GROUP BY g", Map.of()),
    ROW_IDS("SELECT k, v, length(filler) FROM %s.t_keyless", Map.of()),
    GROUP("SELECT k, v, length(filler) FROM %s.t", Map.of("snapshot_group", "faults", "snapshot_group_age", "1s")),
    ONE_SPLIT("SELECT k, v, length(filler) FROM %s.t", Map.of("range_source", "NONE", "native_scan_enabled", "false")),
    SQL_RANGES("SELECT k, v, length(filler) FROM %s.t", Map.of("range_source", "SQL", "snapshot_mode", "NONE", "native_scan_enabled", "false"));

    static final int ROWS = 16_000;
    static final int ROWS_PER_RANGE = 4000;
    private static final int GROUPS = 8000;

    private final String sql;
    private final Map<String, String> session;

    ReadPath(String sql, Map<String, String> session)
    {
        this.sql = sql;
        this.session = session;
    }

    /** Returns the query of this path in Trino's catalog. */
    String sql(String catalog)
    {
        return sql.formatted(catalog + ".s");
    }

    String mysqlSql()
    {
        return sql.formatted("s");
    }

    Map<String, String> session()
    {
        return session;
    }

    /** A range of it, and its groups, are more than sockets hold: MySQL is in the midst of a statement until its reader goes on. */
    static void createTable(MysqlServer mysql, int firstKey)
    {
        mysql.execute(
                "CREATE SCHEMA s",
                "CREATE TABLE s.t (k INT PRIMARY KEY, v INT NOT NULL, g VARCHAR(2000) COLLATE utf8mb4_0900_bin NOT NULL, filler VARCHAR(2500) NOT NULL)",
                "INSERT INTO s.t WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < %s) SELECT i + %s, i %% 100, RPAD(i %% %s, 2000, 'g'), REPEAT('x', 1500 + i %% 1000) FROM s".formatted(ROWS, firstKey - 1, GROUPS),
                "CREATE TABLE s.t_keyless (k INT NOT NULL, v INT NOT NULL, filler VARCHAR(2500) NOT NULL)",
                "INSERT INTO s.t_keyless SELECT k, v, filler FROM s.t",
                "ANALYZE TABLE s.t, s.t_keyless");
    }
}
