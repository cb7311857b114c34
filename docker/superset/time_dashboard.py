"""Times the business dashboard: how long until viewers see its last chart, and what that costs each process.

    time_dashboard.py SUPERSET_URL HOST TRINO_PORT MYSQL_PORT --results FILE [--viewers 10] [--rounds 5] [--process NAME=PID]...

The queries are those that Superset itself makes of the charts. Measured are:

- one viewer, who asks for one chart after the other: the first time, again, and again after rows were appended
- as many queries as the viewers ask, one after the other
- viewers at once, each of whom asks six charts at a time as a browser does, straight from Trino and from Superset, with each of SIDES
- the same beside a writer
- a query of one large table, again and again, after changes of several kinds

Measures take turns, and a first round warms each up. Then each chart is asked from Trino alone, twice, and the better of both counts.
It writes to the table lineitem, straight to MySQL, and deletes what it added. Needs the clients of Trino and MySQL, a Superset with
SUPERSET_CACHED_SECONDS; its user admin, password from SUPERSET_ADMIN_PASSWORD; MySQL's user root, password from MYSQL_PASSWORD.
"""

import argparse
import collections.abc
import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import random
import statistics
import threading
import time

import pymysql
from bundle import Superset
from trino.dbapi import connect

CONNECTIONS_OF_A_BROWSER = 6
DASHBOARD = "mysql-pq-business"
# Each query reads for itself.
ALONE = {"mysql_pq.read_reuse_enabled": "false"}
ONE_SPLIT = ALONE | {"mysql_pq.parallel_reads_enabled": "false"}
# The two that each chart is asked of alone.
SIDES_ALONE = {"one split": ONE_SPLIT, "mysql_pq": ALONE}
# Too slow for more than one round.
ROUNDS_OF_ONE_SPLIT = 1
REPEATED_QUERY = """
    SELECT l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice), sum(l_extendedprice * (1 - l_discount)),
        sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)), avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
    FROM lineitem WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY GROUP BY l_returnflag, l_linestatus"""
OTHER_COLUMNS = """l_partkey, l_suppkey, l_linenumber, l_quantity, l_extendedprice, l_discount, l_tax, l_returnflag, l_linestatus, l_shipdate,
    l_commitdate, l_receiptdate, l_shipinstruct, l_shipmode, l_comment"""
SECONDS_BETWEEN_WRITES = 0.5


class Trino:
    """Asks Trino, in sessions with the given properties."""

    def __init__(self, host: str, port: int):
        self.host = host
        self.port = port

    def ask(self, statement: str, settings: dict[str, str]) -> list:
        with connect(host=self.host, port=self.port, user="viewer", catalog="mysql_pq", schema="tpch", session_properties=settings) as connection:
            cursor = connection.cursor()
            cursor.execute(statement)
            return cursor.fetchall()

    def jobs(self, statements: list[str], settings: dict[str, str]) -> list:
        return [lambda statement=statement: self.ask(statement, settings) for statement in statements]


class Lineitem:
    """Changes the table in ways of which its readers see as much as they must. Trino, which limits its queries, has no part in it."""

    def __init__(self, mysql: pymysql.Connection):
        self.mysql = mysql
        self.rows, self.last_order = self.ask("SELECT count(*), max(l_orderkey) FROM tpch.lineitem")
        self.appended_to = self.last_order
        self.random = random.Random(1)

    def ask(self, statement: str) -> tuple:
        with self.mysql.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchone()

    def execute(self, statement: str) -> int:
        """Returns how many rows it has changed."""
        with self.mysql.cursor() as cursor:
            return cursor.execute(statement)

    def append(self, rows: int) -> int:
        """Adds copies of the first rows behind the last one. There are about as many rows as keys of orders."""
        keys = 2 * rows
        added = self.execute(
            f"INSERT INTO tpch.lineitem (l_orderkey, {OTHER_COLUMNS}) SELECT l_orderkey + {self.appended_to}, {OTHER_COLUMNS} FROM tpch.lineitem "
            f"WHERE l_orderkey <= {keys} ORDER BY l_orderkey, l_linenumber LIMIT {rows}")
        self.appended_to += keys
        return added

    def update(self, rows: int) -> int:
        """Changes rows anywhere in the table. Of 32 keys of orders the first eight are used."""
        orders = {self.random.randrange(self.last_order // 32) * 32 + 1 for _ in range(rows)}
        return self.execute(f"UPDATE tpch.lineitem SET l_comment = REVERSE(l_comment) WHERE l_linenumber = 1 AND l_orderkey IN ({', '.join(map(str, orders))})")

    def restore(self) -> None:
        self.execute(f"DELETE FROM tpch.lineitem WHERE l_orderkey > {self.last_order}")

    @contextlib.contextmanager
    def written(self, write: collections.abc.Callable[[int], int], rows_per_second: int) -> collections.abc.Iterator[None]:
        """Writes all the time, and prints how much it was."""
        ended = threading.Event()

        def write_on() -> None:
            began = time.monotonic()
            written = 0
            while not ended.wait(max(0, began + written / rows_per_second - time.monotonic())):
                written += write(int(rows_per_second * SECONDS_BETWEEN_WRITES))
            print(f"{written / (time.monotonic() - began):,.0f} of {rows_per_second:,} rows/s written", flush=True)

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            writer = pool.submit(write_on)
            try:
                yield
            finally:
                ended.set()
            writer.result()


class Measures:
    """Collects what each measure took."""

    def __init__(self, processes: dict[str, int]):
        self.processes = processes
        self.taken: dict[str, list[dict]] = {}

    def measure(self, name: str, counts: bool, charts: int, run: collections.abc.Callable[[], list[float]]) -> None:
        """Keeps the seconds that the run gives, of which there are some for each viewer. Those of a round that warms up do not count."""
        before = self.cpu_seconds()
        began = time.monotonic()
        seconds = run()
        elapsed = time.monotonic() - began
        cpu = {process: after - before[process] for process, after in self.cpu_seconds().items()}
        if counts:
            self.taken.setdefault(name, []).append({"seconds": seconds, "charts per second": charts / elapsed, "cpu": cpu})
            print(f"{name}: {max(seconds):.2f} s", flush=True)

    def cpu_seconds(self) -> dict[str, float]:
        return {name: cpu_seconds_of(pid) for name, pid in self.processes.items()}

    def results(self) -> dict[str, dict]:
        return {name: self.result(runs) for name, runs in self.taken.items()}

    def result(self, runs: list[dict]) -> dict:
        ordered = sorted(second for run in runs for second in run["seconds"])
        return {
            "median": statistics.median(ordered),
            "p95": ordered[math.ceil(0.95 * len(ordered)) - 1],
            "max": ordered[-1],
            "charts per second": statistics.median(run["charts per second"] for run in runs),
            "cpu": {process: statistics.median(run["cpu"][process] for run in runs) for process in self.processes},
            "seconds": ordered,
        }

    def print(self) -> None:
        print("\n| what | median s | p95 s | max s | charts per s | " + " | ".join(f"CPU s of {process}" for process in self.processes) + " |")
        print("|---" * (5 + len(self.processes)) + "|")
        for name, result in self.results().items():
            cells = [f"{result[key]:.2f}" for key in ("median", "p95", "max", "charts per second")] + [f"{cpu:.2f}" for cpu in result["cpu"].values()]
            print(f"| {name} | " + " | ".join(cells) + " |")


def cpu_seconds_of(pid: int) -> float:
    """User and system time of the process and its children."""
    folder = pathlib.Path(f"/proc/{pid}")
    # Behind the name, which may have spaces, they have the numbers 14 and 15 of proc(5).
    fields = (folder / "stat").read_text().rpartition(")")[2].split()
    children = (folder / "task" / str(pid) / "children").read_text().split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") + sum(cpu_seconds_of(int(child)) for child in children)


def in_parallel(count: int, jobs: list) -> None:
    """Runs the jobs, count at a time, and raises what any of them raised."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(job) for job in jobs]:
            done.result()


def seconds_of(ask: collections.abc.Callable[[], object]) -> float:
    began = time.monotonic()
    ask()
    return time.monotonic() - began


def in_turn(jobs: list) -> list[float]:
    return [seconds_of(lambda: in_parallel(1, jobs))]


def viewers_at_once(viewers: int, jobs: list) -> list[float]:
    with concurrent.futures.ThreadPoolExecutor(viewers) as pool:
        return [done.result() for done in [pool.submit(seconds_of, lambda: in_parallel(CONNECTIONS_OF_A_BROWSER, jobs)) for _ in range(viewers)]]


def superset_charts(superset: Superset, contexts: list[dict]) -> list:
    return [lambda context=context: superset.post_json("/api/v1/chart/data", context | {"force": True}) for context in contexts]


def cached_charts(superset: Superset, contexts: list[dict]) -> list:
    def ask(context: dict) -> None:
        answer = superset.post_json("/api/v1/chart/data", context)
        if not all(result["is_cached"] for result in answer["result"]):
            raise RuntimeError("Superset's cache is off: set SUPERSET_CACHED_SECONDS, and start it again")

    return [lambda context=context: ask(context) for context in contexts]


def set_database(superset: Superset, settings: dict[str, str]) -> None:
    """Makes Superset's database hand these session properties to Trino."""
    # A round may last for longer than a login.
    superset.log_in()
    database = superset.call("/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:mysql_pq)))")["result"][0]["id"]
    extra = {"engine_params": {"connect_args": {"source": "superset", "session_properties": settings}}}
    superset.call(f"/api/v1/database/{database}", json.dumps({"extra": json.dumps(extra)}).encode(), "application/json", "PUT")


def in_group(name: str) -> dict[str, str]:
    return {"mysql_pq.snapshot_group": name, "mysql_pq.snapshot_group_age": "10m"}


def measure_round(
        measures: Measures, number: int, viewers: int, trino: Trino, mysql: pymysql.Connection, statements: list[str], superset: Superset, contexts: list[dict]) -> None:
    """Round 0 warms up: Trino compiles its code again and again while the first hundreds of queries run."""
    counts = number > 0
    charts = len(statements)

    def one_after_the_other(name: str, settings: dict[str, str], times: int = 1) -> None:
        measures.measure(name, counts, times * charts, lambda: in_turn(trino.jobs(statements * times, settings)))

    def at_once(name: str, settings: dict[str, str]) -> None:
        measures.measure(f"{viewers} viewers, {name}", counts, viewers * charts, lambda: viewers_at_once(viewers, trino.jobs(statements, settings)))

    def through_superset(name: str, jobs: list) -> None:
        measures.measure(f"{viewers} viewers, Superset, {name}", counts, viewers * charts, lambda: viewers_at_once(viewers, jobs))

    def repeated(name: str) -> None:
        measures.measure(f"Q1 again, {name}", counts, 1, lambda: in_turn(trino.jobs([REPEATED_QUERY], reuse)))

    lineitem = Lineitem(mysql)
    # What was read with other settings is not used again, even if they have nothing to do with reads.
    reuse = {"mysql_pq.write_batch_size": str(1000 + number)}
    try:
        one_after_the_other("one viewer, each query alone", ALONE)
        group = ALONE | in_group(f"timed {number}")
        one_after_the_other("one viewer, first in a group", group)
        one_after_the_other("one viewer, again in the group", group)
        one_after_the_other("one viewer, first with reuse", reuse)
        one_after_the_other("one viewer, again, nothing changed", reuse)
        lineitem.append(lineitem.rows // 100)
        one_after_the_other("one viewer, again, 1 % appended", reuse)
        one_after_the_other(f"{viewers} viewers' queries in turn, each alone", ALONE, viewers)
        if 0 < number <= ROUNDS_OF_ONE_SPLIT:
            at_once("one split", ONE_SPLIT)
        at_once("each query alone", ALONE)
        at_once("one snapshot, nothing read before", ALONE | in_group(f"timed at once, first {number}"))
        at_once("reuse", reuse)
        at_once("reuse in one snapshot", reuse | in_group(f"timed at once {number}"))
        for name, settings in {"each query alone": ALONE, "reuse in one snapshot": reuse | in_group(f"timed by Superset {number}")}.items():
            set_database(superset, settings)
            through_superset(name, superset_charts(superset, contexts))
        through_superset("looked at a moment ago", cached_charts(superset, contexts))
        for way, write in {"appended": lineitem.append, "updated anywhere": lineitem.update}.items():
            for rate in (100, 1000):
                with lineitem.written(write, rate):
                    at_once(f"reuse, {rate:,} rows/s {way}", reuse)
                    at_once(f"reuse in one snapshot, {rate:,} rows/s {way}", reuse | in_group(f"timed beside {rate} {way} {number}"))
        repeated("first")
        repeated("nothing changed")
        lineitem.append(lineitem.rows // 100)
        repeated("1 % appended")
        lineitem.update(lineitem.rows // 10_000)
        repeated("0.01 % updated anywhere")
        lineitem.update(lineitem.rows // 10_000)
        repeated("another 0.01 % updated anywhere")
    finally:
        lineitem.restore()


def seconds_of_charts(names: list[str], trino: Trino, statements: list[str]) -> dict[str, dict[str, float]]:
    """The better of two times of each chart on each side, the slowest chart first."""
    best = {
        name: {side: min(seconds_of(lambda: trino.ask(statement, settings)) for _ in range(2)) for side, settings in SIDES_ALONE.items()}
        for name, statement in zip(names, statements, strict=True)}
    return dict(sorted(best.items(), key=lambda chart: max(chart[1].values()), reverse=True))


def process(text: str) -> tuple[str, int]:
    name, _, pid = text.partition("=")
    return name, int(pid)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("superset")
    parser.add_argument("host")
    parser.add_argument("port", type=int, help="Trino's")
    parser.add_argument("mysql_port", type=int)
    parser.add_argument("--results", required=True)
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--process", type=process, action="append", default=[], metavar="NAME=PID", help="whose CPU to count")
    arguments = parser.parse_args()
    superset = Superset(arguments.superset, os.environ["SUPERSET_ADMIN_PASSWORD"])
    charts = superset.call(f"/api/v1/dashboard/{DASHBOARD}/charts")["result"]
    contexts = [json.loads(superset.call(f"/api/v1/chart/{chart['id']}")["result"]["query_context"]) for chart in charts]
    statements = [superset.call(f"/api/v1/chart/{chart['id']}/data/")["result"][0]["query"].rstrip().rstrip(";") for chart in charts]
    print(f"{len(charts)} charts, {arguments.viewers} viewers, {CONNECTIONS_OF_A_BROWSER} connections each, {arguments.rounds} rounds")
    measures = Measures(dict(arguments.process))
    trino = Trino(arguments.host, arguments.port)
    mysql = pymysql.connect(host=arguments.host, port=arguments.mysql_port, user="root", password=os.environ["MYSQL_PASSWORD"], autocommit=True)
    measure_round(measures, 0, arguments.viewers, trino, mysql, statements, superset, contexts)
    alone = seconds_of_charts([chart["slice_name"] for chart in charts], trino, statements)
    for number in range(1, arguments.rounds + 1):
        measure_round(measures, number, arguments.viewers, trino, mysql, statements, superset, contexts)
        # A run that is interrupted leaves the rounds that it has.
        results = {"arguments": vars(arguments), "rounds": number, "results": measures.results(), "charts": alone}
        pathlib.Path(arguments.results).write_text(json.dumps(results, indent=1))
    measures.print()
    print("\n| chart | " + " | ".join(SIDES_ALONE) + " |\n|---|" + "---|" * len(SIDES_ALONE))
    for name, sides in alone.items():
        print(f"| {name} | " + " | ".join(f"{sides[side]:.2f}" for side in SIDES_ALONE) + " |")


if __name__ == "__main__":
    main()
