"""Times the business dashboard: how long until a viewer sees its last chart, with several viewers at once.

    time_dashboard.py SUPERSET_URL TRINO_HOST TRINO_PORT --results FILE [--viewers 10] [--rounds 5]

The queries are those that Superset itself makes of the charts. Each viewer asks all of them, six at a time as a browser does. Every side
is measured twice: the queries asked straight from Trino, and the charts asked from Superset, which costs its own time too. Last comes what
viewers see whose charts somebody looked at a moment ago, from Superset's cache. Sides take turns, and a first round of one viewer warms
each up. Then each chart is asked from Trino alone, twice, and the better of both counts.
Needs the Trino client, a Superset with SUPERSET_CACHED_SECONDS; user admin, password from SUPERSET_ADMIN_PASSWORD.
"""

import argparse
import collections.abc
import concurrent.futures
import json
import math
import os
import pathlib
import statistics
import time

from bundle import Superset
from trino.dbapi import connect

CONNECTIONS_OF_A_BROWSER = 6
DASHBOARD = "mysql-pq-business"
SIDES = {
    "one split": {"mysql_pq.parallel_reads_enabled": "false"},
    "mysql_pq": {},
    "mysql_pq, one snapshot": {"mysql_pq.snapshot_group": "timing", "mysql_pq.snapshot_group_age": "10s"},
}
# The two that each chart is asked of alone.
SIDES_ALONE = ["one split", "mysql_pq"]


def in_parallel(count: int, jobs: list) -> None:
    """Runs the jobs, count at a time, and raises what any of them raised."""
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(job) for job in jobs]:
            done.result()


def seconds_of_viewer(charts: list) -> float:
    began = time.monotonic()
    in_parallel(CONNECTIONS_OF_A_BROWSER, charts)
    return time.monotonic() - began


def seconds_of_viewers(viewers: int, charts: list) -> list[float]:
    with concurrent.futures.ThreadPoolExecutor(viewers) as pool:
        return [done.result() for done in [pool.submit(seconds_of_viewer, charts) for _ in range(viewers)]]


def trino_queries(host: str, port: int, statements: list[str], settings: dict) -> list:
    def ask(statement: str) -> None:
        with connect(host=host, port=port, user="viewer", catalog="mysql_pq", schema="tpch", session_properties=settings) as connection:
            cursor = connection.cursor()
            cursor.execute(statement)
            cursor.fetchall()

    return [lambda statement=statement: ask(statement) for statement in statements]


def superset_charts(superset: Superset, contexts: list[dict]) -> list:
    return [lambda context=context: superset.post_json("/api/v1/chart/data", context | {"force": True}) for context in contexts]


def cached_charts(superset: Superset, contexts: list[dict]) -> list:
    def ask(context: dict) -> None:
        answer = superset.post_json("/api/v1/chart/data", context)
        if not all(result["is_cached"] for result in answer["result"]):
            raise RuntimeError("Superset's cache is off: set SUPERSET_CACHED_SECONDS, and start it again")

    return [lambda context=context: ask(context) for context in contexts]


def set_database(superset: Superset, settings: dict) -> None:
    """Makes Superset's database hand these session properties to Trino."""
    database = superset.call("/api/v1/database/?q=(filters:!((col:database_name,opr:eq,value:mysql_pq)))")["result"][0]["id"]
    extra = {"engine_params": {"connect_args": {"source": "superset", "session_properties": settings}}}
    superset.call(f"/api/v1/database/{database}", json.dumps({"extra": json.dumps(extra)}).encode(), "application/json", "PUT")


def seconds_of(ask: collections.abc.Callable[[], None]) -> float:
    began = time.monotonic()
    ask()
    return time.monotonic() - began


def seconds_of_charts(names: list[str], host: str, port: int, statements: list[str]) -> dict[str, dict[str, float]]:
    """The better of two times of each chart on each side, the slowest chart first."""
    sides = {side: trino_queries(host, port, statements, SIDES[side]) for side in SIDES_ALONE}
    best = {name: {side: min(seconds_of(sides[side][number]) for _ in range(2)) for side in SIDES_ALONE} for number, name in enumerate(names)}
    return dict(sorted(best.items(), key=lambda chart: max(chart[1].values()), reverse=True))


def summary(seconds: list[float]) -> dict:
    ordered = sorted(seconds)
    return {"median": statistics.median(ordered), "p95": ordered[math.ceil(0.95 * len(ordered)) - 1], "max": ordered[-1], "seconds": seconds}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("superset")
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--results", required=True)
    parser.add_argument("--viewers", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    superset = Superset(arguments.superset, os.environ["SUPERSET_ADMIN_PASSWORD"])
    charts = superset.call(f"/api/v1/dashboard/{DASHBOARD}/charts")["result"]
    contexts = [json.loads(superset.call(f"/api/v1/chart/{chart['id']}")["result"]["query_context"]) for chart in charts]
    statements = [superset.call(f"/api/v1/chart/{chart['id']}/data/")["result"][0]["query"].rstrip().rstrip(";") for chart in charts]
    print(f"{len(charts)} charts, {arguments.viewers} viewers, {CONNECTIONS_OF_A_BROWSER} connections each, {arguments.rounds} rounds")
    taken: dict[str, list[float]] = {}

    def measure(name: str, round_number: int, jobs: list) -> None:
        seconds = seconds_of_viewers(arguments.viewers if round_number > 0 else 1, jobs)
        if round_number > 0:
            taken.setdefault(name, []).extend(seconds)

    for round_number in range(arguments.rounds + 1):
        for side, settings in SIDES.items():
            set_database(superset, settings)
            measure(f"{side}, asked from Trino", round_number, trino_queries(arguments.host, arguments.port, statements, settings))
            measure(f"{side}, asked from Superset", round_number, superset_charts(superset, contexts))
        measure("looked at a moment ago, asked from Superset", round_number, cached_charts(superset, contexts))
    alone = seconds_of_charts([chart["slice_name"] for chart in charts], arguments.host, arguments.port, statements)
    results = {name: summary(seconds) for name, seconds in taken.items()}
    file = pathlib.Path(arguments.results)
    file.write_text(json.dumps({"arguments": vars(arguments), "results": results, "charts": alone}, indent=1))
    print("\n| side | median s | p95 s | max s |\n|---|---|---|---|")
    for name, result in results.items():
        print(f"| {name} | {result['median']:.2f} | {result['p95']:.2f} | {result['max']:.2f} |")
    print("\n| chart | " + " | ".join(SIDES_ALONE) + " |\n|---|" + "---|" * len(SIDES_ALONE))
    for name, sides in alone.items():
        print(f"| {name} | " + " | ".join(f"{sides[side]:.2f}" for side in SIDES_ALONE) + " |")


if __name__ == "__main__":
    main()
