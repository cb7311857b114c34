-- What the extension groups, and planted faults showed only there: sums of decimals of 128 bits, of all signs and sizes, NULL beside 0, texts that end in NUL,
-- leap days, days and instants before 1970, averages and casts in the middle of two numbers, and averages of a few values among NULLs.
CREATE TABLE d.t0 (n INT PRIMARY KEY, a INT, c INT, e INT, s VARCHAR(20) COLLATE utf8mb4_0900_bin, d DECIMAL(12, 2), w DECIMAL(30, 2), u BIGINT UNSIGNED, day DATE, m DATETIME, filler VARCHAR(300) NOT NULL);
INSERT INTO d.t0 WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 799)
    SELECT i, i % 7, IF(i % 3 = 0, NULL, 0), IF(i % 5 = 0, NULL, 0), ELT(i % 4 + 1, 'a', 'a\0', '', '\0'), i * 0.01, (i - 400) * 1.5, IF(i < 400, i, 18446744073709551615 - i), DATE'1967-01-01' + INTERVAL i DAY, TIMESTAMP'1967-01-01 00:00:00' + INTERVAL i HOUR, REPEAT('f', 300) FROM s;
ANALYZE TABLE d.t0;
-- queries of t0
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT n % 50, sum(w), sum(n), count(c) FROM t0 GROUP BY 1;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT c, e, count(*) FROM t0 GROUP BY c, e;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT s, count(*), max(n) FROM t0 GROUP BY s;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT day + INTERVAL '12' MONTH, count(*) FROM t0 GROUP BY 1;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT day_of_week(day), hour(m), count(*) FROM t0 GROUP BY 1, 2;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT min(u), max(u), min(w), max(w) FROM t0;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT n / 2, avg(d) FROM t0 GROUP BY 1;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT CAST(d AS BIGINT), count(*) FROM t0 GROUP BY 1;
-- with native_aggregation_enabled=true, aggregation_parallelism=4, aggregation_pushdown_enabled=true, complex_expression_pushdown=true, target_rows_per_split=128
SELECT a, avg(n + e) FROM t0 GROUP BY a;
