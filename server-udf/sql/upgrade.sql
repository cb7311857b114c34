-- After the new mysql_pq.so was moved over the old one (mv, not cp: MySQL still runs the old file) and MySQL was restarted: says which
-- extension runs now. Without a restart MySQL keeps the old library mapped, also after UNINSTALL PLUGIN and INSTALL PLUGIN.
SELECT mysql_pq_version();
