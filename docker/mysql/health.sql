-- Nobody's account, which nobody can log in to: the health check asks the server by it, and is answered that it is locked.
SET SESSION sql_log_bin = 0;
CREATE USER IF NOT EXISTS 'mysql_pq_health'@'%' ACCOUNT LOCK;
