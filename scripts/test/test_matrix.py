"""Tests of the builds of MySQL that were tried: docs/servers.tsv, the page's table, the headers."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from matrix import BEGIN, COLUMNS, END, Matrix

ROWS = ["9.7.4\tDebian's package\tx86_64\tyes\tyes\tall", "8.4.3\ta fork\tx86_64\tyes\tno\tnone", "26.7.0\tOracle's\tx86_64\tno\tno\tnone"]
HEADER = "#if !PQ_SERIES(8, 4) && !PQ_SERIES(9, 7)\n#error\n#endif\n#if PQ_SERIES(5, 5)\n#endif\n"


class TestMatrix(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self._root = pathlib.Path(folder.name)
        self._write("docs/install.md", f"before\n{BEGIN}\nold\n{END}\nafter\n")
        self._write("server-udf/src/server/mysql_compat.h", HEADER)
        self._write_rows(ROWS)

    def _write(self, path: str, text: str):
        file = self._root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def _write_rows(self, rows: list[str]):
        self._write("docs/servers.tsv", "\n".join(["\t".join(COLUMNS)] + rows) + "\n")

    def matrix(self) -> Matrix:
        return Matrix(self._root)

    def test_series_are_those_that_compiled(self):
        self.assertEqual(self.matrix().series(), ["8.4", "9.7"])

    def test_series_that_were_loaded(self):
        self.assertTrue(self.matrix().was_loaded("9.7.12"))
        self.assertFalse(self.matrix().was_loaded("8.4.3"))
        self.assertFalse(self.matrix().was_loaded("5.7.44"))

    def test_series_of_the_headers(self):
        self.assertEqual(self.matrix().accepted_series(), ["8.4", "9.7"])

    def test_table_of_the_page(self):
        self.assertIn("docs/install.md has another table", self.matrix().wrong()[0])
        self.matrix().write()
        self.assertEqual(self.matrix().wrong(), [])
        page = (self._root / "docs/install.md").read_text()
        self.assertIn("| 8.4.3 | a fork | x86_64 | yes | no | none |\n", page)
        self.assertTrue(page.startswith("before\n") and page.endswith("after\n") and "old" not in page)

    def test_series_that_only_one_side_knows(self):
        self.matrix().write()
        self._write("server-udf/src/server/mysql_compat.h", HEADER.replace(" && !PQ_SERIES(9, 7)", ""))
        self.assertEqual(self.matrix().wrong(), ["docs/servers.tsv has builds of ['8.4', '9.7'], and server/mysql_compat.h accepts ['8.4']"])

    def test_row_that_is_not_whole(self):
        for row in ["9.7\tDebian's\tx86_64\tyes\tyes\tall", "9.7.4\tDebian's\tx86_64\tyes\tyes", "9.7.4\tDebian's\tx86_64\tyes\tyes\t"]:
            self._write_rows([row])
            with self.assertRaisesRegex(SystemExit, "servers.tsv:2: needs a version"):
                self.matrix().rows()

    def test_series_in_order_of_numbers(self):
        self._write_rows([row.replace("\tno\tno\t", "\tyes\tno\t") for row in ROWS])
        self.assertEqual(self.matrix().series(), ["8.4", "9.7", "26.7"])


if __name__ == "__main__":
    unittest.main()
