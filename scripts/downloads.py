"""Prints for how many seconds downloads were under way in a log of Maven, by the times of the lines that begin and end them.

    downloads.py LOG
"""

import pathlib
import re
import sys

SECONDS_PER_DAY = 86400
LINE = re.compile(r"(\d\d):(\d\d):(\d\d\.\d+) ")


def download_seconds(log: str) -> float:
    seconds, before, under_way = 0.0, 0.0, 0
    for line in log.splitlines():
        time = LINE.match(line)
        if time is None:
            continue
        now = int(time[1]) * 3600 + int(time[2]) * 60 + float(time[3])
        if under_way > 0:
            # Midnight may lie between two lines.
            seconds += (now - before) % SECONDS_PER_DAY
        before = now
        if " Downloading from " in line:
            under_way += 1
        elif " Downloaded from " in line:
            under_way -= 1
        else:
            under_way = 0
    return seconds


if __name__ == "__main__":
    print(round(download_seconds(pathlib.Path(sys.argv[1]).read_text(errors="replace"))))
