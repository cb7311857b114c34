"""Tests of the gate on the checklists, with pages and sources of their own."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from checklist import Checklist, verdict


class TestChecklist(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.source("connector/src/test/java/io/trino/TestReads.java")
        self.source("connector/src/test/java/io/trino/TestTwice.java")
        self.source("src/test/java/io/cross/TestTwice.java")
        self.page("parity", "`TestReads#testOne`")
        self.page("reliability", "`TestReads#testFault`")
        self.page("decisions/conditional-scan", "`TestReads#testFault`")

    def source(self, path: str, text: str = ""):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def page(self, name: str, *tests: str):
        """Neither the head of a table nor what stands outside of tables is a row."""
        rows = "".join(f"| a point with `TestNowhere#testInText` | {test} |\n" for test in tests)
        self.source(f"docs/{name}.md", f"# Title\n\n`TestNowhere#testProse`\n\n| Point | Tests: `TestNowhere#testHead` |\n|---|---|\n{rows}")

    def misses(self, set_name: str, **outcomes: str) -> list[str]:
        return Checklist(self.root).misses(set_name, [(f"io.trino.TestReads#{method}", outcome) for method, outcome in outcomes.items()])

    def test_pages_in_order(self):
        self.page("parity", "`TestReads#testOne`, `TestReads#testMany`", "`trino.TestTwice#testInherited`")
        checklist = Checklist(self.root)
        self.assertEqual(checklist.problems(), [])
        self.assertEqual(checklist.tests, ["TestReads#testFault", "TestReads#testMany", "TestReads#testOne", "trino.TestTwice#testInherited"])

    def test_all_named_tests_passed(self):
        self.assertEqual(self.misses("connector", testOne="passed", testFault="passed", testUnnamed="skipped"), [])

    def test_missing_test(self):
        self.assertEqual(
            self.misses("connector", testOneMore="passed", testFault="passed"), ["the checklist's TestReads#testOne: did not run, or does not exist"]
        )

    def test_every_page_is_judged(self):
        self.assertEqual(
            self.misses("connector", testOne="passed"), ["the checklist's TestReads#testFault: did not run, or does not exist"]
        )

    def test_test_of_another_class(self):
        self.assertEqual(verdict("TestReads#testOne", [("io.trino.OtherTestReads#testOne", "passed")]), "did not run, or does not exist")

    # A test that runs for several values has to pass for each.
    def test_cases(self):
        def of_cases(*outcomes: str) -> str:
            return verdict("TestReads#testOne", [("io.trino.TestReads#testOne", outcome) for outcome in outcomes])

        self.assertEqual(of_cases("passed", "passed"), "passed")
        self.assertEqual(of_cases("passed", "skipped"), "was skipped")
        self.assertEqual(of_cases("passed", "failed", "skipped"), "failed")

    def test_set_of_a_test(self):
        self.page("parity", "`cross.TestTwice#testOne`")
        self.page("reliability", "`cross.TestTwice#testOne`")
        self.page("decisions/conditional-scan", "`cross.TestTwice#testOne`")
        self.assertEqual(self.misses("connector"), [])
        self.assertEqual(len(self.misses("cross")), 1)
        self.source("src/test/java/io/cross/TestTwice.java", '@Tag("stress")\nclass TestTwice {}\n')
        self.assertEqual(self.misses("cross"), [])
        self.assertEqual(len(self.misses("stress")), 1)

    def test_row_without_test(self):
        self.page("parity", "`TestReads#testOne`", "not yet")
        self.page("reliability", "none")
        self.assertEqual(
            Checklist(self.root).problems(),
            ["no test in this row: | a point with `TestNowhere#testInText` | not yet |", "no test in this row: | a point with `TestNowhere#testInText` | none |"],
        )

    def test_class_without_source(self):
        self.page("parity", "`TestRead#testOne`")
        self.assertEqual(Checklist(self.root).problems(), ["0 sources of the named class TestRead: none"])

    def test_class_with_two_sources(self):
        self.page("parity", "`TestTwice#testOne`")
        [problem] = Checklist(self.root).problems()
        self.assertIn("2 sources of the named class TestTwice", problem)

    def test_class_of_two_sets(self):
        self.source("connector/src/test/java/io/trino/TestReads.java", 'class TestReads {\n    @Test\n    @Tag("stress")\n    void testOne() {}\n}\n')
        [problem] = Checklist(self.root).problems()
        self.assertIn("TestReads belongs to two sets", problem)

    # A table of what runs measured names no tests.
    def test_table_of_something_else(self):
        with (self.root / "docs/parity.md").open("a") as page:
            page.write("\n| Run | Minutes |\n|---|---|\n| the first | 60 |\n")
        self.assertEqual(Checklist(self.root).problems(), [])

    def test_page_without_rows(self):
        (self.root / "docs/reliability.md").unlink()
        self.assertEqual(Checklist(self.root).problems(), ["no row in docs/reliability.md"])


if __name__ == "__main__":
    unittest.main()
