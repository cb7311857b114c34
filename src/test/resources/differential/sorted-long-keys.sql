-- MySQL sorts the keys that probes found. Whole values of which a key holds a prefix did not fit its sort buffer, nor do the weights of long keys.
CREATE TABLE d.t0 (n INT NOT NULL, b BLOB NOT NULL, v INT, PRIMARY KEY (b (3), n));
INSERT INTO d.t0 SELECT n, CONCAT(CHAR(n % 250), REPEAT(X'00FF', 12000)), n % 5 FROM JSON_TABLE(CONCAT('[0', REPEAT(',0', 499), ']'), '$[*]' COLUMNS (n FOR ORDINALITY)) j;
CREATE TABLE d.t1 (k VARCHAR(768) COLLATE utf8mb4_0900_as_cs NOT NULL PRIMARY KEY, n INT NOT NULL);
INSERT INTO d.t1 SELECT CONCAT(REPEAT('ﷺ', 760), n), n FROM JSON_TABLE(CONCAT('[0', REPEAT(',0', 499), ']'), '$[*]' COLUMNS (n FOR ORDINALITY)) j;
ANALYZE TABLE d.t0, d.t1;
-- queries of t0, t1
-- with target_rows_per_split=2, max_ranges_per_scan=32
SELECT count(*), sum(n), count(DISTINCT v) FROM t0;
-- with target_rows_per_split=2, max_ranges_per_scan=32
SELECT count(*), sum(n), max(length(k)) FROM t1;
