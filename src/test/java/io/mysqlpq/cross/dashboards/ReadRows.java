package io.mysqlpq.cross.dashboards;

import io.mysqlpq.testing.MysqlServer;

/** Counts the rows that InnoDB and the extension's scans read of users' tables. */
final class ReadRows
{
    private final MysqlServer mysql;
    private final long before;

    ReadRows(MysqlServer mysql)
    {
        this.mysql = mysql;
        before = now();
    }

    long sinceThen()
    {
        return now() - before;
    }

    private long now()
    {
        return mysql.status("Innodb_rows_read") + mysql.status("mysql_pq_scan_rows_read");
    }
}
