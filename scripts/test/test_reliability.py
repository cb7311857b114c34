"""Tests of how the tries of faults and the runs of torture are counted and published."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import reliability


class TestFaultLog(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        tests = self.root / reliability.FAULT_TESTS
        tests.mkdir(parents=True)
        (self.root / "docs").mkdir()
        (tests / "Fault.java").write_text("enum Fault\n{\n    STALL(Outcome.ANSWER),\n    BLACK_HOLE(Outcome.ERROR, CODE),\n")
        (tests / "TestNetwork.java").touch()
        self.page = self.root / "docs/reliability.md"
        self.page.write_text(
            "| Fault | How | What | Tried | Tests |\n|---|---|---|---|---|\n"
            "| `STALL` | a | b | 3 | `TestNetwork#testStall`, `TestElsewhere#testStall` |\n| `BLACK_HOLE` | a | b | 0 | `TestNetwork#testHole` |\n"
        )
        self.log = self.root / "docs/faults-log.tsv"
        self.log.write_text("date\tcommit\tfault\ttries\tanswers\terrors\nd\tc\tSTALL\t2\t2\t0\nd\tc\tSTALL\t1\t1\t0\n")
        self.faults = reliability.FaultLog(self.root)

    def test_lines_of_faults(self):
        outputs = ["INFO \x1b[37mFault: STALL answered\x1b[0m\nFault: STALL answered\n", "Fault: BLACK_HOLE failed\nFault: STALL was seen\nFault: STALL failedly"]
        self.assertEqual(reliability.fault_lines("d", "c", outputs), ["d\tc\tBLACK_HOLE\t1\t0\t1", "d\tc\tSTALL\t2\t2\t0"])

    def test_fault_that_was_not_provoked(self):
        self.assertEqual(self.faults.not_provoked(["Fault: STALL answered\n"]), ["BLACK_HOLE"])
        self.assertEqual(self.faults.not_provoked(["Fault: STALL answered\n", "Fault: BLACK_HOLE failed\n"]), [])

    def test_page_says_what_the_log_says(self):
        self.assertTrue(self.faults.agrees())
        with self.log.open("a") as log:
            log.write("d\tc\tBLACK_HOLE\t4\t0\t4\n")
        self.assertFalse(self.faults.agrees())

    def test_run_is_added(self):
        self.assertEqual(self.faults.add("d", "c", ["Fault: BLACK_HOLE failed\n"]), ["d\tc\tBLACK_HOLE\t1\t0\t1"])
        self.assertTrue(self.log.read_text().endswith("d\tc\tSTALL\t1\t1\t0\nd\tc\tBLACK_HOLE\t1\t0\t1\n"))
        self.assertIn("| `BLACK_HOLE` | a | b | 1 | `TestNetwork#testHole` |\n", self.page.read_text())
        self.assertTrue(self.faults.agrees())

    def test_tests_of_a_fault(self):
        self.assertEqual(self.faults.tests_of("STALL"), ["TestNetwork#testStall"])
        self.assertEqual(self.faults.tests_of("NOTHING"), [])


class TestRuns(unittest.TestCase):
    def test_lines_of_runs(self):
        output = "Random seed: -Dpq.seed=5\nINFO stdout Reliability: torture in groups seed -5 minutes 0.25 queries 17 differences 1\n"
        self.assertEqual(reliability.run_lines("2026-11-24", "abc1234+", ["", output]), ["2026-11-24\tabc1234+\ttorture in groups\t-5\t0.25\t17\t1"])

    def test_sums_of_runs(self):
        log = "date\tcommit\trun\tseed\tminutes\tqueries\tdifferences\nd\tc\ttorture\t-5\t0.25\t17\t1\nd\tc\ttorture\t6\t1.25\t3\t0\nd\tc\tquiet\t6\t1.00\t3\t0\n"
        self.assertEqual(
            reliability.run_sums(log), ["all runs of quiet: 1.0 minutes, 3 queries, 0 differences", "all runs of torture: 1.5 minutes, 20 queries, 1 differences"]
        )

    def test_queries_of_a_seed(self):
        log = "date\tcommit\trun\tseed\tminutes\tqueries\tdifferences\nd\tc\tdifferential\t-5\t0.25\t17\t1\nd\tc\tdifferential\t-5\t1.25\t3\t0\nd\tc\ttorture\t-5\t1.00\t4\t0\nd\tc\tdifferential\t5\t1.00\t5\t0\n"
        self.assertEqual(reliability.queries(log, "differential", "-5"), 20)
        self.assertEqual(reliability.queries(log, "differential", "6"), 0)
        self.assertEqual(reliability.queries(log, "differential 2", "-5"), 0)

    def test_name_of_random_queries(self):
        self.assertRegex(reliability.name_of_random_queries(), r"^differential \d+$")


if __name__ == "__main__":
    unittest.main()
