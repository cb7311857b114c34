"""Tests of how the time of downloads is told from a log."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from downloads import download_seconds


class TestDownloads(unittest.TestCase):
    def test_seconds_of_downloads(self):
        lines = [
            "10:00:00.000 [INFO] Scanning for projects...",
            "10:00:05.000 [INFO] Downloading from central: https://example.net/a.jar",
            "10:00:06.500 [INFO] Downloading from central: https://example.net/b.jar",
            "no time, such as a line of a stack trace",
            "10:00:07.000 [INFO] Downloaded from central: https://example.net/b.jar",
            "10:00:08.000 [INFO] Downloaded from central: https://example.net/a.jar",
            "10:00:20.000 [INFO] Building",
        ]
        self.assertEqual(download_seconds("\n".join(lines)), 3.0)

    # A download that failed has no line of its end: the next line of another kind ends it.
    def test_download_that_failed(self):
        lines = ["10:00:05.000 [INFO] Downloading from central: x", "10:00:06.000 [WARNING] Could not transfer", "10:00:30.000 [INFO] Building"]
        self.assertEqual(download_seconds("\n".join(lines)), 1.0)

    def test_download_over_midnight(self):
        self.assertEqual(download_seconds("23:59:59.000 [INFO] Downloading from central: x\n00:00:01.250 [INFO] Downloaded from central: x\n"), 2.25)


if __name__ == "__main__":
    unittest.main()
