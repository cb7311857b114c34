-- What random tables and queries seldom have together, and planted faults showed only there: groups by the beginning of a key whose ranges end in the midst of
-- them, a filter that ends at a value of a key, ranges without any value, an index of NULLs that holds all that is read, a join by numbers that no signed
-- column holds, decimals of all signs and sizes, values that lie off-page or are padded, an instant that is compared, a column added in place, and more than eight
-- columns that may be NULL.
CREATE TABLE d.t0 (a INT NOT NULL, b INT NOT NULL, n INT NOT NULL, c INT, e BIGINT, u INT UNSIGNED, d DECIMAL(12, 2), s DECIMAL(5, 3), v BIGINT UNSIGNED, z TEXT, p CHAR(10), m TIMESTAMP NULL, filler VARCHAR(300) NOT NULL, PRIMARY KEY (a, b));
INSERT INTO d.t0 WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 799)
    SELECT i DIV 45, i % 45, i, IF(i % 3 = 0, NULL, i % 50), IF(i BETWEEN 200 AND 299, i, NULL), IF(i % 2 = 0, i % 20, 4294967295 - i % 20), (i - 400) * 1.37, (i % 7 - 3) / 8, IF(i % 5 = 0, 18446744073709551615 - i, i), IF(i % 50 = 0, REPEAT('z', 9000), 'z'), IF(i % 4 = 0, NULL, ELT(i % 3 + 1, 'p', '', 'pq')), TIMESTAMP'2024-01-01 00:00:00' + INTERVAL i HOUR, REPEAT('f', 300) FROM s;
CREATE TABLE d.t1 (n INT PRIMARY KEY, c INT, filler VARCHAR(100) NOT NULL, KEY of_nulls (c));
INSERT INTO d.t1 WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 799) SELECT i * 6 + j, IF(i < 300, NULL, i), REPEAT('f', 100) FROM s, (SELECT 0 AS j UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5) p;
ALTER TABLE d.t1 ADD COLUMN w INT DEFAULT 7, ALGORITHM=INSTANT;
ANALYZE TABLE d.t0, d.t1;
-- queries of t0, t1
SELECT a, b, c FROM t0 WHERE a <= 9;
SELECT n FROM t0 JOIN (VALUES CAST('p' AS CHAR(10)), CAST('' AS CHAR(10))) v (x) ON p = x;
SELECT n, d, s, v FROM t0;
SELECT n, z, p, m FROM t0;
SELECT n FROM t0 WHERE m < TIMESTAMP '2024-01-15 00:00:00 UTC';
SELECT n, w FROM t1;
SELECT count(*) FROM (SELECT n FROM t0 LIMIT 100);
SELECT c FROM t1;
-- with aggregation_pushdown_enabled=true, aggregation_parallelism=4, aggregation_max_groups=5
SELECT a, count(c), sum(e), max(n) FROM t0 GROUP BY a;
SELECT x.n, y.n FROM t0 x JOIN (SELECT * FROM t0 WHERE n % 40 = 1) y ON x.u = y.u;
-- with aggregation_pushdown_enabled=true, native_scan_enabled=false, aggregation_parallelism=4
SELECT min(e), max(e), avg(e), count(e) FROM t0;
SELECT a, count(c), min(c), avg(e) FROM t0 GROUP BY a;
SELECT n FROM t0 WHERE a BETWEEN 3 AND 12 AND n % 2 = 1;
SELECT c, count(*) FROM t1 GROUP BY c;
SELECT n, s, d FROM t0 WHERE s < 0;
-- with aggregation_pushdown_enabled=true, aggregation_parallelism=4, aggregation_max_groups=5
SELECT a, count(*), count(e) FROM t0 WHERE n > 10 GROUP BY a;
SELECT x.n FROM t0 x JOIN (SELECT * FROM t0 WHERE n % 40 = 3) y ON x.u = y.u;
SELECT min(e), max(c), sum(e), avg(n) FROM t0 WHERE n < 700;
SELECT a, count(c), max(e) FROM t0 GROUP BY a HAVING count(c) > 1;
SELECT count(*) FROM t1 WHERE c IS NULL OR c > 700;
SELECT a, b, count(c) FROM t0 GROUP BY a, b;
SELECT min(e), avg(e), avg(d) FROM t0;
SELECT a, count(c), sum(e), min(e) FROM t0 GROUP BY a;
SELECT count(*), count(c) FROM t1;
SELECT a, count(c) FROM t0 GROUP BY a;
