package io.mysqlpq.cross.bench;

import io.mysqlpq.cross.running.RangeMetrics;
import io.mysqlpq.cross.running.TextTable;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Prints what scans sent for each row, and how even their ranges were.
 *
 * @param cases the figures of each case
 */
record ScanTable(List<List<Figures>> cases)
{
    private static final List<String> HEADER = List.of("scan", "side", "rows", "bytes/row", "Mb/s", "ranges", "fewest rows", "even share", "most rows", "most/even");

    void print(PrintStream out)
    {
        TextTable table = new TextTable(HEADER, IntStream.range(0, HEADER.size()).mapToObj(column -> column > 1).toList());
        for (List<Figures> sides : cases) {
            sides.stream().filter(ScanTable::isScan).forEach(side -> table.add(row(side, side.equals(sides.getFirst()))));
        }
        if (table.rowCount() > 0) {
            out.println();
            table.print(out);
        }
    }

    private static boolean isScan(Figures side)
    {
        return side.samples().getFirst().work().scan().rows() > 0;
    }

    private static List<String> row(Figures side, boolean isFirst)
    {
        List<String> row = new ArrayList<>(List.of(
                isFirst ? side.query() : "",
                side.side(),
                "%,d".formatted(side.samples().getFirst().work().scan().rows()),
                "%.1f".formatted(side.median(Sample::sentBytesPerRow)),
                "%.0f".formatted(side.median(Sample::sentBitsPerSecond) / 1e6)));
        // Those of one run: ranges of another are cut anew.
        RangeMetrics ranges = side.samples().getLast().work().scan().ranges();
        if (ranges.count() > 0) {
            row.addAll(List.of(
                    "%d".formatted(ranges.count()),
                    "%,d".formatted(ranges.minimumRows()),
                    "%,d".formatted(ranges.averageRows()),
                    "%,d".formatted(ranges.maximumRows()),
                    "%.2f".formatted(ranges.maximumRows() * (double) ranges.count() / ranges.totalRows())));
        }
        while (row.size() < HEADER.size()) {
            row.add("");
        }
        return row;
    }
}
