-- The example schema of the docs: what blocks marked "sql trino" and "sql mysql" read. Loaded anew for each page.
SET SESSION cte_max_recursion_depth = 100000;

DROP SCHEMA IF EXISTS web;

CREATE SCHEMA web;

USE web;

-- One row per page view, in the order of arrival.
CREATE TABLE clicks (
  id bigint NOT NULL AUTO_INCREMENT,
  day date NOT NULL,
  user_id int NOT NULL,
  url varchar(200) NOT NULL,
  status smallint NOT NULL,
  bytes bigint unsigned NOT NULL,
  PRIMARY KEY (id),
  KEY by_day (day)
);

INSERT INTO clicks (day, user_id, url, status, bytes)
WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 19999)
SELECT DATE '2026-11-01' + INTERVAL i DIV 700 DAY, i * 7919 % 997, concat('/shop/', i % 311), if(i % 50 = 0, 404, 200), i * 31 % 100000 FROM numbers;

CREATE TABLE customers (
  id int NOT NULL,
  name varchar(80) NOT NULL,
  country char(2) NOT NULL,
  PRIMARY KEY (id)
);

INSERT INTO customers
WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 996)
SELECT i, concat('Customer ', i), elt(1 + i % 4, 'AT', 'DE', 'FR', 'PL') FROM numbers;

CREATE TABLE orders (
  id bigint NOT NULL AUTO_INCREMENT,
  customer_id int NOT NULL,
  status varchar(10) NOT NULL,
  total decimal(12, 2) NOT NULL,
  placed_at timestamp(3) NOT NULL,
  PRIMARY KEY (id),
  KEY by_customer (customer_id)
);

INSERT INTO orders (customer_id, status, total, placed_at)
WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 9999)
SELECT i % 997, elt(1 + i % 3, 'open', 'paid', 'sent'), i % 1000 + 0.95, TIMESTAMP '2026-11-01 08:00:00' + INTERVAL i MINUTE FROM numbers;

-- Partitioned, with a composite key.
CREATE TABLE visits (
  tenant int NOT NULL,
  seen_at datetime NOT NULL,
  visitor bigint NOT NULL,
  PRIMARY KEY (tenant, seen_at, visitor)
)
PARTITION BY RANGE (tenant) (PARTITION few VALUES LESS THAN (10), PARTITION many VALUES LESS THAN MAXVALUE);

INSERT INTO visits
WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 4999)
SELECT i % 20, TIMESTAMP '2026-11-01 00:00:00' + INTERVAL i SECOND, i FROM numbers;

-- Without any key: InnoDB numbers its rows itself.
CREATE TABLE log (
  at datetime NOT NULL,
  line varchar(100) NOT NULL
);

INSERT INTO log
WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers WHERE i < 4999)
SELECT TIMESTAMP '2026-11-01 00:00:00' + INTERVAL i SECOND, concat('line ', i) FROM numbers;

ANALYZE TABLE clicks, customers, orders, visits, log;
