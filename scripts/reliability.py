"""The logs of docs/reliability.md: what `./pq faults` and `./pq torture` saw, run by run.

    reliability.py faults                     the names of all faults
    reliability.py tests FAULT                the tests of a fault's row that provoke it, with commas between
    reliability.py not-provoked OUTPUT...     the faults that no test of a run provoked
    reliability.py add-faults COMMIT OUTPUT...   adds a run to docs/faults-log.tsv, and puts the sums of all into the page's column "Tried"
    reliability.py check                      fails where the page says other sums
    reliability.py add-runs COMMIT OUTPUT...  adds runs to docs/reliability-log.tsv, and prints the sums of all; fails where nothing ran
    reliability.py queries SEED               how many random queries of the seed ran, by docs/reliability-log.tsv, as they are drawn now

An OUTPUT is what the tests printed, as surefire keeps it.
"""

import collections
import datetime
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAULT_TESTS = "src/test/java/io/mysqlpq/cross/fault"
DRAWN_TABLES = "src/test/java/io/mysqlpq/cross/DrawnTables.java"
# As Fault and ReliabilityRun print them.
PROVOKED = re.compile(r"Fault: ([A-Z_]+) (answered|failed)(?![a-z])")
RAN = re.compile(r"Reliability: (.+) seed (-?\d+) minutes ([\d.]+) queries (\d+) differences (\d+)")


class FaultLog:
    """How often each fault was provoked, and how queries ended then."""

    def __init__(self, root: pathlib.Path = ROOT):
        self._tests = root / FAULT_TESTS
        self._page = root / "docs/reliability.md"
        self._log = root / "docs/faults-log.tsv"

    def names(self) -> list[str]:
        return re.findall(r"^    ([A-Z_]+)\(Outcome\.", (self._tests / "Fault.java").read_text(), re.MULTILINE)

    def tests_of(self, fault: str) -> list[str]:
        """The tests of the fault's row that are in the package of faults; none if there is no such row."""
        rows = [line for line in self._page.read_text().splitlines() if line.startswith(f"| `{fault}` |")]
        named = [test for row in rows for test in re.findall(r"`(Test[A-Za-z0-9]+#[A-Za-z0-9]+)`", row)]
        return [test for test in named if (self._tests / f"{test.split('#')[0]}.java").exists()]

    def not_provoked(self, outputs: list[str]) -> list[str]:
        provoked = {fault for output in outputs for fault, _ in PROVOKED.findall(output)}
        return [fault for fault in self.names() if fault not in provoked]

    def add(self, date: str, commit: str, outputs: list[str]) -> list[str]:
        """Adds what a run printed to the log and to the page, and returns the log's new lines."""
        lines = fault_lines(date, commit, outputs)
        append(self._log, lines)
        self._page.write_text(self._page_with_tries())
        return lines

    def _page_with_tries(self) -> str:
        tries: collections.Counter = collections.Counter()
        for line in self._log.read_text().splitlines()[1:]:
            _, _, fault, number, *_ = line.split("\t")
            tries[fault] += int(number)
        return "".join(with_tries(line, tries) for line in self._page.read_text().splitlines(keepends=True))

    def agrees(self) -> bool:
        return self._page_with_tries() == self._page.read_text()


def with_tries(line: str, tries: collections.Counter) -> str:
    fault = re.match(r"\| `([A-Z_]+)` \|", line)
    if fault is None:
        return line
    columns = line.split("|")
    columns[4] = f" {tries[fault[1]]} "
    return "|".join(columns)


def fault_lines(date: str, commit: str, outputs: list[str]) -> list[str]:
    """Date, commit, fault, tries, right answers, errors."""
    ends: dict[str, collections.Counter] = {}
    for output in outputs:
        for fault, end in PROVOKED.findall(output):
            ends.setdefault(fault, collections.Counter())[end] += 1
    return [
        f"{date}\t{commit}\t{fault}\t{counts['answered'] + counts['failed']}\t{counts['answered']}\t{counts['failed']}"
        for fault, counts in sorted(ends.items())
    ]


def run_lines(date: str, commit: str, outputs: list[str]) -> list[str]:
    """Date, commit, what ran, its seed, minutes, queries, differences."""
    return ["\t".join((date, commit, *run)) for output in outputs for run in RAN.findall(output)]


def run_sums(log: str) -> list[str]:
    """Minutes, queries and differences of each kind of run, over all that a log has."""
    sums: dict[str, list[float]] = {}
    for line in log.splitlines()[1:]:
        _, _, name, _, *numbers = line.split("\t")
        sums[name] = [total + float(number) for total, number in zip(sums.get(name, [0.0, 0.0, 0.0]), numbers)]
    return [
        f"all runs of {name}: {minutes:.1f} minutes, {queries:.0f} queries, {differences:.0f} differences"
        for name, (minutes, queries, differences) in sorted(sums.items())
    ]


def name_of_random_queries(root: pathlib.Path = ROOT) -> str:
    """What the log calls random queries as they are drawn now. Earlier ones with the same numbers were others."""
    return re.findall(r'String RUN = "(.+)";', (root / DRAWN_TABLES).read_text())[0]


def queries(log: str, drawn: str, seed: str) -> int:
    """How many random queries of the seed ran, of those whose runs have this name."""
    runs = [line.split("\t") for line in log.splitlines()[1:]]
    return sum(int(number) for _, _, name, of, _, number, _ in runs if name == drawn and of == seed)


def append(log: pathlib.Path, lines: list[str]) -> None:
    with log.open("a") as file:
        file.writelines(line + "\n" for line in lines)


def main(arguments: list[str]) -> int:
    command, rest, faults = arguments[0], arguments[1:], FaultLog()
    log = ROOT / "docs/reliability-log.tsv"
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()

    def outputs(files: list[str]) -> list[str]:
        return [pathlib.Path(file).read_text(errors="replace") for file in files]

    if command == "faults":
        print(*faults.names())
    elif command == "tests":
        print(*faults.tests_of(rest[0]), sep=",")
    elif command == "not-provoked":
        print(*faults.not_provoked(outputs(rest)), sep="\n")
    elif command == "add-faults":
        print(*faults.add(today, rest[0], outputs(rest[1:])), sep="\n")
    elif command == "check":
        if not faults.agrees():
            print("docs/reliability.md does not say how often faults were tried by docs/faults-log.tsv; ./pq faults mends it")
            return 1
    elif command == "queries":
        print(queries(log.read_text(), name_of_random_queries(), rest[0]))
    elif command == "add-runs":
        lines = run_lines(today, rest[0], outputs(rest[1:]))
        if not lines:
            return 1
        sums = run_sums(log.read_text() + "".join(line + "\n" for line in lines))
        append(log, lines)
        print(*lines, *sums, sep="\n")
    else:
        raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
