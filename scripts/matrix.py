"""The builds of MySQL that the extension was tried on: docs/servers.tsv, a build a row.

    matrix.py series    the series that the extension knows, such as 9.7, one a line
    matrix.py loaded V  fails if no extension for the series of version V, such as 9.7.4-2, was loaded
    matrix.py table     the builds, as a table of Markdown
    matrix.py write     puts the table into docs/install.md
    matrix.py check     fails where that page has another table, or where the extension's headers accept other series
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = ["version", "build", "machine", "compiled", "loaded", "tests"]
TITLES = ["MySQL", "build", "machine", "compiled", "loaded", "tests that ran on it"]
# The page's table stands between these lines.
BEGIN, END = "<!-- docs/servers.tsv -->", "<!-- end of docs/servers.tsv -->"
VERSION = re.compile(r"\d+\.\d+\.\d+(\.\d+)?")


class Matrix:
    def __init__(self, root: pathlib.Path = ROOT):
        self._file = root / "docs/servers.tsv"
        self._page = root / "docs/install.md"
        self._header = root / "server-udf/src/server/mysql_compat.h"

    def rows(self) -> list[dict[str, str]]:
        head, *lines = self._file.read_text().splitlines()
        if head.split("\t") != COLUMNS:
            raise SystemExit(f"{self._file} has other columns than {COLUMNS}")
        rows = []
        for number, line in enumerate(lines, start=2):
            values = line.split("\t")
            if len(values) != len(COLUMNS) or not all(values) or not VERSION.fullmatch(values[0]):
                raise SystemExit(f"{self._file}:{number}: needs a version such as 9.7.4 and a value in each of {len(COLUMNS)} columns")
            rows.append(dict(zip(COLUMNS, values)))
        return rows

    def series(self) -> list[str]:
        """Those that the extension was compiled for."""
        return in_order({series_of(row["version"]) for row in self.rows() if row["compiled"] != "no"})

    def was_loaded(self, version: str) -> bool:
        return any(series_of(row["version"]) == series_of(version) and row["loaded"] == "yes" for row in self.rows())

    def accepted_series(self) -> list[str]:
        """Those that the extension's headers compile for."""
        return in_order({f"{major}.{minor}" for major, minor in re.findall(r"!PQ_SERIES\((\d+), (\d+)\)", self._header.read_text())})

    def table(self) -> str:
        lines = [TITLES, ["---"] * len(TITLES)] + [[row[column] for column in COLUMNS] for row in self.rows()]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def write(self) -> None:
        self._page.write_text(self._page_with_table())

    def _page_with_table(self) -> str:
        before, begin, rest = self._page.read_text().partition(BEGIN + "\n")
        _, end, after = rest.partition(END + "\n")
        if not begin or not end:
            raise SystemExit(f"{self._page} lacks the lines {BEGIN} and {END}")
        return before + begin + "\n" + self.table() + "\n" + end + after

    def wrong(self) -> list[str]:
        found = []
        if self._page.read_text() != self._page_with_table():
            found.append("docs/install.md has another table than docs/servers.tsv: ./pq format writes it")
        if self.series() != self.accepted_series():
            found.append(f"docs/servers.tsv has builds of {self.series()}, and server/mysql_compat.h accepts {self.accepted_series()}")
        return found


def series_of(version: str) -> str:
    return ".".join(version.split(".")[:2])


def in_order(series: set[str]) -> list[str]:
    return sorted(series, key=lambda name: [int(part) for part in name.split(".")])


def main(arguments: list[str]) -> int:
    matrix = Matrix()
    if arguments == ["series"]:
        print(*matrix.series(), sep="\n")
    elif len(arguments) == 2 and arguments[0] == "loaded":
        return 0 if matrix.was_loaded(arguments[1]) else 1
    elif arguments == ["table"]:
        print(matrix.table(), end="")
    elif arguments == ["write"]:
        matrix.write()
    elif arguments == ["check"]:
        print(*matrix.wrong(), sep="\n", end="\n" if matrix.wrong() else "")
        return 1 if matrix.wrong() else 0
    else:
        raise SystemExit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
