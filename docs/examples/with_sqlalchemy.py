"""Reads a table with SQLAlchemy: with_sqlalchemy.py HOST PORT. All reads of the engine share one moment for ten seconds."""

import sys

from sqlalchemy import MetaData, Table, create_engine, func, select

settings = {"mysql_pq.snapshot_group": "analyst", "mysql_pq.snapshot_group_age": "10s"}
engine = create_engine(f"trino://analyst@{sys.argv[1]}:{sys.argv[2]}/mysql_pq/tpch", connect_args={"session_properties": settings})
orders = Table("orders", MetaData(), autoload_with=engine)
query = (
    select(orders.c.o_orderpriority, func.count())
    .where(orders.c.o_orderdate >= func.date("1995-01-01"))
    .group_by(orders.c.o_orderpriority)
    .order_by(orders.c.o_orderpriority)
)
with engine.connect() as connection:
    for priority, count in connection.execute(query):
        print(f"{priority}\t{count}")
