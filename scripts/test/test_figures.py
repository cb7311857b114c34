"""Tests of the figures of benchmarks, and that docs/benchmark.md has no others than docs/benchmark-results.tsv."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import figures


def measured(query: str, side: str, counted: str, *samples: tuple[float, int]) -> dict:
    return {"query": query, "side": side, "counted": counted, "samples": [{"seconds": seconds, "done": done} for seconds, done in samples]}


RUN = {"figures": [
    measured("Q1", "stock", "SINGLE_QUERY", (7, 1), (9, 1), (8, 1)),
    measured("Q1", "ranges", "SINGLE_QUERY", (1, 1), (2, 1), (1.5, 1)),
    measured("point lookup x 8", "ranges", "QUERIES", (5, 250), (5, 300)),
    measured("copy of lineitem", "ranges", "ROWS", (4, 6000)),
]}


class TestFigures(unittest.TestCase):
    def test_medians_of_a_run(self):
        self.assertEqual(figures.of_json(RUN), [
            figures.Case("TPC-H", "Q1", "seconds", {"stock": 8, "ranges": 1.5}, {"times stock": 16 / 3}),
            figures.Case("point lookups", "point lookup x 8", "queries per second", {"ranges": 55}),
            figures.Case("loads", "copy of lineitem", "rows per second", {"ranges": 1500}),
        ])

    def test_parts(self):
        names = ["Q22", "date range", "Q6 cold", "2 bigint columns over 1 Gb/s", "Q5 on busy cores"]
        self.assertEqual([figures.part_of(name, "seconds") for name in names], ["TPC-H", "scans", "cold", "1 Gb/s", "small queries"])

    def test_row_of_a_case(self):
        columns = ["part", "case", "unit", "commit", "stock", "one split", "ranges", "times stock"]
        self.assertEqual(figures.row_of(figures.of_json(RUN)[0], "abc", columns), "TPC-H\tQ1\tseconds\tabc\t8.000\t-\t1.500\t5.33")

    def test_costs(self):
        runs = [{"seconds": 1, "done": 9, "errors": errors, "medianSeconds": 0.0124, "cpu": {"mysql": mysql, "trino": 2}} for errors, mysql in ((0, 1), (2, 4), (0, 3))]
        run = {"figures": [{"query": "point lookup x 8", "side": "ranges", "counted": "QUERIES", "samples": runs}]}
        self.assertEqual(figures.of_json(run)[0].costs, {"CPU of MySQL for ranges": "3.00", "CPU of Trino for ranges": "2.00", "ms of ranges": "12", "errors of ranges": "2"})

    def test_table(self):
        row = {"part": "scans", "case": "count(*)", "unit": "seconds", "commit": "abc", "times stock": "2.00"}
        row |= dict.fromkeys(figures.SIDES, figures.NOTHING) | {"stock": "0.50", "ranges": "0.25"}
        self.assertEqual(figures.of_table([row]), [figures.Case("scans", "count(*)", "seconds", {"stock": 0.5, "ranges": 0.25}, {"times stock": 2})])

    def test_figures_that_results_lack(self):
        table = [{"case": "Q1", "stock": "7.191", "ranges": "1.229"}, {"case": "copy of lineitem", "stock": "216039", "ranges": "-"}]
        page = "| | stock | ranges |\n|---|---|---|\n| Q1 | 7.191 | **1.230** |\n| copy of lineitem | 216,039 | |\n| Q2 | 9 | 9 |\nQ1 takes 3 s\n"
        self.assertEqual(figures.missing(page, table), ["Q1: 1.230"])

    def test_page_has_the_figures_of_the_results(self):
        self.assertEqual(figures.missing((figures.ROOT / "docs/benchmark.md").read_text(), figures.rows(figures.RESULTS)), [])

    def test_every_result_is_on_the_page(self):
        page = (figures.ROOT / "docs/benchmark.md").read_text()
        self.assertEqual([row["case"] for row in figures.rows(figures.RESULTS) if f"| {row['case']} |" not in page], [])


if __name__ == "__main__":
    unittest.main()
