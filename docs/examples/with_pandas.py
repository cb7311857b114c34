"""Reads rows into a pandas frame, and groups them there: with_pandas.py HOST PORT."""

import sys

import pandas
from sqlalchemy import create_engine

engine = create_engine(f"trino://analyst@{sys.argv[1]}:{sys.argv[2]}/mysql_pq/tpch")
orders = pandas.read_sql("SELECT o_orderpriority, o_orderkey FROM orders WHERE o_orderdate >= DATE '1995-01-01'", engine)
for priority, count in orders.groupby("o_orderpriority").size().items():
    print(f"{priority}\t{count}")
