"""Tests of the pictures of benchmarks: whatever names and numbers there are, no text lies over another, over a bar or outside."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import plots

LONG = "count(*) by lineitem_partkey_suppkey_of_a_name_as_long_as_MySQL_allows_it and_more on busy cores"
DOCS = plots.figures.ROOT / "docs"


def problems(sheet: plots.Sheet) -> list[str]:
    sheet.figure.draw_without_rendering()
    return plots.overlaps(sheet.figure)


def run_of(names: list[str], sides: list[str]) -> dict:
    def figures_of(name: str, side: str, seconds: float) -> dict:
        return {"query": name, "side": side, "counted": "SINGLE_QUERY", "samples": [{"seconds": seconds, "done": 1}]}

    measured = [figures_of(name, side, 0.001 * 3.7 ** number) for name in names for number, side in enumerate(sides)]
    return {"machine": "2 x a processor with a long name, 23 GB " * 4, "commit": "abc1234+", "began": "2026-11-27T16:00:00Z", "scale": "1", "rounds": 7, "figures": measured}


class TestPlots(unittest.TestCase):
    def test_pictures_of_docs_are_those_of_the_results(self):
        with tempfile.TemporaryDirectory() as folder:
            plots.draw_docs(pathlib.Path(folder))
            drawn = sorted(pathlib.Path(folder).iterdir())
            self.assertEqual([file.name for file in drawn], ["benchmark.svg", "dashboards.svg", "headline.svg"])
            for file in drawn:
                self.assertEqual(file.read_text(), (DOCS / file.name).read_text(), f"docs/{file.name} is another: ./pq bench --draw")

    def test_long_names_and_many_sides(self):
        sides = ["stock", "ranges", "MySQL alone", "one split", "mysql_pq.max_ranges_per_scan = 16", "mysql_pq.target_rows_per_split = 123456789", "no readahead"]
        names = [LONG, "Q1", f"{LONG} cold", "all 16 columns over 1 Gb/s", "W" * 80, "Q5 on busy cores"]
        self.assertEqual(problems(plots.medians_of_run(run_of(names, sides))), [])

    def test_one_query(self):
        self.assertEqual(problems(plots.medians_of_run(run_of(["Q1"], ["ranges"]))), [])

    def test_results_without_a_single_query(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as said:
            file = pathlib.Path(folder) / "bench.json"
            file.write_text(json.dumps(run_of([], [])))
            plots.draw_results(file)
            self.assertEqual(said.getvalue(), "no picture: the results have no single query\n")
            self.assertFalse(file.with_suffix(".svg").exists())

    def test_long_names_of_charts(self):
        charts = {name: {"one split": 12345.678, "mysql_pq": 0.0001} for name in (LONG, "W" * 80, "Orders")}
        self.assertEqual(problems(plots.dashboards(charts)), [])

    def test_overlaps_are_seen(self):
        sheet = plots.Sheet(3, 2)
        sheet.write(0.5, 0.5, "one")
        sheet.write(0.6, 0.55, "other")
        sheet.write(2.8, 1.5, "outside")
        panel = sheet.panel(0.5, 1, 1, 0.5)
        panel.barh(0.5, 1, 0.8)
        panel.set(xlim=(0, 1), ylim=(0, 1), xticks=[], yticks=[])
        sheet.write(0.6, 1.2, "on a bar")
        self.assertEqual(problems(sheet), ["'outside' leaves the picture", "'one' lies over 'other'", "'on a bar' lies over a bar"])
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "is not written: 'outside' leaves the picture; "):
                sheet.save(pathlib.Path(folder) / "picture.svg")
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
