"""The figures of benchmarks: docs/benchmark-results.tsv, docs/dashboards-results.tsv, and the JSON that `./pq bench` writes.

    figures.py rows RESULTS.json    its medians, ratios and CPU times as rows of docs/benchmark-results.tsv
    figures.py check                fails if a figure of a table of docs/benchmark.md is not in docs/benchmark-results.tsv
"""

import collections
import dataclasses
import json
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs/benchmark-results.tsv"
DASHBOARDS = ROOT / "docs/dashboards-results.tsv"
SIDES = ["stock", "MySQL alone", "Trino alone", "one split", "plain SQL", "ranges", "one row", "ConnectorX", "Spark JDBC", "no readahead"]
SECONDS = "seconds"
OURS = "ranges"
# Those that ours is divided by.
OTHERS = ["stock", "MySQL alone", "one split"]
# Stands where a side did not run a case.
NOTHING = "-"


@dataclasses.dataclass(frozen=True)
class Case:
    """What was measured of one query or load: a number for each side that ran it, ratios, CPU times and the like by their names."""

    part: str
    name: str
    unit: str
    sides: dict[str, float]
    ratios: dict[str, float] = dataclasses.field(default_factory=dict)
    costs: dict[str, str] = dataclasses.field(default_factory=dict)


def read(file: pathlib.Path) -> list[Case]:
    return of_json(json.loads(file.read_text())) if file.suffix == ".json" else of_table(rows(file))


def rows(file: pathlib.Path) -> list[dict[str, str]]:
    head, *lines = [line.split("\t") for line in file.read_text().splitlines()]
    return [dict(zip(head, line, strict=True)) for line in lines]


def of_table(table: list[dict[str, str]]) -> list[Case]:
    def numbers(row: dict[str, str], columns: list[str]) -> dict[str, float]:
        return {column: float(row[column]) for column in columns if row[column] != NOTHING}

    return [
        Case(row["part"], row["case"], row["unit"], numbers(row, SIDES), numbers(row, [column for column in row if column.startswith("times ")]))
        for row in table
    ]


def of_json(results: dict) -> list[Case]:
    """Medians and ratios, as BenchReport.java prints them."""
    cases: dict[str, dict[str, dict]] = {}
    for figures in results["figures"]:
        cases.setdefault(figures["query"], {})[figures["side"]] = figures
    return [case_of(name, sides) for name, sides in cases.items()]


def case_of(name: str, sides: dict[str, dict]) -> Case:
    counted = next(iter(sides.values()))["counted"]
    unit = {"SINGLE_QUERY": SECONDS, "ROWS": "rows per second"}.get(counted, "queries per second")
    samples = {side: figures["samples"] for side, figures in sides.items()}
    medians = {side: statistics.median(main_figure(sample, unit) for sample in runs) for side, runs in samples.items()}
    ratios = {f"times {other}": times(samples[OURS], samples[other]) for other in OTHERS if other in samples and OURS in samples}
    costs = {}
    for side in ("stock", OURS, "Trino alone"):
        for column, text in costs_of(samples.get(side, []), unit).items():
            costs[f"{column} {side}"] = text
    return Case(part_of(name, unit), name, unit, medians, ratios, costs)


def times(ours: list[dict], others: list[dict]) -> float:
    """The median of the ratios of rounds that both sides took part in."""
    return statistics.median(speed(mine) / speed(other) for mine, other in zip(ours, others))


def speed(sample: dict) -> float:
    return sample["done"] / sample["seconds"]


def costs_of(runs: list[dict], unit: str) -> dict[str, str]:
    def median(figure) -> float:
        return statistics.median(map(figure, runs))

    if not runs or "cpu" not in runs[0]:
        return {}
    costs = {
        "CPU of MySQL for": f"{median(lambda run: run['cpu']['mysql']):.2f}",
        "CPU of Trino for": f"{median(lambda run: run['cpu']['trino']):.2f}",
    }
    if unit == "queries per second":
        costs["ms of"] = f"{median(lambda run: run['medianSeconds']) * 1000:.0f}"
        costs["errors of"] = f"{sum(run['errors'] for run in runs)}"
    return costs


def main_figure(sample: dict, unit: str) -> float:
    return sample["seconds"] if unit == SECONDS else sample["done"] / sample["seconds"]


def part_of(name: str, unit: str) -> str:
    """The part of the page that a case belongs to."""
    if unit != SECONDS:
        return "point lookups" if name.startswith("point lookup") else "loads"
    for ending, part in ((" cold", "cold"), (" over 1 Gb/s", "1 Gb/s"), (" on busy cores", "small queries")):
        if name.endswith(ending):
            return part
    return "TPC-H" if re.fullmatch(r"Q\d+", name) else "scans"


def row_of(case: Case, commit: str, columns: list[str]) -> str:
    places = 3 if case.unit == SECONDS else 2
    known = {"part": case.part, "case": case.name, "unit": case.unit, "commit": commit}
    known |= {side: f"{number:.{places}f}" for side, number in case.sides.items()}
    known |= {name: f"{number:.2f}" for name, number in case.ratios.items()} | case.costs
    return "\t".join(known.get(column, NOTHING) for column in columns)


def missing(page: str, table: list[dict[str, str]]) -> list[str]:
    """Cells of the page's tables that are not in the row of their case. Tables whose first column names no case are not looked at."""
    known = collections.defaultdict(set)
    for row in table:
        known[row["case"]].update(row.values())
    problems = []
    for line in page.splitlines():
        cells = [cell.strip(" *`") for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and cells[0] in known:
            numbers = [number for cell in cells[1:] for number in re.findall(r"\d[\d,]*(?:\.\d+)?", cell)]
            problems += [f"{cells[0]}: {number}" for number in numbers if number.replace(",", "") not in known[cells[0]]]
    return problems


def main() -> None:
    match sys.argv[1:]:
        case ["rows", file]:
            results = json.loads(pathlib.Path(file).read_text())
            columns = list(rows(RESULTS)[0])
            for measured in of_json(results):
                print(row_of(measured, results["commit"], columns))
        case ["check"]:
            problems = missing((ROOT / "docs/benchmark.md").read_text(), rows(RESULTS))
            if problems:
                raise SystemExit("docs/benchmark.md has figures that docs/benchmark-results.tsv has not: " + "; ".join(problems))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
