-- What the extension groups, and planted faults show only there: texts that differ behind their first bytes, the two zeros of a double as one group, and negative doubles.
CREATE TABLE d.t0 (n INT PRIMARY KEY, a INT, s VARCHAR(200) COLLATE utf8mb4_0900_bin, x DOUBLE, z DOUBLE, f FLOAT, filler VARCHAR(300) NOT NULL);
INSERT INTO d.t0 WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 799)
    SELECT i, i % 7, IF(i % 11 = 0, NULL, CONCAT('the same beginning ', ELT(i % 5 + 1, 'é', 'z', '', 'Z', 'z '), i * 7 % 800)), IF(i % 5 = 0, NULL, (i - 400) / 4), IF(i % 3 = 0, NULL, IF(i % 2 = 0, -0e0, 0e0)), IF(i % 5 = 0, NULL, (i * 13 % 800 - 400) / 4), REPEAT('f', 300) FROM s;
ANALYZE TABLE d.t0;
-- queries of t0
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT a, min(s), max(s), count(s) FROM t0 GROUP BY a;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT min(s), max(s), min(substring(s, 5)) FROM t0 WHERE n + a > 9;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT a, sum(x), avg(x), min(x), max(x), min(f), max(f) FROM t0 GROUP BY a;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT sum(x), avg(x), min(x), max(x), count(x) FROM t0 WHERE n + a > 9;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT z = 0, count(*) FROM t0 GROUP BY z;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT x, n FROM t0 ORDER BY x, n LIMIT 7;
