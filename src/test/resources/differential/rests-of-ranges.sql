-- Rests of ranges. In the first table, a text is too long for a group of the extension's, and the connector groups the rows behind. Such texts come more than
-- a thousand rows after the beginning of a range, because the extension takes nothing of the block of rows that such a text is in. There the connector also
-- computes logic with all three values, of two and three terms. In the second table, the year 0 comes in the second batch of a range. Only SQL reads it, and
-- SQL goes on after the first batch.
CREATE TABLE d.t0 (n INT PRIMARY KEY, a INT, b INT, c INT, s VARCHAR(5000) COLLATE utf8mb4_bin);
INSERT INTO d.t0 WITH RECURSIVE q (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM q WHERE i < 99), r AS (SELECT x.i * 100 + y.i AS i FROM q x, q y WHERE x.i < 40)
    SELECT i, NULLIF(i % 3, 2), NULLIF(i DIV 3 % 3, 2), NULLIF(i DIV 9 % 3, 2), CONCAT(REPEAT(IF(i % 2 = 0, 'é', 'z'), IF(i % 2000 = 1300, 4000, 20)), i) FROM r;
CREATE TABLE d.t1 (n INT PRIMARY KEY, y YEAR, filler VARCHAR(1500) NOT NULL);
INSERT INTO d.t1 SELECT n, IF(n % 1000 = 990, 0, 2024), REPEAT('f', 1500) FROM d.t0;
ANALYZE TABLE d.t0, d.t1;
-- queries of t0, t1
-- with target_rows_per_split=2000
SELECT n, y, filler FROM t1;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=2000
SELECT count(*), sum(n), min(s), max(s) FROM t0 WHERE n <> 7;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=2000
SELECT n % 5, count(*), sum(n), min(s), max(s) FROM t0 GROUP BY 1;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=2000
SELECT a, b, count(*), count_if(a = 1 OR b = 1), count_if((a = 1 OR b = 1) IS NULL), count_if(a = 1 AND b = 1), count_if((a = 1 AND b = 1) IS NULL), count_if(NOT (a = 1 OR b = 1)), count_if(NOT (a = 1 AND b = 1)), min(s) FROM t0 GROUP BY a, b;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=2000
SELECT a, b, c, count_if(a = 1 OR b = 1 OR c = 1), count_if((a = 1 OR b = 1 OR c = 1) IS NULL), count_if(a = 1 AND (b = 1 OR c = 1)), count_if((a = 1 AND (b = 1 OR c = 1)) IS NULL), count_if(a = 1 OR (b = 1 AND c = 1)), count_if((a = 1 OR (b = 1 AND c = 1)) IS NULL), min(s) FROM t0 GROUP BY a, b, c;
