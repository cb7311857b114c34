-- Exchanges the running extension for another one, after the new mysql_pq.so was moved over the old one (mv, not cp: MySQL still runs
-- the old file). The first statement is refused while a snapshot lives or a function runs; then nothing has changed: try again.
-- Where the tables for people are installed, MySQL keeps the old library until it is restarted; a restart is the whole upgrade then.
UNINSTALL PLUGIN mysql_pq;
INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so';
SELECT mysql_pq_version();
