"""Draws the pictures of benchmarks as SVG, and refuses to write one whose texts overlap or leave the picture.

    plots.py                 docs/benchmark.svg, docs/headline.svg and docs/dashboards.svg, from the results beside them
    plots.py RESULTS.json    a picture beside it of what `./pq bench` or `./pq bench --dashboards` wrote

All lengths are in inches; a browser shows 96 pixels an inch.
"""

import dataclasses
import functools
import itertools
import json
import math
import pathlib
import statistics
import sys
import textwrap

from matplotlib import axes, figure, font_manager, get_data_path, lines, patches, rcParams, text, textpath
from matplotlib.backends.backend_agg import FigureCanvasAgg

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import figures

# Texts are drawn as outlines, which are equally wide in every browser. The same results give the same file.
rcParams.update({"font.family": "DejaVu Sans", "svg.fonttype": "path", "svg.hashsalt": "mysql_pq", "text.hinting": "no_hinting"})

# The fonts that matplotlib brings: the host's may be of another version.
font_manager.fontManager.ttflist = [font for font in font_manager.fontManager.ttflist if font.fname.startswith(get_data_path())]

# Of the renderer that measures texts: fine enough that it rounds next to nothing.
DPI = 288
MARGIN, GAP = 0.15, 0.12
LINE, SMALL_LINE = 0.19, 0.165
TITLE_SIZE, SIZE, SMALL_SIZE = 13, 9.5, 8.5
INK, FAINT, GRID = "#222222", "#555555", "#dddddd"
# Colours that people who do not see red or green tell apart (Okabe and Ito, "Color Universal Design"), with markers for all others.
LOOKS = {
    "stock": ("#777777", "s"),
    "MySQL alone": ("#0072b2", "D"),
    "one split": ("#e69f00", "^"),
    "plain SQL": ("#009e73", "v"),
    "ranges": ("#d55e00", "o"),
    "ConnectorX": ("#cc79a7", "P"),
    "Spark JDBC": ("#56b4e9", "X"),
}
OTHER_LOOKS = [("#000000", "*"), ("#882255", "<"), ("#117733", ">"), ("#332288", "p")]
OURS, OTHER = "#d55e00", "#999999"
# What a panel is headed, and the end of its cases' names that this says already.
PARTS = {
    "TPC-H": ("TPC-H queries", ""),
    "scans": ("Scans", ""),
    "small queries": ("On busy cores", " on busy cores"),
    "cold": ("Nothing in memory", " cold"),
    "1 Gb/s": ("Over 1 Gb/s", " over 1 Gb/s"),
}


# --- texts ---


@functools.cache
def width_of(line: str, size: float = SIZE, weight: str = "normal") -> float:
    # Outlines begin and end within the space that a renderer gives to a line; the rest is for that.
    outline = textpath.TextPath((0, 0), line or " ", prop=font_manager.FontProperties(size=size, weight=weight))
    return outline.get_extents().width / 72 + 0.03


def wrapped(words: str, width: float, size: float = SIZE) -> list[str]:
    """The fewest lines that are not wider. A word that is wider is broken."""
    for length in range(len(words), 0, -1):
        parts = textwrap.wrap(words, length)
        if all(width_of(part, size) <= width for part in parts):
            return parts
    return [words]


def overlaps(drawn: figure.Figure) -> list[str]:
    """Names each text that leaves the picture, or lies over another text, a bar or the data of a panel that is not its own."""
    renderer = drawn.canvas.get_renderer()
    texts = [each for each in drawn.findobj(text.Text) if each.get_visible() and each.get_text().strip() and is_shown(each)]
    boxes = [(each.get_text(), each.get_window_extent(renderer)) for each in texts]
    problems = [f"{words!r} leaves the picture" for words, box in boxes if not holds(drawn.bbox, box)]
    problems += [f"{one!r} lies over {other!r}" for (one, box), (other, its) in itertools.combinations(boxes, 2) if meet(box, its)]
    bars = [bar.get_window_extent(renderer) for panel in drawn.axes for bar in panel.patches if isinstance(bar, patches.Rectangle)]
    problems += [f"{words!r} lies over a bar" for words, box in boxes if any(meet(box, bar) for bar in bars)]
    panels = [panel.get_window_extent(renderer) for panel in drawn.axes if not panel.patches]
    problems += [f"{words!r} lies over a panel" for words, box in boxes if any(meet(box, panel) for panel in panels)]
    return problems


# Axes keep labels of ticks beyond their limits.
def is_shown(each: text.Text) -> bool:
    panel = each.axes
    if panel is None:
        return True
    for axis, limits, position in ((panel.xaxis, panel.get_xlim(), 0), (panel.yaxis, panel.get_ylim(), 1)):
        if each in [tick.label1 for tick in axis.get_major_ticks()] + [tick.label1 for tick in axis.get_minor_ticks()]:
            return min(limits) <= each.get_position()[position] <= max(limits)
        if each in [tick.label2 for tick in axis.get_major_ticks() + axis.get_minor_ticks()]:
            return False
    return True


def holds(outer, inner) -> bool:
    return outer.x0 <= inner.x0 and inner.x1 <= outer.x1 and outer.y0 <= inner.y0 and inner.y1 <= outer.y1


# Boxes have room above and below their letters: touching is not overlapping.
def meet(one, other, slack: float = DPI / 72) -> bool:
    return min(one.x1, other.x1) - max(one.x0, other.x0) > slack and min(one.y1, other.y1) - max(one.y0, other.y0) > slack


# --- pictures ---


class Sheet:
    """A picture that is filled from top to bottom. Positions are inches from its upper left corner."""

    def __init__(self, width: float, height: float):
        self.width, self.height = width, height
        self.figure = figure.Figure(figsize=(width, height), dpi=DPI, facecolor="white")
        FigureCanvasAgg(self.figure)

    def write(self, x: float, y: float, words: str, size: float = SIZE, colour: str = INK, weight: str = "normal", align: str = "left", middle: bool = False) -> None:
        self.figure.text(x / self.width, 1 - y / self.height, words, fontsize=size, color=colour, fontweight=weight, ha=align, va="center" if middle else "top")

    def head(self, title: str, subtitle: list[str]) -> float:
        self.write(MARGIN, MARGIN, title, TITLE_SIZE, weight="bold")
        for number, line in enumerate(subtitle):
            self.write(MARGIN, MARGIN + 0.28 + number * SMALL_LINE, line, SMALL_SIZE, FAINT)
        return head_height(subtitle)

    def legend(self, y: float, rows: list[list[str]], looks: dict, step: float) -> None:
        for row, names in enumerate(rows):
            x, middle = MARGIN, y + (row + 0.5) * LINE
            for name in names:
                colour, marker = looks[name]
                self.figure.add_artist(lines.Line2D([(x + 0.08) / self.width], [1 - middle / self.height], marker=marker, markersize=7, color=colour, linestyle=""))
                self.write(x + 0.22, middle, name, middle=True)
                x += step

    def panel(self, x: float, y: float, width: float, height: float) -> axes.Axes:
        panel = self.figure.add_axes((x / self.width, 1 - (y + height) / self.height, width / self.width, height / self.height))
        panel.spines[:].set_visible(False)
        panel.tick_params(length=0, labelsize=SMALL_SIZE, labelcolor=FAINT)
        return panel

    def save(self, file: pathlib.Path) -> None:
        self.figure.draw_without_rendering()
        problems = overlaps(self.figure)
        if problems:
            raise SystemExit(f"{file} is not written: {'; '.join(problems)}")
        self.figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        # Lines of the renderer end in spaces.
        file.write_text("".join(line.rstrip() + "\n" for line in file.read_text().splitlines()))


def head_height(subtitle: list[str]) -> float:
    return MARGIN + 0.28 + len(subtitle) * SMALL_LINE + GAP


def looks_of(sides: list[str]) -> dict[str, tuple[str, str]]:
    others = itertools.cycle(OTHER_LOOKS)
    return {side: LOOKS.get(side) or next(others) for side in sides}


def legend_rows(sides: list[str], width: float) -> tuple[list[list[str]], float]:
    """Sides in columns of the same width, and that width."""
    step = max(width_of(side) for side in sides) + 0.4
    count = max(1, math.floor((width - 2 * MARGIN) / step))
    return [sides[begin:begin + count] for begin in range(0, len(sides), count)], step


class Medians:
    """Seconds of each case on each side: a row for each case, on one logarithmic scale, in one or two columns of panels."""

    WIDTH, LABEL_WIDTH = 10.0, 2.0
    ROW, PANEL_HEAD, PANEL_FOOT = 0.21, 0.3, 0.32

    def __init__(self, title: str, subtitle: str, cases: list[figures.Case]):
        self.title = title
        self.cases = [case for case in cases if case.unit == figures.SECONDS and case.sides]
        present = {side: None for case in self.cases for side in case.sides}
        self.looks = looks_of([side for side in LOOKS if side in present] + [side for side in present if side not in LOOKS])
        parts: dict[str, list[figures.Case]] = {}
        for case in self.cases:
            parts.setdefault(case.part, []).append(case)
        self.columns = balanced(list(parts.items()), self.panel_height)
        self.subtitle = wrapped(subtitle, self.WIDTH - 2 * MARGIN, SMALL_SIZE)
        seconds = [number for case in self.cases for number in case.sides.values()]
        self.limits = min(seconds) / 1.4, max(seconds) * 1.4

    def labels(self, case: figures.Case) -> list[str]:
        return wrapped(case.name.removesuffix(PARTS.get(case.part, ("", ""))[1]), self.LABEL_WIDTH)

    def label_width(self, column: list[tuple[str, list[figures.Case]]]) -> float:
        return max(width_of(line) for _, cases in column for case in cases for line in self.labels(case))

    def rows(self, case: figures.Case) -> float:
        return max(1.0, len(self.labels(case)) * SMALL_LINE / self.ROW + 0.1)

    def panel_height(self, part: tuple[str, list[figures.Case]]) -> float:
        return self.PANEL_HEAD + sum(map(self.rows, part[1])) * self.ROW + self.PANEL_FOOT

    def sheet(self) -> Sheet:
        names, step = legend_rows(list(self.looks), self.WIDTH)
        top = head_height(self.subtitle) + len(names) * LINE + GAP
        sheet = Sheet(self.WIDTH, top + max(sum(map(self.panel_height, column)) for column in self.columns) + 0.05)
        sheet.legend(sheet.head(self.title, self.subtitle), names, self.looks, step)
        labels = [self.label_width(column) + 0.1 for column in self.columns]
        # What labels leave is shared equally, so that a second is equally far everywhere.
        width = (self.WIDTH - MARGIN - sum(labels) - 3 * GAP * len(labels)) / len(labels)
        x = MARGIN
        for column, label_width in zip(self.columns, labels):
            y = top
            for part in column:
                self.draw(sheet, x, y, label_width, width, part)
                y += self.panel_height(part)
            x += label_width + width + 3 * GAP
        return sheet

    def draw(self, sheet: Sheet, x: float, y: float, label_width: float, width: float, part: tuple[str, list[figures.Case]]) -> None:
        name, cases = part
        heights = [self.rows(case) for case in cases]
        sheet.write(x, y + 0.06, PARTS.get(name, (name, ""))[0], weight="bold")
        panel = sheet.panel(x + label_width, y + self.PANEL_HEAD, width, sum(heights) * self.ROW)
        panel.set(xscale="log", xlim=self.limits, ylim=(sum(heights), 0))
        panel.set_xticks(*self.ticks())
        panel.minorticks_off()
        panel.grid(axis="x", color=GRID, linewidth=0.7)
        middles = [sum(heights[:row]) + heights[row] / 2 for row in range(len(cases))]
        panel.set_yticks(middles, ["\n".join(self.labels(case)) for case in cases], fontsize=SIZE, color=INK)
        for case, middle in zip(cases, middles):
            panel.plot([min(case.sides.values()), max(case.sides.values())], [middle, middle], color="#cccccc", linewidth=1.2, zorder=1)
            # Ours last, above all others.
            for side in sorted(case.sides, key=lambda side: (side == "ranges", list(self.looks).index(side))):
                colour, marker = self.looks[side]
                size = 7 if side == "ranges" else 5.5
                panel.plot(case.sides[side], middle, marker, color=colour, markersize=size, markeredgecolor="white", markeredgewidth=0.5, zorder=3, clip_on=False)

    def ticks(self) -> tuple[list[float], list[str]]:
        decades = range(math.floor(math.log10(self.limits[0])), math.ceil(math.log10(self.limits[1])))
        # With few decades there is room for a tick between them.
        steps = (1, 3) if len(decades) <= 4 else (1,)
        ticks = [float(f"{step}e{decade}") for decade in decades for step in steps]
        shown = [tick for tick in ticks if self.limits[0] <= tick <= self.limits[1]]
        return shown, [f"{tick:g} s" for tick in shown]


def balanced(parts: list, height_of) -> list[list]:
    """Parts in their order, in two columns of nearly the same height, or in one column."""
    if len(parts) == 1:
        return [parts]
    heights = [height_of(part) for part in parts]
    cut = min(range(1, len(parts)), key=lambda cut: max(sum(heights[:cut]), sum(heights[cut:])))
    return [parts[:cut], parts[cut:]]


class Bars:
    """A row for each name, with a bar for each series, all on one scale from 0.

    :param rows: numbers by name, in the order of series
    :param line: a number that a dashed line marks, with its words
    """

    BAR, SPACE = 0.17, 0.11

    def __init__(self, title: str, subtitle: str, series: dict[str, str], rows: dict[str, list[float]], form, width: float, label_width: float, line: tuple[float, str] | None = None):
        self.title, self.series, self.form, self.width, self.label_width, self.line = title, series, form, width, label_width, line
        self.rows = rows
        self.subtitle = wrapped(subtitle, width - 2 * MARGIN, SMALL_SIZE)
        self.labels = {name: wrapped(name, label_width) for name in rows}
        self.heights = [max(len(numbers) * self.BAR, len(self.labels[name]) * SMALL_LINE) + self.SPACE for name, numbers in rows.items()]

    def sheet(self) -> Sheet:
        names, step = legend_rows(list(self.series), self.width) if len(self.series) > 1 else ([], 0)
        top = head_height(self.subtitle) + len(names) * LINE + (GAP if names else 0)
        foot = 0.24 if self.line else 0.02
        sheet = Sheet(self.width, top + sum(self.heights) + foot + 0.08)
        sheet.legend(sheet.head(self.title, self.subtitle), names, {name: (colour, "s") for name, colour in self.series.items()}, step)
        longest = max(number for numbers in self.rows.values() for number in numbers)
        room = max(width_of(self.form(number)) for numbers in self.rows.values() for number in numbers) + 0.15
        panel = sheet.panel(MARGIN + self.label_width + 0.1, top, self.width - 2 * MARGIN - self.label_width - 0.1 - room, sum(self.heights))
        panel.set(xlim=(0, longest), ylim=(sum(self.heights), 0))
        panel.set_xticks([])
        middles = [sum(self.heights[:row]) + height / 2 for row, height in enumerate(self.heights)]
        panel.set_yticks(middles, ["\n".join(self.labels[name]) for name in self.rows], fontsize=SIZE, color=INK)
        self.draw_line(sheet, panel, longest)
        for (name, numbers), middle in zip(self.rows.items(), middles):
            for place, (number, colour) in enumerate(zip(numbers, self.series.values())):
                y = middle + (place - (len(numbers) - 1) / 2) * self.BAR
                panel.barh(y, number, self.BAR - 0.03, color=colour, zorder=2)
                panel.annotate(self.form(number), (self.end(number), y), (5, 0), textcoords="offset points", va="center", fontsize=SIZE, color=INK)
        return sheet

    def end(self, number: float) -> float:
        """Where a bar ends, or the line that is as good as there."""
        return self.line[0] if self.line and 0.6 * self.line[0] < number < self.line[0] else number

    def draw_line(self, sheet: Sheet, panel: axes.Axes, longest: float) -> None:
        if self.line is None:
            return
        at, words = self.line
        panel.axvline(at, color=INK, linewidth=1, linestyle=(0, (3, 2)), zorder=3)
        box = panel.get_position()
        x = (box.x0 + box.width * at / longest) * sheet.width
        sheet.write(x, (1 - box.y0) * sheet.height + 0.03, words, SMALL_SIZE, FAINT, align="left")


# --- what is drawn ---


def headline(cases: list[figures.Case]) -> Sheet:
    """Times as fast as the stock connector."""
    times = {(case.part, case.name): case.ratios.get("times stock") for case in cases}
    queries = {name: number for (part, name), number in times.items() if part == "TPC-H"}
    slowest = min(queries, key=queries.get)
    rows = {
        "Full scan, all 16 columns": times["scans", "all 16 columns"],
        "Full scan, 2 columns": times["scans", "2 bigint columns"],
        f"TPC-H, median of {len(queries)} queries": statistics.median(queries.values()),
        f"TPC-H, least gain ({slowest})": queries[slowest],
        "Point lookups, one client": times["point lookups", "point lookup x 1"],
        "A date range by an index": times["scans", "date range"],
    }
    return Bars(
        "Times as fast as Trino's MySQL connector",
        "TPC-H at scale 1, warm; MySQL and Trino share two cores",
        {"ranges": OURS},
        {name: [number] for name, number in rows.items()},
        lambda number: f"{number:.1f}×" if number >= 2 else f"{number:.2f}×",
        6.667,
        2.15,
        (1, "1 = Trino's MySQL connector"),
    ).sheet()


def dashboards(charts: dict[str, dict[str, float]]) -> Sheet:
    """The seconds of each chart's query on both sides."""
    series = {"one split": OTHER, "mysql_pq": OURS}
    rows = {name: [sides[side] for side in series] for name, sides in charts.items()}
    return Bars("Each chart's query alone, the better of two", "seconds, shorter is better", series, rows, lambda number: f"{number:.2f} s", 8.0, 2.4).sheet()


def medians_of_docs(cases: list[figures.Case]) -> Sheet:
    # The small queries are some of the others again, at a later commit.
    chosen = [dataclasses.replace(case, sides={side: number for side, number in case.sides.items() if side in LOOKS}) for case in cases if case.part != "small queries"]
    return Medians("TPC-H at scale 1: seconds by query, medians", "Further left is faster; the scale is logarithmic. MySQL and Trino share two cores.", chosen).sheet()


def medians_of_run(results: dict) -> Sheet:
    subtitle = (
        f"Further left is faster; the scale is logarithmic. {results['machine']}; commit {results['commit']}; {results['began']}; "
        f"medians of {results['rounds']} interleaved runs"
    )
    return Medians(f"TPC-H at scale {results['scale']}: seconds by query, medians", subtitle, figures.of_json(results)).sheet()


def draw_docs(folder: pathlib.Path) -> None:
    cases = figures.read(figures.RESULTS)
    medians_of_docs(cases).save(folder / "benchmark.svg")
    headline(cases).save(folder / "headline.svg")
    charts = {row["chart"]: {side: float(row[side]) for side in ("one split", "mysql_pq")} for row in figures.rows(figures.DASHBOARDS)}
    dashboards(charts).save(folder / "dashboards.svg")


def draw_results(file: pathlib.Path) -> None:
    results, picture = json.loads(file.read_text()), file.with_suffix(".svg")
    if "charts" in results:
        dashboards(results["charts"]).save(picture)
    elif any(case.unit == figures.SECONDS for case in figures.of_json(results)):
        medians_of_run(results).save(picture)
    else:
        print("no picture: the results have no single query")
        return
    print(f"picture: {picture}")


def main() -> None:
    match sys.argv[1:]:
        case []:
            draw_docs(figures.ROOT / "docs")
        case [file]:
            draw_results(pathlib.Path(file))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
