-- The first rows in an order, which the extension finds: by NULLs first and last, by numbers of 64 and 128 bits of both signs, by texts that begin alike or hold NUL,
-- by several columns with equal values, by a growing key and by rows in no order, and of more ranges than one. Fewer than 25,000 rows would be one statement.
CREATE TABLE d.t0 (n INT PRIMARY KEY, a INT, w DECIMAL(30, 2), u BIGINT UNSIGNED, s VARCHAR(100) COLLATE utf8mb4_0900_bin, day DATE);
INSERT INTO d.t0 WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 299), s AS (SELECT x.i * 100 + y.i AS i FROM r x, r y WHERE y.i < 100)
    SELECT i, IF(i % 7 = 0, NULL, i * 7919 % 20011 - 10000), IF(i % 5 = 0, NULL, (i * 7919 % 20011 - 10000) * 12345678901234567890.5), IF(i % 2 = 0, i, 18446744073709551615 - i),
        CONCAT(ELT(i % 4 + 1, REPEAT('x', 60), 'x', '', '\0'), ELT(i % 3 + 1, 'a', '\0', ''), IF(i % 11 = 0, i, '')), IF(i % 13 = 0, NULL, DATE'1960-01-01' + INTERVAL i * 37 % 9000 DAY) FROM s;
ANALYZE TABLE d.t0;
-- queries of t0
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, a FROM t0 ORDER BY a DESC NULLS LAST, n LIMIT 9;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, a FROM t0 ORDER BY a NULLS FIRST, n DESC LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, w FROM t0 ORDER BY w DESC NULLS LAST, n LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, w FROM t0 ORDER BY w NULLS LAST, n LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, u FROM t0 ORDER BY u DESC LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, s FROM t0 ORDER BY s, n DESC LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, s FROM t0 ORDER BY s DESC, n LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, day FROM t0 ORDER BY day DESC NULLS FIRST, n DESC LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n, day FROM t0 WHERE a > 0 ORDER BY day DESC NULLS LAST, a, n LIMIT 10;
-- with topn_pushdown_enabled=true, target_rows_per_split=2000
SELECT n + 0, a FROM t0 ORDER BY u % 1000, n DESC LIMIT 10;
