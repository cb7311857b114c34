-- Removes the extension; refused while a snapshot lives or a function runs. Trino then reads each table without it.
UNINSTALL PLUGIN mysql_pq;
