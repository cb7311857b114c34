"""The checklists of docs/parity.md, docs/reliability.md and docs/decisions/conditional-scan.md: each row of their tables names the tests that prove it.

    checklist.py

Prints each row that names no test, and each named class that has not one source or that belongs to two sets of tests; exits with 1 if there
is any. Whether the named tests ran and passed is judged by results.py.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ("docs/parity.md", "docs/reliability.md", "docs/decisions/conditional-scan.md")
# The sources of test classes, and the set that runs them.
SETS = {"connector/src/test/java": "connector", "src/test/java": "cross", "server-udf/test/server/src/test/java": "udf-server"}
# A class has its last packages before it where several have its name.
NAMED_TEST = re.compile(r"`((?:[a-z]+\.)*Test[A-Za-z0-9]+#[A-Za-z0-9]+)`")


def rows_of(page: pathlib.Path) -> list[str]:
    """The rows, without heads, of all tables of a page whose last column is of tests; none if there is no such page."""
    rows, line_of_table, proves = [], 0, False
    for line in page.read_text().splitlines() if page.exists() else []:
        line_of_table = line_of_table + 1 if line.startswith("|") else 0
        if line_of_table == 1:
            proves = "Tests" in last_column(line)
        elif line_of_table > 2 and proves:
            rows.append(line)
    return rows


def last_column(row: str) -> str:
    return row.split("|")[-2] if row.count("|") > 1 else ""


def tests_of(row: str) -> list[str]:
    return NAMED_TEST.findall(last_column(row))


class Checklist:
    """What the pages of a repository name: `Class#method`."""

    def __init__(self, root: pathlib.Path = ROOT):
        self.rows = {page: rows_of(root / page) for page in PAGES}
        self.tests = sorted({test for rows in self.rows.values() for row in rows for test in tests_of(row)})
        self._sources = [(path, name) for folder, name in SETS.items() for path in sorted((root / folder).rglob("Test*.java"))]

    def _sources_of(self, class_name: str) -> list[tuple[pathlib.Path, str]]:
        file = "/" + class_name.replace(".", "/") + ".java"
        return [(path, name) for path, name in self._sources if str(path).endswith(file)]

    def set_of(self, class_name: str) -> str:
        """The set that runs a class."""
        for path, name in self._sources_of(class_name):
            return "stress" if '@Tag("stress")' in path.read_text() else name
        return "unknown"

    def problems(self) -> list[str]:
        """What is wrong with the pages themselves."""
        found = [f"no row in {page}" for page, rows in self.rows.items() if not rows]
        found += [f"no test in this row: {row}" for rows in self.rows.values() for row in rows if not tests_of(row)]
        for class_name in sorted({test.split("#")[0] for test in self.tests}):
            sources = [path for path, _ in self._sources_of(class_name)]
            if len(sources) != 1:
                found.append(f"{len(sources)} sources of the named class {class_name}: {' '.join(map(str, sources)) or 'none'}")
            elif re.search(r'^\s+@Tag\("stress"\)', sources[0].read_text(), re.MULTILINE):
                found.append(f"the named class {class_name} belongs to two sets: give its tests under stress a class of their own")
        return found

    def misses(self, set_name: str, outcomes: list[tuple[str, str]]) -> list[str]:
        """The named tests of a set that did not pass in all their cases; outcomes are `Class#method` with passed, failed or skipped."""
        verdicts = [(test, verdict(test, outcomes)) for test in self.tests if self.set_of(test.split("#")[0]) == set_name]
        return [f"the checklist's {test}: {said}" for test, said in verdicts if said != "passed"]


def verdict(test: str, outcomes: list[tuple[str, str]]) -> str:
    found = {outcome for case, outcome in outcomes if case == test or case.endswith("." + test)}
    if not found:
        return "did not run, or does not exist"
    if "failed" in found:
        return "failed"
    return "was skipped" if "skipped" in found else "passed"


def main() -> int:
    problems = Checklist().problems()
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
