-- Removes the extension; refused while a snapshot lives or a function runs. Trino then reads each table without it.
UNINSTALL PLUGIN mysql_pq;
-- The tables, where they were installed: from the next start of MySQL on.
DELETE FROM mysql.plugin WHERE name IN ('mysql_pq_ranges', 'mysql_pq_snapshots');
