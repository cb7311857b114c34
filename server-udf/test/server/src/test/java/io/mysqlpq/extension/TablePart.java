package io.mysqlpq.extension;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

import static java.util.Comparator.nullsFirst;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the rows of a table, or of a partition, as a snapshot has them, and scans its ranges.
 *
 * @param option names the partition, if it is one
 * @param rows as SQL gives them, in the order of the clustered index
 * @param cells the same rows as a batch has them: numbers, or bytes
 * @param bounds between the ranges
 */
record TablePart(SnapshotReader reader, String table, String index, String option, List<ScanColumn> columns, List<List<String>> rows, List<List<Object>> cells, List<List<String>> bounds)
{
    /**
     * What scans of all ranges gave.
     *
     * @param stopped whether the extension left a range at a row that it could not read. Later ranges then were not scanned.
     */
    record Scanned<T>(List<T> parts, boolean stopped)
    {}

    /**
     * Reads a part as one range, and compares it with the rows of SQL.
     *
     * @param partition empty for the whole table
     */
    static TablePart read(SnapshotReader reader, String table, String index, String partition, List<ScanColumn> columns, List<List<String>> bySql, List<String> definition)
    {
        String option = partition.isEmpty() ? "" : "\"partition\": \"%s\", ".formatted(partition);
        NativeScan.Scanned all = new NativeScan(reader.session(), reader.token(), table, index, columns, option).read();
        // Values that are stored off-page and are too long for a scan.
        List<Integer> kept = IntStream.range(0, columns.size()).filter(i -> !all.stopped() || !columns.get(i).type().matches(".*(text|blob|char)")).boxed().toList();
        NativeScan whole = new NativeScan(reader.session(), reader.token(), table, index, kept.stream().map(columns::get).toList(), option);
        List<List<String>> rows = all.stopped() ? whole.read().rows() : all.rows();
        assertSame("the whole table, by " + definition, sorted(rows), sorted(bySql.stream().map(row -> kept.stream().map(row::get).toList()).toList()));
        List<List<Object>> cells = whole.batches(NativeScan.sql(table, index, reader.token(), whole.options(null), 100)).stream().flatMap(batch -> batch.cellsOfRows().stream()).toList();
        assertThat(cells).hasSameSizeAs(rows);
        return new TablePart(reader, table, index, option, whole.columns(), rows, cells, List.of());
    }

    TablePart cutAt(List<List<String>> bounds)
    {
        return new TablePart(reader, table, index, option, columns, rows, cells, bounds);
    }

    /** Scans ranges in as many statements as it takes. */
    Scanned<List<String>> scan(List<ScanColumn> wanted, String options)
    {
        List<List<String>> read = new ArrayList<>();
        boolean stopped = false;
        for (int range = 0; range <= bounds.size() && !stopped; range++) {
            NativeScan.Scanned scanned = new NativeScan(reader.session(), reader.token(), table, index, wanted, option + options + bounds(range)).read();
            read.addAll(scanned.rows());
            stopped = scanned.stopped();
        }
        return new Scanned<>(read, stopped);
    }

    /** Scans each range by one statement. */
    Scanned<ScanBatch> batches(List<ScanColumn> wanted, String options)
    {
        List<ScanBatch> read = new ArrayList<>();
        boolean stopped = false;
        for (int range = 0; range <= bounds.size() && !stopped; range++) {
            NativeScan scan = new NativeScan(reader.session(), reader.token(), table, index, wanted, option + options + bounds(range));
            List<ScanBatch> batches = scan.batches(NativeScan.sql(table, index, reader.token(), scan.options(null), rows.size() + 2));
            read.addAll(batches);
            stopped = !batches.isEmpty() && batches.getLast().end() == ScanBatch.STOPPED;
        }
        return new Scanned<>(read, stopped);
    }

    private String bounds(int range)
    {
        return (range == 0 ? "" : "\"lower\": %s, ".formatted(key(bounds.get(range - 1)))) + (range == bounds.size() ? "" : "\"upper\": %s, ".formatted(key(bounds.get(range))));
    }

    private static String key(List<String> values)
    {
        return values.stream().map(value -> value == null ? "null" : "\"%s\"".formatted(value)).collect(joining(", ", "[", "]"));
    }

    /** Names the first row that differs, and not all of them. */
    static void assertSame(String what, List<List<String>> read, List<List<String>> expected)
    {
        assertThat(read.size()).as("rows of %s", what).isEqualTo(expected.size());
        for (int i = 0; i < read.size(); i++) {
            assertThat(read.get(i)).as("row %s of %s", i, what).isEqualTo(expected.get(i));
        }
    }

    /** Gives bytes an equality. The order of their hexadecimal digits is theirs. */
    static Object comparable(Object cell)
    {
        return cell instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : cell;
    }

    static List<Object> comparable(List<Object> row)
    {
        List<Object> cells = new ArrayList<>();
        row.forEach(cell -> cells.add(comparable(cell)));
        return cells;
    }

    private static List<List<String>> sorted(List<List<String>> rows)
    {
        return rows.stream().sorted((left, right) -> IntStream.range(0, left.size())
                .map(i -> nullsFirst(Comparator.<String>naturalOrder()).compare(left.get(i), right.get(i)))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(0)).toList();
    }
}
