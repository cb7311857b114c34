-- Installs the extension, after mysql_pq.so was put into the directory that @@plugin_dir names.
INSTALL PLUGIN mysql_pq SONAME 'mysql_pq.so';
SELECT mysql_pq_version();
