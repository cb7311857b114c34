-- Nobody's account, which nobody can log in to: the health check asks the server by it, and is answered that it is locked.
SET SESSION sql_log_bin = 0;
-- Of no password: a policy for passwords would refuse an empty one.
CREATE USER IF NOT EXISTS 'mysql_pq_health'@'%' IDENTIFIED WITH caching_sha2_password AS '$A$005$nobodyknowsapasswordxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' ACCOUNT LOCK;
