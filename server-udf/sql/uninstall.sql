-- Removes the extension at once. Trino then reads each table without it.
-- A backup or a global read lock is waited for so many seconds at most.
SET SESSION lock_wait_timeout = 5;
-- Ends all calls and snapshots.
SET GLOBAL mysql_pq_enabled = OFF;
-- Waits until they have ended, for 10 seconds at most. It is refused if a statement still uses a function then (end it by KILL).
UNINSTALL PLUGIN mysql_pq;
-- The tables, where they were installed, are gone from the next start of MySQL on. The binary log must not tell replicas to do the same.
SET SESSION sql_log_bin = OFF;
DELETE FROM mysql.plugin WHERE name IN ('mysql_pq_ranges', 'mysql_pq_snapshots');
SET SESSION sql_log_bin = ON;
