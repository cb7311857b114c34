-- Planning by SQL read whole values where the index has a prefix of them, and failed at those that are longer than any key.
CREATE TABLE d.t0 (k BLOB NOT NULL, n INT NOT NULL, v INT, PRIMARY KEY (k (3) DESC, n));
INSERT INTO d.t0 WITH RECURSIVE s (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < 400) SELECT CONCAT(CHAR(i % 50), REPEAT(X'00FF', IF(i % 3 = 0, 4000, i % 4))), i, i % 5 FROM s;
ANALYZE TABLE d.t0;
-- queries of t0
SELECT n, k FROM t0;
SELECT v, count(*), min(k), max(k) FROM t0 GROUP BY v;
SELECT n FROM t0 WHERE k >= X'0500FF';
