-- Installs the tables for people, INFORMATION_SCHEMA.MYSQL_PQ_RANGES and MYSQL_PQ_SNAPSHOTS. Optional.
INSTALL PLUGIN mysql_pq_ranges SONAME 'mysql_pq.so';
INSTALL PLUGIN mysql_pq_snapshots SONAME 'mysql_pq.so';
