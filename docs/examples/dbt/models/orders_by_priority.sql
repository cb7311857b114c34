-- A table, since MySQL's connectors make no views of Trino.
{{ config(materialized='table') }}

SELECT o_orderpriority AS priority, count(*) AS orders
FROM mysql_pq.tpch.orders
WHERE o_orderdate >= DATE '1995-01-01'
GROUP BY o_orderpriority
