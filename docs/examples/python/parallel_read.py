"""Reads a column of a MySQL table on several connections at one moment, and prints how many rows there are and their sum,
of texts that of their lengths.

The password is taken from the environment variable PQ_PASSWORD.
"""
import argparse
import os
import queue
import threading
from concurrent.futures import ThreadPoolExecutor, wait

import mysql_pq

HEARTBEAT_SECONDS = 30


def main():
    arguments = parse_arguments()
    schema, table = arguments.table.split(".", 1)
    account = {"host": arguments.host, "port": arguments.port, "user": arguments.user, "password": os.environ.get("PQ_PASSWORD", "")}
    donor = mysql_pq.connect(**account)
    token = mysql_pq.export_snapshot(donor, schema, table)
    ranges = mysql_pq.plan(donor, schema, table, arguments.index, arguments.ranges)
    work = queue.SimpleQueue()
    for number, part in enumerate(ranges):
        work.put((number, part))

    def read_some(connection):
        try:
            return list(read_ranges(connection, schema, table, arguments, token, work))
        finally:
            connection.close()

    connections = [mysql_pq.connect(**account) for _ in range(arguments.readers)]
    with ThreadPoolExecutor(arguments.readers) as executor:
        readers = [executor.submit(read_some, connection) for connection in connections]
        while wait(readers, timeout=HEARTBEAT_SECONDS).not_done:
            mysql_pq.call(donor, "mysql_pq_snapshot_verify", token)
    results = sorted(result for reader in readers for result in reader.result())
    donor.close()  # ends the snapshot
    print_results(ranges, results)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=3306)
    parser.add_argument("--user", default="root")
    parser.add_argument("--readers", type=int, default=4, help="connections that read at once")
    parser.add_argument("--ranges", type=int, default=16, help="ranges of the table, or of each partition")
    parser.add_argument("--index", default="PRIMARY", help="which one to cut; a secondary one is not read natively")
    parser.add_argument("--native", action="store_true", help="read column batches")
    parser.add_argument("--aggregate", action="store_true", help="let the server count and add up; the column holds integers")
    parser.add_argument("--layout", default="int128", help="of these: int128 holds all integers, bytes holds texts")
    parser.add_argument("table", metavar="SCHEMA.TABLE")
    parser.add_argument("column")
    return parser.parse_args()


def read_ranges(connection, schema, table, arguments, token, work):
    """Reads ranges until there are no more. Yields the number, rows, sum and thread of each."""
    while True:
        try:
            number, part = work.get_nowait()
        except queue.Empty:
            return
        # The lock first, then the snapshot: so no DDL comes between them.
        mysql_pq.lock_table(connection, schema, table)
        mysql_pq.call(connection, "mysql_pq_snapshot_adopt", token)
        if arguments.aggregate:
            count, total = mysql_pq.sum_natively(connection, schema, table, part, arguments.column, token)
            mysql_pq.call(connection, "mysql_pq_snapshot_verify", token)
            connection.commit()
            yield number, count, total, threading.get_ident()
            continue
        if arguments.native:
            rows = mysql_pq.read_natively(connection, schema, table, part, [(arguments.column, arguments.layout)], token)
        else:
            rows = mysql_pq.read_by_sql(connection, schema, table, part, [arguments.column])
        count, total = 0, 0
        for (value,) in rows:
            count += 1
            total += len(value) if isinstance(value, (str, bytes)) else value or 0
        # Rows count only if this passes.
        mysql_pq.call(connection, "mysql_pq_snapshot_verify", token)
        connection.commit()
        yield number, count, total, threading.get_ident()


def print_results(ranges, results):
    print("range      rows  estimated                 sum  partition  key from")
    for number, count, total, _ in results:
        part = ranges[number]
        start = "the beginning" if part.lower is None else ", ".join(map(str, part.lower))
        print(f"{number:5} {count:9} {part.rows or 0:10} {total:19}  {part.partition or '-':9}  {start}")
    print(f"ranges {len(results)}")
    print(f"connections {len({thread for *_, thread in results})}")
    print(f"rows {sum(count for _, count, _, _ in results)}")
    print(f"sum {sum(total for _, _, total, _ in results)}")


if __name__ == "__main__":
    main()
