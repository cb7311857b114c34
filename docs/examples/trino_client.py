"""Reads a table through Trino with its own Python client: trino_client.py HOST PORT."""

import sys

from trino.dbapi import connect

host, port = sys.argv[1], int(sys.argv[2])
with connect(host=host, port=port, user="analyst", catalog="mysql_pq", schema="tpch") as connection:
    cursor = connection.cursor()
    cursor.execute("SELECT o_orderpriority, count(*) FROM orders WHERE o_orderdate >= DATE '1995-01-01' GROUP BY 1 ORDER BY 1")
    for priority, orders in cursor.fetchall():
        print(f"{priority}\t{orders}")
