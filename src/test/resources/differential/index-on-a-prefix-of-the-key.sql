-- MySQL read ranges of the key by the index on its prefix, cut the bounds to that, and lost rows: 'ß' equals 'ss', but LEFT('ss', 1) sorts before 'ß'.
CREATE TABLE d.t0 (k VARCHAR(60) COLLATE utf8mb4_0900_ai_ci, n INT NOT NULL, filler VARCHAR(500), PRIMARY KEY (k, n), KEY prefix (k (1) DESC, n));
INSERT INTO d.t0 WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 900) SELECT CONCAT(ELT(i % 6 + 1, 's', 'ss', 'ß', 'ßa', 'S', 'st'), i % 40), i, REPEAT('x', 400) FROM s;
ANALYZE TABLE d.t0;
-- queries of t0
SELECT k, n FROM t0;
SELECT count(*), sum(n) FROM t0 WHERE k >= 'ss';
SELECT k, n FROM t0 WHERE n > 100 ORDER BY k, n LIMIT 50;
