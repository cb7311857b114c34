"""Tests of how reports of tests are counted and sets are judged."""

import contextlib
import io
import pathlib
import sys
import tempfile
import types
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import results

# Stands for a checklist that misses nothing.
NO_CHECKLIST = types.SimpleNamespace(misses=lambda set_name, outcomes: [])


class TestResults(unittest.TestCase):
    def setUp(self):
        contexts = contextlib.ExitStack()
        self.addCleanup(contexts.close)
        self.folder = pathlib.Path(contexts.enter_context(tempfile.TemporaryDirectory()))
        (self.folder / "results.tsv").touch()
        self.results = results.Results(self.folder / "results.tsv")
        self.said = io.StringIO()
        contexts.enter_context(contextlib.redirect_stdout(self.said))
        contexts.enter_context(unittest.mock.patch.dict("os.environ", {"CI": "", "PQ_MYSQL": ""}))

    def report(self, name: str, attributes: str, cases: str) -> pathlib.Path:
        """A report as surefire writes it."""
        file = self.folder / f"TEST-{name}.xml"
        file.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuite\n  name="{name}" {attributes}>\n{cases}\n</testsuite>\n')
        return file

    def counted(self, name: str, attributes: str, cases: str, status: int = 0) -> dict:
        self.results.add_reports("connector", status, "Maven run of connector", [self.report(name, attributes, cases)], NO_CHECKLIST)
        return dict(self.results.sets()["connector"])

    def test_cases_of_a_report(self):
        file = self.report("io.TestReads", 'tests="4"', '<testcase name="testOne" classname="io.TestReads"/>'
            '<testcase name="testMany(String)[2] a &lt; b" classname="io.TestReads$Nested"><failure message="1&#10;2"/></testcase>'
            '<testcase name="testThree" classname="io.TestReads"><skipped><![CDATA[<testcase name="testLie" classname="io.TestReads"/>]]></skipped></testcase>'
            '<testcase name="testFour" classname="io.TestReads"><error>no reason</error></testcase>')
        cases = [(case.test, case.outcome, case.message) for case in results.read_report(file).cases]
        self.assertEqual(cases, [("io.TestReads#testOne", "passed", ""), ("io.TestReads#testMany", "failed", "1 2"),
            ("io.TestReads#testThree", "skipped", ""), ("io.TestReads#testFour", "failed", "no reason")])

    def test_sums(self):
        self.counted("io.TestOne", 'tests="9" errors="1" failures="2" skipped="1"', '<testcase name="testA" classname="io.TestOne"><error message="why&#10;so"/></testcase>', status=1)
        self.assertEqual(self.counted("io.TestTwo", 'tests="3" disabled="1"', ""), {"passed": 7, "failed": 3, "skipped": 2})
        self.assertIn("FAILED or skipped in TEST-io.TestOne: 3 failed, 1 skipped\n  FAILED testA: why so\n", self.said.getvalue())

    def test_table_ends_with_what_failed(self):
        self.counted("io.TestOne", 'tests="2" failures="1"', '<testcase name="testA(int)[2]" classname="io.TestOne"><failure message="why&#10;so\tyes"/></testcase>', status=1)
        self.results.fail("stress", "stress ran no test")
        self.assertEqual(self.results.table(), 2)
        self.assertTrue(self.said.getvalue().endswith("\n1 passed, 2 failed\n  FAILED connector: io.TestOne#testA testA(int)[2]: why so yes\n  FAILED stress: stress ran no test\n"))

    def test_cause_of_a_failure(self):
        """A long message does not hide it."""
        text = "java.lang.Error: long\n\tat one\nCaused by: java.lang.Error: in between\n\tat two\nCaused by: java.lang.Error: first\n\t... 4 more"
        self.counted("io.TestOne", 'tests="1" failures="1"', f'<testcase name="testA" classname="io.TestOne"><failure message="{"long " * 1000}">{text}</failure></testcase>', status=1)
        self.assertRegex(self.said.getvalue(), "(?m)^  FAILED testA: (long ){300} ?Caused by: java.lang.Error: first$")

    def test_tests_of_what_a_given_server_lacks(self):
        """They count as skipped, and so fail the set, where no other server than Debian's was given."""
        cases = '<testcase name="testVectors" classname="io.TestTypes"><skipped message="needs MySQL 9.7"/></testcase>' \
            '<testcase name="testOther" classname="io.TestTypes"><skipped message="no time"/></testcase>'
        self.assertEqual(self.counted("io.TestTypes", 'tests="9" skipped="2"', cases), {"passed": 7, "failed": 0, "skipped": 2})
        with unittest.mock.patch.dict("os.environ", {"PQ_MYSQL": "/opt/mysql"}):
            self.assertEqual(self.counted("io.TestTypes", 'tests="9" skipped="2"', cases), {"passed": 14, "failed": 0, "skipped": 3, "left_out": 1})
        self.assertIn("left out: io.TestTypes#testVectors needs MySQL 9.7\n", self.said.getvalue())
        self.assertEqual(self.results.table(), 0)
        self.assertIn("1 tests were left out, of what this MySQL lacks\n", self.said.getvalue())

    def test_run_that_failed_without_a_failed_test(self):
        self.assertEqual(self.counted("io.TestOne", 'tests="2" errors="0" failures="0" skipped="0"', "", status=124), {"passed": 2, "failed": 1, "skipped": 0})
        self.assertIn("FAILED: Maven run of connector (exit code 124)", self.said.getvalue())

    def test_report_that_cannot_be_read(self):
        file = self.folder / "TEST-io.TestOne.xml"
        for text in ("", "<testsuite", "<nothing/>"):
            file.write_text(text)
            self.results.add_reports("connector", 0, "Maven run of connector", [file], NO_CHECKLIST)
        self.results.add_reports("connector", 0, "Maven run of connector", [self.folder / "none.xml"], NO_CHECKLIST)
        self.assertEqual(self.results.sets()["connector"]["failed"], 4)

    def test_checklist_is_judged_by_all_reports(self):
        seen = []
        checklist = types.SimpleNamespace(misses=lambda set_name, outcomes: seen.append((set_name, outcomes)) or ["the checklist's TestTwo#testB: failed"])
        files = [self.report(f"io.Test{name}", 'tests="1"', f'<testcase name="testA" classname="io.Test{name}"/>') for name in ("One", "Two")]
        self.results.add_reports("connector", 0, "Maven run of connector", files, checklist)
        self.assertEqual(seen, [("connector", [("io.TestOne#testA", "passed"), ("io.TestTwo#testA", "passed")])])
        self.assertEqual(self.results.sets()["connector"]["failed"], 1)
        self.assertIn("FAILED: the checklist's TestTwo#testB: failed", self.said.getvalue())

    def test_suite_of_trino_may_skip_but_has_to_pass_many(self):
        name, most = results.TRINO_SUITE.removeprefix("TEST-"), results.TRINO_SUITE_PASSES
        self.assertEqual(self.counted(name, f'tests="{most + 9}" skipped="9"', ""), {"passed": most, "failed": 0, "skipped": 0})
        self.assertEqual(self.counted(name, f'tests="{most + 9}" skipped="10"', "")["skipped"], 1)
        self.assertIn(f"Trino's own suite: {most} passed, 0 failed, 9 of behaviours declared unsupported", self.said.getvalue())

    def test_set_that_skipped_or_ran_nothing(self):
        self.results.add("one", passed=3, skipped=2)
        self.results.end("one", 6, "")
        self.results.end("two", 60, "")
        self.results.add("three", passed=1)
        self.results.end("three", 0, "")
        self.assertEqual(self.results.table(), 2)
        self.assertIn("FAILED: one skipped 2 tests\nFAILED: two ran no test\n", self.said.getvalue())
        self.assertTrue(self.said.getvalue().endswith(
            "\nset           passed  failed  skipped  minutes\n"
            "one                3       1        2      0.1\n"
            "two                0       1        0      1.0\n"
            "three              1       0        0      0.0\n"
            "\n4 passed, 2 failed\n"
            "  FAILED one: one skipped 2 tests\n"
            "  FAILED two: two ran no test\n"))

    def test_set_that_cannot_run_here(self):
        self.results.end("containers", 0, "no Docker")
        self.assertEqual(self.results.table(), 0)
        self.assertIn("not run: no Docker", self.said.getvalue())
        with unittest.mock.patch.dict("os.environ", {"CI": "true"}):
            self.results.end("containers", 0, "no Docker")
        self.assertEqual(self.results.table(), 1)


if __name__ == "__main__":
    unittest.main()
