"""Adds up what the sets of `./pq test` came to, and judges them.

    results.py FILE reports SET STATUS WHAT REPORT...   JUnit reports of a run that ended with STATUS
    results.py FILE end SET SECONDS [REASON]            judges a set; REASON is why it could not run
    results.py FILE table                               prints all sets; exits with 1 if something failed

FILE holds the counts of one `./pq test`: a line for each, with a set, an outcome and a number, and tabs between. What failed may follow.
`count` of test.sh adds lines too.
"""

import collections
import dataclasses
import os
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

from checklist import Checklist

# Trino's suite for JDBC connectors skips its tests of behaviours that a connector declares it has not (hasBehavior). Instead of skipping
# none it must pass this many.
TRINO_SUITE = "TEST-io.mysqlpq.trino.TestMysqlPqConnectorTest"
TRINO_SUITE_PASSES = 256
LONGEST_MESSAGE = 1500
# How a test says that it was left out for what an older MySQL lacks (the class TestedServer). Debian's server has all.
LEFT_OUT = "needs MySQL "


@dataclasses.dataclass(frozen=True)
class Case:
    """A test of a report. One that runs for several values has a case for each."""

    name: str
    # `Class#method`. Nested classes count as those around them.
    test: str
    outcome: str
    message: str


@dataclasses.dataclass(frozen=True)
class Report:
    """A JUnit report, as Maven's surefire and CMake's ctest write it."""

    name: str
    passed: int
    failed: int
    skipped: int
    cases: list[Case]


def read_report(file: pathlib.Path) -> Report:
    suite = next(xml.parse(file).getroot().iter("testsuite"))

    def number(*attributes: str) -> int:
        return sum(int(suite.get(attribute) or 0) for attribute in attributes)

    failed, skipped = number("failures", "errors"), number("skipped", "disabled")
    return Report(file.stem, number("tests") - failed - skipped, failed, skipped, [case_of(element) for element in suite.iter("testcase")])


def case_of(element: xml.Element) -> Case:
    name = element.get("name", "")
    method = re.sub(r"[^A-Za-z0-9_].*", "", name, flags=re.DOTALL)
    test = element.get("classname", "").split("$")[0] + "#" + method
    failure = next((child for child in element if child.tag in ("failure", "error")), None)
    if failure is not None:
        return Case(name, test, "failed", message(failure))
    skipped = element.find("skipped")
    if skipped is None:
        return Case(name, test, "passed", "")
    why = skipped.get("message", "")
    return Case(name, test, "left out" if why.startswith(LEFT_OUT) and os.environ.get("PQ_MYSQL") else "skipped", why)


def message(failure: xml.Element) -> str:
    """What a test said when it failed, and what caused that at first."""
    text = (failure.text or "").strip()
    said = failure.get("message") or text
    causes = re.findall(r"^Caused by: (.*)", text, flags=re.MULTILINE)
    return shortened(said) + (f" Caused by: {shortened(causes[-1])}" if causes else "")


def shortened(text: str) -> str:
    return " ".join(text.split())[:LONGEST_MESSAGE]


class Results:
    """The counts of a run, which a file keeps since each set is counted by a process of its own."""

    def __init__(self, file: pathlib.Path):
        self._file = file

    def sets(self) -> dict[str, collections.Counter]:
        """Numbers by outcome, of each set in the order of the run."""
        sets: dict[str, collections.Counter] = {}
        for line in self._file.read_text().splitlines():
            name, outcome, number = line.split("\t")[:3]
            sets.setdefault(name, collections.Counter())[outcome] += int(number)
        return sets

    def add(self, set_name: str, **numbers: int) -> None:
        with self._file.open("a") as file:
            for outcome, number in numbers.items():
                file.write(f"{set_name}\t{outcome}\t{number}\n")

    def failures(self) -> list[str]:
        """What failed, each with its set."""
        lines = [line.split("\t", 3) for line in self._file.read_text().splitlines()]
        return [f"{line[0]}: {line[3]}" for line in lines if len(line) == 4]

    def add_failure(self, set_name: str, what: str, number: int) -> None:
        with self._file.open("a") as file:
            file.write(f"{set_name}\tfailed\t{number}\t{' '.join(what.split())}\n")

    def fail(self, set_name: str, what: str) -> None:
        print(f"FAILED: {what}")
        self.add_failure(set_name, what, 1)

    def add_reports(self, set_name: str, status: int, what: str, files: list[pathlib.Path], checklist: Checklist) -> None:
        """Counts reports, and the tests of the checklist that belong to the set and did not pass."""
        cases, failed = [], 0
        for file in files:
            try:
                report = read_report(file)
            except (OSError, xml.ParseError, StopIteration) as error:
                print(f"{file.name} cannot be read: {error!r}")
                status = status or 1
                continue
            failed += report.failed
            cases += report.cases
            self._add_report(set_name, report)
        # A run that failed without a failed test did not compile, or timed out.
        if status != 0 and failed == 0:
            self.fail(set_name, f"{what} (exit code {status})")
        for miss in checklist.misses(set_name, [(case.test, case.outcome) for case in cases]):
            self.fail(set_name, miss)

    def _add_report(self, set_name: str, report: Report) -> None:
        left_out = [case for case in report.cases if case.outcome == "left out"]
        skipped = max(0, report.skipped - len(left_out))
        for case in left_out:
            print(f"left out: {case.test.removeprefix('io.mysqlpq.')} {case.message}")
        if left_out:
            self.add(set_name, left_out=len(left_out))
        if report.name == TRINO_SUITE:
            print(f"Trino's own suite: {report.passed} passed, {report.failed} failed, {report.skipped} of behaviours declared unsupported")
            skipped = 1 if report.passed < TRINO_SUITE_PASSES else 0
        self.add(set_name, passed=report.passed, failed=report.failed, skipped=skipped)
        if report.failed or skipped:
            print(f"FAILED or skipped in {report.name}: {report.failed} failed, {skipped} skipped")
        for case in report.cases:
            if case.outcome == "failed":
                print(f"  FAILED {case.name}: {case.message}")
                # The report's number counts it.
                self.add_failure(set_name, f"{case.test.removeprefix('io.mysqlpq.')} {case.name}: {case.message}", 0)

    def end(self, set_name: str, seconds: int, reason: str) -> None:
        """A set that ran nothing, or skipped anything, has failed. One that cannot run here has failed in CI only."""
        self.add(set_name, seconds=seconds)
        counts = self.sets()[set_name]
        if reason:
            print(f"not run: {reason}")
            if os.environ.get("CI") != "true":
                return
        if counts["skipped"]:
            self.fail(set_name, f"{set_name} skipped {counts['skipped']} tests")
        if counts["passed"] + counts["failed"] == 0:
            self.fail(set_name, f"{set_name} ran no test")

    def table(self) -> int:
        """Prints the counts of all sets and what failed, and returns how many tests did. The end of CI's output is all that some readers see."""
        sets = self.sets()
        print(f"\n{'set':12} {'passed':>7} {'failed':>7} {'skipped':>8} {'minutes':>8}")
        for name, counts in sets.items():
            print(f"{name:12} {counts['passed']:7} {counts['failed']:7} {counts['skipped']:8} {counts['seconds'] / 60:8.1f}")
        total = sum(sets.values(), collections.Counter())
        if total["left_out"]:
            print(f"\n{total['left_out']} tests were left out, of what this MySQL lacks")
        print(f"\n{total['passed']} passed, {total['failed']} failed")
        for failure in self.failures():
            print(f"  FAILED {failure}")
        return total["failed"]


def main(arguments: list[str]) -> int:
    results, command, rest = Results(pathlib.Path(arguments[0])), arguments[1], arguments[2:]
    if command == "reports":
        results.add_reports(rest[0], int(rest[1]), rest[2], [pathlib.Path(file) for file in rest[3:]], Checklist())
    elif command == "end":
        results.end(rest[0], int(rest[1]), "".join(rest[2:]))
    elif command == "table":
        return 1 if results.table() else 0
    else:
        raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
